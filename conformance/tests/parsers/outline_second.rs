//! Outlines of the second version of the document: its examples, and where it departs from the first.

use super::{assert_shape, read};
use conformance::format::Parsed;
use rstest::rstest;
use serde_json::{Value, json};

#[test]
fn the_same_data_in_plaintext() {
    let parsed = outline(
        "[R001] (O) Cache invalidation approach\n  Leaning toward events.\n  Need to resolve a question.\n\n  \
         [R002] (O) Redis pub/sub\n    Should we add it?\n\n  [R003] (R) Use both\n    Decided.\n",
    );
    assert_eq!(places(&parsed), [""; 0]);
    assert_eq!(
        rows_of(&parsed, &["id", "state", "summary", "parent"]),
        json!([
            ["R001", "OPEN", "Leaning toward events.\nNeed to resolve a question.", null],
            ["R002", "OPEN", "Should we add it?", "R001"],
            ["R003", "RESOLVED", "Decided.", "R001"]
        ])
    );
}

#[test]
fn the_headings_of_the_overview_count() {
    let text = "## OPEN (3)\n\n[R001] (O+1) Approach\n  Leaning.\n\n[R005] (O) Limits\n  Evaluating.\n\n## LATER (1)\n\n\
                [R010] (L) Benchmarks\n  Blocked.\n\n## RESOLVED (2)\n\n[R003] (R) Use both\n[R015] (R) Approved\n";
    let parsed = outline(text);
    assert_eq!(places(&parsed), [""; 0]);
    let sections = json!([
        { "name": "OPEN", "line": 1, "count": 3 }, { "name": "LATER", "line": 9, "count": 1 },
        { "name": "RESOLVED", "line": 14, "count": 2 }
    ]);
    assert_eq!(parsed.value["sections"], sections);
    assert_eq!(rows_of(&parsed, &["id", "section"])[4], json!(["R015", "RESOLVED"]));
}

#[test]
fn a_deep_tree_says_what_it_hides() {
    let parsed = outline("[R001] (O) Approach\n  ...\n\n  [R002] (O) Redis\n    ...\n    [+2 children]\n");
    assert_eq!(places(&parsed), [""; 0]);
    let rows = json!([["R001", "...", null], ["R002", "...", 2]]);
    assert_eq!(rows_of(&parsed, &["id", "summary", "hidden"]), rows);
    assert_eq!(rows_of(&outline("[R1] (O) A\n  [+1 child]\n"), &["hidden", "summary"]), json!([[1, null]]));
}

#[test]
fn the_envelope_has_a_session_and_a_tick() {
    let parsed = outline("session: sess_abc | tick: 147\n\n[R001] (O) Approach\n  ...\n");
    assert_eq!(places(&parsed), [""; 0]);
    assert_eq!((&parsed.value["session"], &parsed.value["tick"]), (&json!("sess_abc"), &json!(147)));
}

#[test]
fn a_title_stands_as_it_is() {
    for title in ["A [+body]", r"A \[+body]", "B ] and ) and (", "[R9] (O) C"] {
        assert_eq!(rows_of(&outline(&format!("[R1] (O) {title}\n")), &["title"]), json!([[title]]));
    }
}

/// What the first version leaves free, or allows.
#[rstest]
#[case::siblings("[R1] (O) A\n  s\n[R2] (O) B\n", &["blank-line 3:1", "siblings-joined 3:1"])]
#[case::below_a_child("[R1] (O) A\n\n  [R2] (O) B\n    s\n[R3] (O) C\n", &["blank-line 3:1", "blank-line 5:1", "siblings-joined 5:1"])]
#[case::child("[R1] (O) A\n  s\n  [R2] (O) B\n", &["blank-line 3:1"])]
#[case::titles("[R1] (O) A\n[R2] (R) B\n", &[])]
#[case::heading("# OPEN\n\n[R1] (O) A\n", &["section-name 1:1"])]
#[case::uncounted("## OPEN\n\n[R1] (O) A\n", &["section-name 1:1"])]
#[case::roots("## ROOT (1)\n\n[R1] (O) A\n", &["section-name 1:1"])]
#[case::no_blank_line("## OPEN (1)\n[R1] (O) A\n", &["blank-line 2:1"])]
#[case::session_alone("session: a\n\n[R1] (O) A\n", &["preamble 1:1"])]
#[case::hidden_at_the_edge("[+2 children]\n", &["astray 1:1"])]
#[case::json("{\"results\": []}\n", &["json-instead 1:1"])]
fn what_the_second_version_tells(#[case] text: &str, #[case] due: &[&str]) {
    assert_eq!(places(&outline(text)), due);
}

fn outline(text: &str) -> Parsed {
    let parsed = read("outline-2", text);
    assert_shape("outline-2", &parsed);
    parsed
}

fn places(parsed: &Parsed) -> Vec<String> {
    parsed.problems.iter().map(|one| format!("{} {}:{}", one.code, one.line, one.column)).collect()
}

fn rows_of(parsed: &Parsed, fields: &[&str]) -> Value {
    let records = parsed.value["records"].as_array().unwrap().iter();
    records.map(|record| fields.iter().map(|field| record[*field].clone()).collect::<Value>()).collect()
}
