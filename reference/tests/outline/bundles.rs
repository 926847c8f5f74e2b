//! Activation: what comes in full, and what as an outline.

use crate::client::{Client, record};
use serde_json::json;

#[test]
fn a_bundle_keeps_summaries_for_what_is_open() {
    let records = [
        record(json!({ "id": "p", "title": "Parent", "body": "Text." })),
        record(json!({ "id": "t", "parent_id": "p", "summary": "s" })),
        record(json!({ "id": "o", "parent_id": "t", "summary": "s" })),
        record(json!({ "id": "l", "parent_id": "t", "summary": "s", "state": "LATER", "body": "b" })),
        record(json!({ "id": "g", "parent_id": "l", "summary": "s" })),
        record(json!({ "id": "h", "parent_id": "o", "summary": "s", "state": "RESOLVED" })),
    ];
    let bundle = Client::of(&records).json("activate", json!({ "id": "t" }));
    assert_eq!(bundle["target"]["id"], "t");
    assert_eq!((&bundle["parent"]["body"], &bundle["target"]["body"]), (&json!("Text."), &json!("")));
    assert_eq!(bundle["children"]["open"][0]["open_children_count"], 0);
    assert_eq!(bundle["children"]["other"], "[l] (L+1) T [+body]\n");
    assert_eq!(bundle["grandchildren"], "[h] (R) T\n[g] (O) T\n  s\n");
}

#[test]
fn a_record_alone_has_nothing_around_it() {
    let bundle = Client::of(&[record(json!({ "id": "a" }))]).json("activate", json!({ "id": "a" }));
    assert_eq!((&bundle["parent"], &bundle["grandchildren"]), (&json!(null), &json!("")));
    assert_eq!(bundle["children"], json!({ "open": [], "other": "" }));
}
