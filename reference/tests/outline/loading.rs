//! What no store can be made of is said with its line.

use crate::client::record;
use crate::support::{corpus, ended, over, refused};
use rstest::rstest;
use serde_json::json;

#[rstest]
#[case::state(json!({ "id": "a", "state": "DONE" }), "unknown variant `DONE`")]
#[case::id(json!({ "id": "a b" }), "\"a b\" is no id; it has letters, digits, - and _, a letter or digit first")]
#[case::id_hyphen_first(json!({ "id": "-a" }), "is no id")]
#[case::twice(json!({ "id": "first" }), "line 1 has the id first too")]
#[case::misspelt(json!({ "id": "a", "sumary": "s" }), "unknown field `sumary`")]
fn a_line_that_is_no_record_is_named(#[case] second: serde_json::Value, #[case] due: &str) {
    let lines = format!("{}\n{}\n", record(json!({ "id": "first" })), record(second));
    let message = refused(&["mcp"], &corpus("outline", &[("records.ndjson", &lines)]));
    assert!(message.contains("line 2 of") && message.contains(due), "{message}");
}

#[test]
fn a_sound_store_is_loaded() {
    let line = record(json!({ "id": "a", "parent_id": "gone" })).to_string();
    let output = ended(&[&["mcp"], over(&corpus("outline", &[("records.ndjson", &line)])).as_slice()].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
