//! The reference at one revision, judged by that revision and by its neighbours: it is condemned for what they differ in, and for nothing
//! else.

use super::xtask;
use rstest::rstest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use testing::{Script, root, said};

/// What a call violates that is refused for the names of its arguments. The rest is incomplete then.
const OTHER_NAMES: &[&str] = &["remnote.read-optional", "remnote.search-optional", "remnote.tag-optional"];
const OTHER_TAGS: &[&str] = &["remnote.structured-node-tags-form", "remnote.tags", "remnote.tags-form"];

/// A target file: the reference speaks a contract at one revision, and is judged by another one.
fn target(contract: &str, speaks: u32, judged: u32) -> String {
    let (program, corpora) = (env!("CARGO_BIN_EXE_xtask"), root().join("fixtures").display().to_string());
    let key = format!("{contract}@{speaks}");
    let words = |words: &[&str]| {
        let all = [&[program, "reference"], words, &["--revision", &key]].concat();
        all.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
    };
    let endpoint = |place: &str| format!("[[endpoint]]\ncontract = \"{contract}\"\nrevision = {judged}\n{place}\n");
    let (start, endpoints) = match contract {
        "memory" => {
            let start = format!("start = [{}]\n", words(&["serve", "--port", "{port}", "--corpus", &corpora]));
            let web = [r#"http = "http://127.0.0.1:{port}""#, r#"mcp = { url = "http://127.0.0.1:{port}/mcp" }"#];
            (start, web.map(endpoint).concat())
        }
        "records" => (String::new(), endpoint(&format!("cli = [{}]", words(&["qipu"])))),
        _ => {
            let command = words(&["mcp", "--corpus", &corpora]);
            (String::new(), endpoint(&format!("era = \"legacy\"\nmcp = {{ command = [{command}] }}")))
        }
    };
    format!("name = \"the reference\"\ncorpus = \"loaded\"\n{start}{endpoints}")
}

/// The requirements with this outcome, of a report as JSON.
fn with<'r>(report: &'r Value, outcome: &str) -> BTreeSet<&'r str> {
    let all = report["requirements"].as_array().unwrap().iter().filter(|one| one["outcome"] == outcome);
    all.map(|one| one["requirement"].as_str().unwrap()).collect()
}

/// `violated` binds. `advice` is checked where it is given.
#[track_caller]
fn judge(contract: &str, (speaks, judged): (u32, u32), violated: &[&str], advice: Option<&[&str]>) {
    let place = Script::new("");
    let (file, report) = (place.file("target.toml"), place.file("report.json"));
    fs::write(&file, target(contract, speaks, judged)).unwrap();
    let said = said(xtask(&["verify", "--quiet", "--target"]).arg(&file).arg("--json").arg(&report));
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    assert_eq!(with(&report, "violated"), violated.iter().copied().collect(), "{}{}", said.out, said.err);
    assert_eq!(said.code, Some(i32::from(!violated.is_empty())), "{}{}", said.out, said.err);
    if let Some(advice) = advice {
        assert_eq!(with(&report, "advice"), advice.iter().copied().collect(), "{}", said.out);
    }
}

#[rstest]
#[case::memory_1("memory", 1, 1, &[])]
#[case::memory_2("memory", 2, 2, &[])]
// A server of ADR-017 refuses what ADR-020 allows, and describes itself so.
#[case::memory_before_the_second("memory", 1, 2, &[
    "memory.search-offered", "memory.tool-schema", "memory.tool-top-kc-range", "memory.tool-top-ke-range",
    "memory.top-kc-range", "memory.top-ke-range",
])]
// One of ADR-020 brings more than ADR-017 allows, and describes itself so.
#[case::memory_after_the_first("memory", 2, 1, &[
    "memory.most-contexts", "memory.most-entries", "memory.tool-schema", "memory.tool-top-kc-range",
    "memory.tool-top-ke-range",
])]
#[case::outline_2("outline", 2, 2, &[])]
#[case::outline_before_the_second("outline", 1, 2, &["outline.format-values"])]
#[case::outline_after_the_first("outline", 2, 1, &["outline.format-default", "outline.formats-taken"])]
#[case::outline_before_the_third("outline", 2, 3, &[])]
#[case::outline_after_the_second("outline", 3, 2, &[])]
#[case::records_before_the_second("records", 1, 2, &[])]
#[case::records_after_the_first("records", 2, 1, &[])]
fn the_reference_is_condemned_for_exactly_these(
    #[case] contract: &str,
    #[case] speaks: u32,
    #[case] judged: u32,
    #[case] violated: &[&str],
) {
    judge(contract, (speaks, judged), violated, None);
}

#[rstest]
#[case::nodes_of_a_read_are_missing(1, 2, &["remnote.read-modes"], &["remnote.include-content-enum", "remnote.read-advertises"])]
#[case::nodes_of_a_read_are_more(2, 1, &[], &["remnote.read-no-structured"])]
#[case::tags_are_missing(2, 3, &["remnote.tags"], &["remnote.advertises-tags", "remnote.structured-node-tags-shown"])]
#[case::tags_are_more(3, 2, &[], &["remnote.no-other-fields"])]
#[case::tags_are_names(3, 4, OTHER_TAGS, &["remnote.advertises-tags", "remnote.tag-arguments"])]
#[case::tags_are_rems(4, 3, OTHER_TAGS, &["remnote.tag-arguments"])]
#[case::arguments_are_called_otherwise(4, 5, OTHER_NAMES, &[
    "remnote.advertises-ancestors", "remnote.advertises-pages", "remnote.later-arguments", "remnote.read-arguments",
    "remnote.search-arguments", "remnote.tag-arguments",
])]
#[case::arguments_were_called_otherwise(5, 4, OTHER_NAMES, &[
    "remnote.read-arguments", "remnote.search-arguments", "remnote.tag-arguments",
])]
#[case::scopes_are_missing(5, 6, &["remnote.scope"], &["remnote.scope-argument"])]
#[case::scopes_are_more(6, 5, &[], &[])]
fn a_remnote_server_is_condemned_for_what_differs(
    #[case] speaks: u32,
    #[case] judged: u32,
    #[case] violated: &[&str],
    #[case] advice: &[&str],
) {
    judge("remnote", (speaks, judged), violated, Some(advice));
}

/// A sign that the reference of its revision does not show recognises nobody.
#[test]
fn each_revision_is_recognised_by_its_signs() {
    for contract in testing::contracts() {
        let file = root().join("schemas").join(&contract).join("revisions.json");
        let Ok(text) = fs::read_to_string(file) else { continue };
        let revisions: Value = serde_json::from_str(&text).unwrap();
        for revision in revisions["revisions"].as_array().unwrap() {
            if revision["signs"].as_array().is_none_or(Vec::is_empty) || !revision["unsupported"].is_null() {
                continue;
            }
            let number = u32::try_from(revision["revision"].as_u64().unwrap()).unwrap();
            let place = Script::new("");
            let (path, log) = (place.file("target.toml"), place.file("run.ndjson"));
            let text = target(&contract, number, number).replace(&format!("revision = {number}\n"), "");
            fs::write(&path, text).unwrap();
            // What is recognised is known before the first case.
            let said = said(
                xtask(&["verify", "--quiet", "--case", "no case has this name", "--target"])
                    .arg(&path)
                    .arg("--log")
                    .arg(&log),
            );
            let header = fs::read_to_string(log).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
            let header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
            let key = if number == 1 { contract.clone() } else { format!("{contract}@{number}") };
            let speaks = header["speaks"].as_array().unwrap();
            let is_due = |one: &&Value| one["contract"] == key.as_str() && one["by"] == "recognised";
            assert!(speaks.iter().any(|one| is_due(&one)), "{contract}@{number}: {speaks:?}");
        }
    }
}
