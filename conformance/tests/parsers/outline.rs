//! Outlines: the document's examples, each departure from the exact form with its place, and what a reader undoes.

use super::{assert_shape, read};
use conformance::format::Parsed;
use rstest::rstest;
use serde_json::{Value, json};

/// The example that the document's grammar matches.
const EXAMPLE: &str = "[R001] (O+2) Caching strategy
  How should we implement caching for the API layer?

  [R007] (O) Redis vs Memcached
    Should we use Redis or Memcached?

    [R012] (R) Redis selected
      Chosen for persistence and data structure support.

  [R013] (O) Cache invalidation
    When and how should we invalidate cache entries?
";

#[test]
fn the_example_of_the_appendix() {
    let parsed = outline(EXAMPLE);
    assert_eq!(places(&parsed), [""; 0]);
    let rows = json!([
        ["R001", "OPEN", 2, "Caching strategy", "How should we implement caching for the API layer?", 0, null],
        ["R007", "OPEN", null, "Redis vs Memcached", "Should we use Redis or Memcached?", 1, "R001"],
        ["R012", "RESOLVED", null, "Redis selected", "Chosen for persistence and data structure support.", 2, "R007"],
        ["R013", "OPEN", null, "Cache invalidation", "When and how should we invalidate cache entries?", 1, "R001"],
    ]);
    assert_eq!(rows_of(&parsed, &["id", "state", "open", "title", "summary", "depth", "parent"]), rows);
}

#[test]
fn the_example_with_long_states() {
    let text = "[R001] (OPEN) Caching strategy\n  How should we?\n\n  [R012] (RESOLVED) Redis selected\n    It was.\n";
    let parsed = outline(text);
    assert_eq!(places(&parsed), ["long-state 1:9", "long-state 4:11"]);
    assert_eq!(rows_of(&parsed, &["state"]), json!([["OPEN"], ["RESOLVED"]]));
}

#[test]
fn the_sections_of_the_document() {
    let text = "# OPEN\n[R001] (O) Caching\n  How?\n\n  [R007] (O) Redis\n    Should we?\n\n[R022] (O) Versions\n  \
                How?\n\n# LATER\n[R015] (L) Scale\n  Blocked.\n";
    let parsed = outline(text);
    assert_eq!(places(&parsed), [""; 0]);
    assert_eq!(
        rows_of(&parsed, &["section", "id", "parent"]),
        json!([["OPEN", "R001", null], ["OPEN", "R007", "R001"], ["OPEN", "R022", null], ["LATER", "R015", null]])
    );
    assert_eq!(parsed.value["sections"], json!([{ "name": "OPEN", "line": 1 }, { "name": "LATER", "line": 11 }]));
}

#[test]
fn the_search_result_of_the_document() {
    let parsed = outline("[R007] (O) Redis\n  Should we?\n  > ...considering **Redis** for its features...\n");
    assert_eq!(places(&parsed), [""; 0]);
    let snippets = json!(["...considering **Redis** for its features..."]);
    assert_eq!(rows_of(&parsed, &["summary", "snippets"]), json!([["Should we?", snippets]]));
}

#[test]
fn the_envelope_of_the_document() {
    let parsed = outline("session: sess_abc123\n\n[R001] (O) Caching\n");
    assert_eq!(places(&parsed), [""; 0]);
    assert_eq!(parsed.value["session"], "sess_abc123");
    assert_eq!(places(&outline("session: sess_abc123\n")), [""; 0]);
}

/// What is no outline at all, or breaks what the document fixes.
#[rstest]
#[case::json("{\"results\": []}\n", &["json-instead 1:1"])]
#[case::json_text("\"[R1] (O) A\"\n", &["json-instead 1:1"])]
#[case::empty_list("[]", &["json-instead 1:1"])]
#[case::no_state("[R1] A\n", &["header 1:7"])]
#[case::unknown_state("[R1] (X) A\n", &["state 1:7"])]
#[case::lower_case("[R1] (open) A\n  s\n", &["state 1:7"])]
#[case::open_bracket("[R1 (O) A\n", &["header 1:4"])]
#[case::tab("[R1] (O) A\n\t[R2] (O) B\n", &["tab-indent 2:1"])]
#[case::odd("[R1] (O) A\n   [R2] (O) B\n", &["odd-indent 2:1"])]
#[case::jump("[R1] (O) A\n    [R2] (O) B\n", &["depth-jump 2:1"])]
#[case::prose("Here they are:\n[R1] (O) A\n", &["astray 1:1"])]
#[case::prose_behind("[R1] (O) A\n  s\n\nThat was all.\n", &["astray 4:1"])]
#[case::shallow("[R1] (O) A\n  [R2] (O) B\n  s\n", &["shallow-summary 3:1"])]
#[case::left_edge("[R1] (O) A\nsummary\n\n[R2] (O) B\n", &["shallow-summary 2:1"])]
fn what_binds(#[case] text: &str, #[case] due: &[&str]) {
    assert_eq!(places(&outline(text)), due);
}

/// Form that is only advised.
#[rstest]
#[case::nothing("", &[])]
#[case::two_spaces("[R1]  (O) A\n", &["spacing 1:5"])]
#[case::no_space("[R1](O)A\n", &["spacing 1:5", "spacing 1:8"])]
#[case::kind("[R1] question (O) A\n", &["type-word 1:4"])]
#[case::id("[R.1] (O) A\n", &["id-characters 1:2"])]
#[case::id_hyphen_first("[-a] (O) A\n", &["id-characters 1:2"])]
#[case::id_of_any_kind("[a-b_c] (O) A\n", &[])]
#[case::count_in_words("[R1] (O, 2 open) A\n", &["count-spelling 1:7"])]
#[case::count_of_long_state("[R1] (OPEN+2) A\n", &["long-state 1:7"])]
#[case::no_count("[R1] (O+0) A\n", &["zero-count 1:7"])]
#[case::zeros("[R1] (O+02) A\n", &["count-spelling 1:7"])]
#[case::huge_count("[R1] (O+99999999999999999999) A\n", &["count-spelling 1:7"])]
#[case::no_title("[R1] (O)\n", &["no-title 1:9"])]
#[case::space_at_the_end("[R1] (O) A \n", &["trailing-space 1:11"])]
#[case::carriage_return("[R1] (O) A\r\n", &["carriage-return 1:11"])]
#[case::no_line_end("[R1] (O) A", &["final-line-end 1:11"])]
#[case::two_line_ends("[R1] (O) A\n\n", &["final-line-end 2:1"])]
#[case::bell("[R1] (O) A\u{7}\n", &["control-character 1:11"])]
#[case::deep_summary("[R1] (O) A\n    s\n", &["summary-indent 2:1"])]
#[case::odd_summary("[R1] (O) A\n   s\n", &["summary-indent 2:1"])]
#[case::summary_behind_a_tab("[R1] (O) A\n\ts\n", &["summary-indent 2:1"])]
#[case::odd_snippet("[R1] (O) A\n   > x\n", &["snippet-place 2:1"])]
#[case::footer("[R1] (O) A\n(1 record)\n", &["astray 2:1"])]
#[case::footer_behind_a_blank("[R1] (O) A\n\n(1 record)\n", &["astray 3:1"])]
#[case::id_of_two_words("[q 17] (O) A\n", &["id-characters 1:2"])]
#[case::no_blank_line("[R1] (O) A\n  s\n[R2] (O) B\n", &["blank-line 3:1"])]
#[case::blank_behind_a_header("[R1] (O) A\n\n[R2] (O) B\n", &["blank-line 3:1"])]
#[case::blank_at_the_start("\n[R1] (O) A\n", &["blank-line 2:1"])]
#[case::blank_behind_a_heading("# OPEN\n\n[R1] (O) A\n", &["blank-line 3:1"])]
#[case::blank_in_a_summary("[R1] (O) A\n  s\n\n  t\n", &["blank-line 4:1"])]
#[case::section("# DONE\n[R1] (R) A\n", &["section-name 1:1"])]
#[case::section_mark("## OPEN\n[R1] (O) A\n", &["section-name 1:1"])]
#[case::section_label("children:\n[R1] (O) A\n", &["section-name 1:1", "section-name 1:1"])]
#[case::section_order("# LATER\n[R1] (L) A\n\n# OPEN\n[R2] (O) B\n", &["section-order 4:1"])]
#[case::preamble("success: true\n\n[R1] (O) A\n", &["preamble 1:1"])]
#[case::indented("  [R1] (O) A\n", &["first-indent 1:1"])]
#[case::snippet_first("[R1] (O) A\n  > x\n  s\n", &["snippet-place 3:1"])]
#[case::shallow_snippet("[R1] (O) A\n> x\n", &["snippet-place 2:1"])]
#[case::bracket("[R1] (O) A\n  [sic] so\n", &["bare-structure 2:3"])]
#[case::hash("[R1] (O) A\n  # so\n", &["bare-structure 2:3"])]
fn what_is_advised(#[case] text: &str, #[case] due: &[&str]) {
    assert_eq!(places(&outline(text)), due);
}

#[rstest]
#[case::bracket(r"\[R9] (O) B", "[R9] (O) B")]
#[case::hash(r"\# OPEN", "# OPEN")]
#[case::snippet(r"\> x", "> x")]
#[case::backslash(r"\\ x", r"\ x")]
#[case::two_lines("a\n  b", "a\nb")]
fn a_summary_loses_its_escape(#[case] written: &str, #[case] due: &str) {
    let parsed = outline(&format!("[R1] (O) A\n  {written}\n"));
    assert_eq!(places(&parsed), [""; 0]);
    assert_eq!(parsed.value["records"][0]["summary"], due);
    assert_eq!(parsed.value["records"].as_array().unwrap().len(), 1);
}

#[rstest]
#[case::mark("A [+body]", "A", true)]
#[case::escaped(r"A \[+body]", "A [+body]", false)]
#[case::backslashes(r"A \\[+body]", r"A \[+body]", false)]
#[case::both(r"A \[+body] [+body]", "A [+body]", true)]
#[case::no_space("A[+body]", "A[+body]", false)]
#[case::alone("[+body]", "[+body]", false)]
#[case::structure("[R9] (O) A ] ( \\", "[R9] (O) A ] ( \\", false)]
fn a_title_loses_the_mark_of_a_body(#[case] written: &str, #[case] title: &str, #[case] has_body: bool) {
    let parsed = outline(&format!("[R1] (O) {written}\n"));
    assert_eq!(rows_of(&parsed, &["title", "has_body"]), json!([[title, has_body]]));
}

/// A child whose header cannot be read takes its summary with it.
#[test]
fn one_malformed_header_is_one_problem() {
    let parsed = outline("[R1] (O) A\n  s\n\n[R2] O B\n  t\n\n[R3] (O) C\n");
    assert_eq!(places(&parsed), ["header 4:8"]);
    assert_eq!(rows_of(&parsed, &["id", "summary"]), json!([["R1", "s"], ["R3", null]]));
}

#[test]
fn a_message_says_what_was_due_and_what_came() {
    let parsed = outline("[R1] (X) A\n");
    assert_eq!(parsed.problems[0].message, "expected state, came \"…X) A\"");
    let parsed = outline("[R1] A\n");
    assert_eq!(parsed.problems[0].message, "expected opening_parenthesis, the line ends");
}

/// How an id of two words is written is not said: the record counts.
#[test]
fn a_header_whose_id_has_a_space_begins_a_record() {
    let parsed = outline("[q 17] (O) A\n  s\n\n[R2] (O) B\n");
    assert_eq!(rows_of(&parsed, &["id", "summary"]), json!([["q 17", "s"], ["R2", null]]));
}

/// What stands at the left edge behind the last record is a footer and no summary of it.
#[test]
fn a_footer_is_no_summary() {
    assert_eq!(rows_of(&outline("[R1] (O) A\n(1 record)\n"), &["id", "summary"]), json!([["R1", null]]));
}

/// An overview may be a JSON object with a text for each of its parts.
#[test]
fn outlines_in_a_json_object_are_sections() {
    let text = json!({ "open_records": "[R1] (O) A\n  [R2] (O) B\n", "later_records": "[R3] (L)  C\n", "count": 3 });
    let parsed = outline(&text.to_string());
    let rows = rows_of(&parsed, &["section", "id", "parent"]);
    let mut rows: Vec<Value> = rows.as_array().unwrap().clone();
    rows.sort_by_key(|row| row[1].to_string());
    assert_eq!(json!(rows), json!([["OPEN", "R1", null], ["OPEN", "R2", "R1"], ["LATER", "R3", null]]));
    assert_eq!(places(&parsed), ["json-instead 1:1", "spacing 1:1"]);
    assert_eq!(parsed.problems[1].message, "line 1, column 9 of `later_records`: expected one space, came \"  \"");
}

fn outline(text: &str) -> Parsed {
    let parsed = read("outline", text);
    assert_shape("outline", &parsed);
    parsed
}

fn places(parsed: &Parsed) -> Vec<String> {
    parsed.problems.iter().map(|problem| format!("{} {}:{}", problem.code, problem.line, problem.column)).collect()
}

/// Some fields of each record.
fn rows_of(parsed: &Parsed, fields: &[&str]) -> Value {
    let row = |record: &Value| fields.iter().map(|field| record[*field].clone()).collect::<Value>();
    parsed.value["records"].as_array().unwrap().iter().map(row).collect()
}
