//! The second version of the document, as `--revision outline@2` speaks it: what the decisions say of the reference alone.

use crate::client::{Client, record};
use serde_json::{Value, json};

fn client() -> Client {
    Client::speaking(
        2,
        &[
            record(json!({ "id": "a", "title": "Ends in [+body]", "summary": "One.\nTwo.", "body": "Text." })),
            record(json!({ "id": "b", "parent_id": "a", "state": "RESOLVED", "summary": "Done." })),
            record(json!({ "id": "c", "state": "LATER" })),
            record(json!({ "id": "d", "state": "DISCARDED" })),
        ],
    )
}

#[test]
fn titles_stand_as_they_are_and_nothing_marks_a_body() {
    let text = client().outline("list_records", json!({}));
    assert_eq!(text, "[a] (O) Ends in [+body]\n  One.\n  Two.\n\n  [b] (R) T\n    Done.\n\n[c] (L) T\n[d] (D) T\n");
}

#[test]
fn headings_count_and_stand_above_a_blank_line() {
    let text = client().outline("get_project_overview", json!({}));
    let due = "## OPEN (1)\n\n[a] (O) Ends in [+body]\n  One.\n  Two.\n\n## LATER (1)\n\n[c] (L) T\n\n\
               ## RESOLVED (1)\n\n[b] (R) T\n  Done.\n";
    assert_eq!(text, due);
}

#[test]
fn a_tick_stands_behind_its_session() {
    let mut client = client();
    let text = client.outline("search_records", json!({ "query": "Two", "session_id": "s1", "tick": 147 }));
    assert!(text.starts_with("session: s1 | tick: 147\n\n[a] "), "{text}");
    for refused in [json!({ "tick": 1 }), json!({ "session_id": "s1", "tick": -1 }), json!({ "summary_limit": 50 })] {
        client.refusal("list_records", refused);
    }
}

#[test]
fn a_format_is_json_or_outline() {
    let mut client = client();
    assert_eq!(client.json("list_records", json!({ "format": "json" }))["results"].as_array().map(Vec::len), Some(4));
    let outline = client.outline("list_records", json!({ "format": "outline" }));
    assert_eq!(outline, client.outline("list_records", json!({})));
    for gone in ["full", "compact", "minimal"] {
        client.refusal("list_records", json!({ "format": gone }));
    }
}

#[test]
fn the_outlines_of_a_bundle_have_all_summaries() {
    let bundle = client().json("activate", json!({ "id": "a" }));
    assert_eq!(bundle["children"]["other"], Value::from("[b] (R) T\n  Done.\n"));
}
