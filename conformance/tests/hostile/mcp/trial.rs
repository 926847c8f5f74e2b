//! Whole runs of a small contract against a server, and what came of them.

use super::program::Program;
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Finding, Header, LOG_FORMAT, Selection, Verdict};
use conformance::report::{json, junit, terminal};
use conformance::run::{Options, start_and_run};
use conformance::targets::{Address, EndpointFile, TargetFile};
use conformance::transport::TransportError;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// What a run brought.
pub(crate) struct Trial {
    pub(crate) log: RunLog,
    pub(crate) unreachable: Option<TransportError>,
}

impl Trial {
    /// Runs every case against a program, on one thread, where the cases come in their order.
    pub(crate) fn of(lines: &str) -> Self {
        let program = Program::new(lines);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let trial = Self::with(&runtime, &target(Address::McpStdio(program.command.clone())));
        program.assert_nothing_runs(1);
        trial
    }

    /// Runs every case against what a target file says.
    pub(crate) fn with(runtime: &Runtime, file: &TargetFile) -> Self {
        let target = Arc::new(file.ready(&BTreeMap::new(), &|_| None).unwrap());
        let suite = suite();
        let options = Options {
            selection: Selection::default(),
            seed: 0,
            time: Duration::from_secs(120),
            prove: false,
            keep_evidence: true,
        };
        let run = runtime.block_on(start_and_run(&suite, &target, &options, std::future::pending(), |_| {}));
        assert!(run.unproven.is_empty(), "the suite broke: {:?}", run.unproven);
        let header = Header {
            format: LOG_FORMAT.to_owned(),
            suite: "test".to_owned(),
            target: "hostile server".to_owned(),

            ..Header::default()
        };
        let unreachable = run.unreachable.clone();
        Self { log: RunLog::of(&suite, header, run, Duration::ZERO), unreachable }
    }

    pub(crate) fn exit(&self) -> u8 {
        self.log.totals.exit_code
    }

    /// What a case says of a requirement.
    pub(crate) fn finding(&self, case: &str, requirement: &str) -> &Finding {
        let mut findings = self.log.ledger.entries.iter().map(|entry| &entry.finding);
        let found = findings.find(|finding| finding.case == case && finding.requirement == requirement);
        found.unwrap_or_else(|| panic!("{case} says nothing of {requirement}"))
    }

    pub(crate) fn verdict(&self, case: &str, requirement: &str) -> Verdict {
        self.finding(case, requirement).verdict
    }

    /// Why it is so, in one text.
    pub(crate) fn why(&self, case: &str, requirement: &str) -> String {
        let details = &self.finding(case, requirement).details;
        details.iter().map(|detail| detail.message.as_str()).collect::<Vec<_>>().join("; ")
    }

    /// The requirements that some case violates, each once.
    pub(crate) fn violated(&self) -> Vec<&str> {
        let findings = self.log.ledger.entries.iter().map(|entry| &entry.finding);
        let failed = findings.filter(|finding| finding.verdict == Verdict::Fail);
        let mut ids: Vec<&str> = failed.map(|finding| finding.requirement.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Everything that a report, the log or a message of this run says.
    pub(crate) fn everything_said(&self) -> String {
        let mut log = Vec::new();
        self.log.write(&mut log).unwrap();
        let mut text = String::from_utf8(log).unwrap();
        for verbose in [false, true] {
            let style = terminal::Style { colour: false, width: 100, quiet: false, verbose };
            text += &terminal::render(&self.log, style);
        }
        text += &junit::render(&self.log).unwrap();
        text + &json::text(&self.log)
    }
}

/// The small contract at an MCP server, one case after the other.
pub(crate) fn target(address: Address) -> TargetFile {
    let endpoint = EndpointFile::new("small", address);
    TargetFile {
        name: "hostile".to_owned(),
        endpoints: vec![endpoint],
        timeout: Some(60),
        jobs: Some(1),
        ..TargetFile::default()
    }
}

/// A suite with the transports of this checkout and one small contract.
fn suite() -> Arc<Suite> {
    let root = tempfile::tempdir().unwrap();
    let checkout = testing::root();
    let transports = fs::read_to_string(checkout.join("schemas/suite/transports.json")).unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("schemas/suite/transports.json", &transports);
    write("schemas/small/contract.json", &contract().to_string());
    let schema = |names: &[&str]| {
        let properties: BTreeMap<_, _> = names.iter().map(|name| (name, json!({}))).collect();
        json!({ "type": "object", "properties": properties }).to_string()
    };
    write("schemas/small/find.json", &schema(&["query", "limit"]));
    write("schemas/small/read.json", &schema(&["id"]));
    write("schemas/small/tools.json", &schema(&[]));
    for (name, case) in cases() {
        write(&format!("fixtures/small/cases/{name}.json"), &case.to_string());
    }
    Arc::new(Suite::load(root.path()).unwrap())
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
