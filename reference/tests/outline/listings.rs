//! Lists and overviews: the exact form, sessions, and summaries that are cut.

use crate::client::{Client, record};
use rstest::rstest;
use serde_json::{Value, json};

const LIST: &str = "list_records";
const OVERVIEW: &str = "get_project_overview";

/// A root with children in every state, one of which has a body and a child.
fn project() -> Vec<Value> {
    vec![
        record(json!({ "id": "a", "title": "Root", "summary": "The first." })),
        record(json!({ "id": "b", "title": "Done", "state": "RESOLVED", "parent_id": "a", "body": "Text." })),
        record(json!({ "id": "c", "title": "Next", "summary": "The second.\n\nThe third.", "parent_id": "b" })),
        record(json!({ "id": "d", "title": "Not now", "state": "LATER", "parent_id": "a" })),
        record(json!({ "id": "e", "title": "No", "state": "DISCARDED", "parent_id": "a" })),
    ]
}

const COMPACT: &str = "[a] (O) Root
  The first.

  [b] (R+1) Done [+body]
    [c] (O) Next
      The second.
      The third.

  [d] (L) Not now
  [e] (D) No
";
const MINIMAL: &str = "[a] (O) Root
  [b] (R) Done
    [c] (O) Next
  [d] (L) Not now
  [e] (D) No
";

#[rstest]
#[case::default(json!({}), COMPACT)]
#[case::compact(json!({ "format": "compact" }), COMPACT)]
#[case::minimal(json!({ "format": "minimal" }), MINIMAL)]
fn a_list_has_the_exact_form(#[case] arguments: Value, #[case] due: &str) {
    assert_eq!(Client::of(&project()).outline(LIST, arguments), due);
}

#[test]
fn an_overview_has_sections() {
    let mut client = Client::of(&project());
    let compact = "# ROOT\n[a] (O) Root\n  The first.\n\n# OPEN\n[a] (O) Root\n  The first.\n\n[c] (O) Next\n  The second.\n  \
                   The third.\n\n# LATER\n[d] (L) Not now\n";
    assert_eq!(client.outline(OVERVIEW, json!({})), compact);
    let minimal = "# ROOT\n[a] (O) Root\n\n# OPEN\n[a] (O) Root\n[c] (O) Next\n\n# LATER\n[d] (L) Not now\n";
    assert_eq!(client.outline(OVERVIEW, json!({ "format": "minimal" })), minimal);
}

#[test]
fn sections_without_records_are_left_out() {
    let records = [record(json!({ "id": "a", "state": "LATER" }))];
    assert_eq!(Client::of(&records).outline(OVERVIEW, json!({})), "# ROOT\n[a] (L) T\n\n# LATER\n[a] (L) T\n");
}

#[test]
fn full_answers_have_the_keys_of_the_document_in_its_order() {
    let mut client = Client::of(&project());
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let list = client.json(LIST, json!({ "format": "full" }));
    assert_eq!(keys(&list), ["results"]);
    let reference = ["id", "type", "title", "summary", "state", "parent_id", "children_count", "open_children_count"];
    assert_eq!(keys(&list["results"][0]), reference);
    let overview = client.json(OVERVIEW, json!({ "format": "full" }));
    assert_eq!(keys(&overview), ["root_records", "open_records", "later_records"]);
}

#[test]
fn no_records_are_an_empty_text() {
    let mut client = Client::of(&[]);
    for tool in [LIST, OVERVIEW] {
        assert_eq!(client.outline(tool, json!({})), "");
        assert_eq!(client.outline(tool, json!({ "session_id": "s 1" })), "session: s 1\n");
    }
    assert_eq!(client.json(LIST, json!({ "format": "full" })), json!({ "results": [] }));
}

#[test]
fn a_session_stands_in_the_first_line() {
    let mut client = Client::of(&project());
    let with_session = |format: &str| json!({ "session_id": "sess_abc123", "format": format });
    assert_eq!(client.outline(LIST, with_session("compact")), format!("session: sess_abc123\n\n{COMPACT}"));
    assert_eq!(client.outline(LIST, with_session("minimal")), format!("session: sess_abc123\n\n{MINIMAL}"));
    assert!(client.outline(OVERVIEW, with_session("compact")).starts_with("session: sess_abc123\n\n# ROOT\n"));
}

/// Forty-nine and fifty characters fit into fifty, fifty-one do not; an escape does not count.
#[rstest]
#[case(49, 50, 49)]
#[case(50, 50, 50)]
#[case(51, 50, 50)]
#[case(51, 49, 49)]
#[case(5, 4, 4)]
fn a_summary_is_cut_where_the_caller_asks(#[case] length: usize, #[case] limit: usize, #[case] shown: usize) {
    for first in ["a", "["] {
        let summary = format!("{first}{}", "b".repeat(length - 1));
        let mut client = Client::of(&[record(json!({ "id": "a", "summary": summary }))]);
        let text = client.outline(LIST, json!({ "summary_limit": limit }));
        let line = text.lines().nth(1).unwrap().trim_start().trim_start_matches('\\').to_owned();
        assert_eq!(line.chars().count(), shown, "{line}");
        assert_eq!(line.ends_with("..."), length > limit);
        assert_eq!(client.outline(LIST, json!({})).lines().nth(1).unwrap().trim_start_matches([' ', '\\']), summary);
    }
}

#[test]
fn a_cut_falls_between_words() {
    let mut client = Client::of(&[record(json!({ "id": "a", "summary": "One two\nthree four" }))]);
    assert_eq!(client.outline(LIST, json!({ "summary_limit": 17 })), "[a] (O) T\n  One two\n  three...\n");
    assert_eq!(client.outline(LIST, json!({ "summary_limit": 18 })), "[a] (O) T\n  One two\n  three four\n");
}

#[test]
fn trees_come_as_the_store_has_them_whatever_it_has() {
    let child = |id: &str, parent: &str| record(json!({ "id": id, "parent_id": parent }));
    let records = [
        child("late", "root"),
        child("k2", "k1"),
        child("k1", "k3"),
        child("k3", "k2"),
        child("of-k", "k1"),
        child("waif", "gone"),
        record(json!({ "id": "root" })),
        child("own", "own"),
        child("later", "late"),
    ];
    let text = Client::of(&records).outline(LIST, json!({ "format": "minimal" }));
    let due = "[k2] (O) T\n  [k3] (O) T\n    [k1] (O) T\n      [of-k] (O) T\n[waif] (O) T\n\
               [root] (O) T\n  [late] (O) T\n    [later] (O) T\n[own] (O) T\n";
    assert_eq!(text, due);
}

#[test]
fn a_tree_may_be_deep() {
    let record_at = |at: usize| {
        let parent = (at > 0).then(|| format!("r{}", at - 1));
        record(json!({ "id": format!("r{at}"), "parent_id": parent }))
    };
    let records: Vec<Value> = (0..2_000).map(record_at).collect();
    let text = Client::of(&records).outline(LIST, json!({ "format": "minimal" }));
    assert_eq!(text.lines().last().unwrap(), format!("{}[r1999] (O) T", "  ".repeat(1_999)));
}
