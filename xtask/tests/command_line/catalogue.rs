//! `list` and `explain`: what people learn of a requirement.

use crate::xtask;
use insta::assert_snapshot;
use rstest::rstest;
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;
use testing::said;

#[rstest]
#[case::of_a_case("recall.start-time-required")]
#[case::of_every_exchange("recall.limit-page-size")]
#[case::of_a_transport("mcp.envelope")]
#[case::of_a_walk("recall.walk-complete")]
#[case::that_only_advises("recall.q-all-words")]
#[case::of_clients("client.tool-name-start")]
fn a_requirement_explained(#[case] id: &str) {
    let said = said(&mut xtask(&["explain", id]));
    assert_eq!(said.code, Some(0), "{}", said.err);
    // Live calls ask for windows that end now; the corpus is from 2023.
    let now = regex::Regex::new(r#""end_time":(17[5-9]\d{7}|1[89]\d{8}|[2-9]\d{9})(?:\.\d+)?"#).unwrap();
    assert_snapshot!(id, now.replace_all(&without_names(&said.out), r#""end_time":"now""#));
}

/// An explanation without the names of the legal answers that pass as before, which grow with the suite.
fn without_names(text: &str) -> String {
    let mut kept = String::new();
    for part in text.split_inclusive("\n\n") {
        match part.split_once(", with every check as before: ") {
            Some((head, names)) => {
                assert!(!names.trim().is_empty(), "{text}");
                kept += &format!("{head}, with every check as before: …\n\n");
            }
            None => kept += part,
        }
    }
    kept
}

#[test]
fn every_requirement_is_explained_with_a_sentence_a_check_and_a_way_to_judge_by_it() {
    let listed: Value = serde_json::from_str(&said(&mut xtask(&["list", "--format", "json"])).out).unwrap();
    let transports = ["cli", "http", "mcp", "client"].map(str::to_owned);
    for prefix in testing::contracts().into_iter().chain(transports) {
        let its = |row: &&Value| row["requirement"]["id"].as_str().unwrap().starts_with(&format!("{prefix}."));
        let row = listed.as_array().unwrap().iter().find(its).unwrap();
        let id = row["requirement"]["id"].as_str().unwrap();
        let said = said(&mut xtask(&["explain", "--no-example", id]));
        assert_eq!(said.code, Some(0), "{}", said.err);
        for part in ["How it is checked\n  ", "Judge by it alone\n  cargo xtask verify "] {
            assert!(said.out.contains(part), "{part}\n{}", said.out);
        }
    }
}

#[rstest]
#[case::level(&["recall", "--level", "should"], "should")]
#[case::origin(&["recall", "--origin", "decided"], "decided")]
#[case::clients(&["client", "--origin", "clients"], "clients")]
fn a_list_is_filtered(#[case] filter: &[&str], #[case] due: &str) {
    let said = said(&mut xtask(&[&["list"], filter, &["--format", "json"]].concat()));
    let rows: Value = serde_json::from_str(&said.out).unwrap();
    let rows = rows.as_array().unwrap();
    let is_so = |row: &Value| row["requirement"]["level"] == due || row["requirement"]["origin"] == due;
    assert!(!rows.is_empty() && rows.iter().all(is_so), "{}", said.out);
    assert!(rows.iter().all(|row| row["requirement"]["id"].as_str().unwrap().starts_with(&format!("{}.", filter[0]))));
}

#[rstest]
#[case::section(&["--section", "Parmeters"], "no requirement is so; did you mean `Parameters")]
#[case::words(&["--find", "gramophone"], "no requirement is so")]
fn a_list_of_nothing_is_no_success(#[case] filter: &[&str], #[case] due: &str) {
    let said = said(&mut xtask(&[&["list", "recall"], filter].concat()));
    assert_eq!((said.code, said.out.as_str()), (Some(5), ""));
    assert!(said.err.contains(due), "{}", said.err);
}

#[rstest]
#[case::near("recall.start-time-requird", "did you mean `recall.start-time-required`?")]
#[case::far("xyzzy", "unknown requirement `xyzzy`")]
fn an_unknown_requirement(#[case] id: &str, #[case] due: &str) {
    let said = said(&mut xtask(&["explain", id]));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains(due), "{}", said.err);
}

#[rstest]
#[case::list(&["list"])]
#[case::coverage(&["coverage", "-v"])]
fn who_stops_reading_has_read_enough(#[case] arguments: &[&str]) {
    let mut child = xtask(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[rstest]
#[case::by_option(&["memory", "--revision", "memory@2"])]
#[case::by_name(&["memory@2"])]
fn a_contract_is_explained_at_a_revision(#[case] arguments: &[&str]) {
    let explained = said(xtask(&["explain"]).args(arguments));
    assert_eq!(explained.code, Some(0), "{}", explained.err);
    assert!(explained.out.starts_with("memory, revision 2: "), "{}", explained.out);
    assert!(
        explained.out.contains("integer 0 to 25") && !explained.out.contains("integer 0 to 10"),
        "{}",
        explained.out
    );
    let listed = |words: &[&str]| said(xtask(&["list", "--find", "most-entries"]).args(words)).out;
    assert!(listed(arguments).contains("more than 25 entries"), "{}", listed(arguments));
}

/// The names of documents that amend one another tell their sections apart.
#[test]
fn the_sections_of_an_amendment_are_covered() {
    let said = said(&mut xtask(&["coverage", "memory@2"]));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    for section in ["ADR-020, Decision", "ADR-020, Usage Recommendations", "ADR-017, Request Structure"] {
        assert!(said.out.contains(section), "{section}: {}", said.out);
    }
    assert!(!said.out.contains("NOTHING") && !said.out.contains("memory: "), "{}", said.out);
}
