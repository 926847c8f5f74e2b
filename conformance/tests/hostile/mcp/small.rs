//! A small contract, and whole runs of it.

use super::program::program;
use crate::trial::{PATIENT, Trial};
use conformance::load::Suite;
use conformance::model::{Eras, Protocol};
use conformance::targets::{Address, EndpointFile, TargetFile};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, LazyLock};

static SUITE: LazyLock<Arc<Suite>> = LazyLock::new(read);

/// The suite with the small contract.
pub(crate) fn suite() -> Arc<Suite> {
    Arc::clone(&SUITE)
}

/// Runs every case against what a target file describes.
pub(crate) fn tried(file: &TargetFile) -> Trial {
    Trial::of(&SUITE, file, "")
}

/// Runs every case against a program, one after the other.
pub(crate) fn tried_program(lines: &str) -> Trial {
    let program = program(lines);
    let trial = tried(&target(Address::McpStdio(program.words())));
    program.assert_nothing_runs(1);
    trial
}

/// The small contract at an MCP server, one case after the other.
pub(crate) fn target(address: Address) -> TargetFile {
    let eras = if address.kind().protocol() == Protocol::Mcp { Eras::Legacy } else { Eras::Auto };
    target_in(address, eras)
}

/// The same in these eras.
pub(crate) fn target_in(address: Address, eras: Eras) -> TargetFile {
    let endpoint = EndpointFile { eras, ..EndpointFile::new("small", address) };
    TargetFile {
        name: "hostile".to_owned(),
        endpoints: vec![endpoint],
        timeout: Some(PATIENT),
        jobs: Some(1),
        ..TargetFile::default()
    }
}

/// A suite with the transports of this checkout and the small contract.
fn read() -> Arc<Suite> {
    let root = tempfile::tempdir().unwrap();
    let of_suite = |name: &str| fs::read_to_string(testing::root().join("schemas/suite").join(name)).unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for name in ["transports.json", "clients.json"] {
        write(&format!("schemas/suite/{name}"), &of_suite(name));
    }
    write("schemas/small/contract.json", &contract().to_string());
    let schema = |names: &[&str]| {
        let properties: BTreeMap<_, _> = names.iter().map(|name| (name, json!({}))).collect();
        json!({ "type": "object", "properties": properties }).to_string()
    };
    write("schemas/small/find.json", &find().to_string());
    write("schemas/small/read.json", &schema(&["id"]));
    write("schemas/small/tools.json", &schema(&[]));
    for (name, case) in cases() {
        write(&format!("fixtures/small/cases/{name}.json"), &case.to_string());
    }
    Arc::new(Suite::load(root.path()).unwrap())
}

/// Its call is the one that shows how the protocol is kept to.
fn find() -> Value {
    json!({ "type": "object", "properties": { "limit": {}, "query": {}, "where": {} }, "examples": [{ "query": "a", "where": "here" }] })
}

fn contract() -> Value {
    let requirement = |id: &str| json!({ "id": id, "level": "must", "origin": "stated", "section": "All", "text": id });
    let ids =
        ["small.found", "small.results", "small.limit", "small.words", "small.read", "small.title", "small.listed"];
    json!({
        "name": "small", "title": "A small contract", "document": "none", "sections": ["All"],
        "operations": {
            "find": { "about": "Finds", "input": "find.json", "mcp": { "tool": "find", "results": "/results" } },
            "read": { "about": "Reads", "input": "read.json", "mcp": { "tool": "read" } },
            "tools": { "about": "Lists the tools", "input": "tools.json", "mcp": {} },
        },
        "requirements": ids.map(requirement),
    })
}

/// The cases, in their order.
fn cases() -> [(&'static str, Value); 5] {
    let patch = json!([{ "op": "replace", "path": "/0/0/status", "value": "failed" }]);
    let broken_by = json!([{ "about": "it fails", "patch": patch }]);
    let status = |id: &str, path: &str, status: &str| json!({ "requirement": id, "select": path, "equals": status, "broken_by": broken_by });
    let body = |id: &str, path: &str, key: &str| {
        let schema = json!({ "type": "object", "required": [key] });
        json!({ "requirement": id, "select": path, "schema": schema, "broken_by": broken_by })
    };
    let case = |steps: Value, checks: &[Value]| json!({ "about": "A case", "steps": steps, "checks": checks });
    let find = json!({ "call": "find", "with": { "query": "a" } });
    let none = json!({ "call": "find", "with": { "query": "a", "limit": 0 }, "twin": 0 });
    [
        (
            "1-find",
            case(
                json!([find]),
                &[
                    status("small.found", "$[0][0].status", "accepted"),
                    body("small.results", "$[0][0].answer.body", "results"),
                ],
            ),
        ),
        (
            "2-limit",
            case(
                json!([find, none]),
                &[
                    status("small.limit", "$[1][0].status", "refused"),
                    body("small.words", "$[1][0].answer.result", "content"),
                ],
            ),
        ),
        (
            "3-read",
            case(
                json!([{ "call": "read", "with": { "id": "x" } }]),
                &[
                    status("small.read", "$[0][0].status", "accepted"),
                    body("small.title", "$[0][0].answer.body", "title"),
                ],
            ),
        ),
        ("4-tools", case(json!([{ "call": "tools" }]), &[body("small.listed", "$[0][0].answer.body", "tools")])),
        ("5-find-again", case(json!([find]), &[status("small.found", "$[0][0].status", "accepted")])),
    ]
}
