//! Corpora that cannot be loaded, and those that are not there.

use crate::corpus::{folder, rem};
use crate::support::{corpus, ended, over, refused};
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
#[case::no_text(json!([{ "id": "a", "text": [] }, { "id": "b" }]), "line 2 of", "missing field `text`")]
#[case::unknown_member(json!([{ "id": "a", "text": [], "colour": 1 }]), "line 1 of", "unknown field `colour`")]
#[case::kind(json!([{ "id": "a", "text": [], "kinds": ["Concept"] }]), "line 1 of", "unknown variant `Concept`")]
#[case::piece(json!([{ "id": "a", "text": [{ "bald": true }] }]), "line 1 of", "rich text: unknown field `bald`")]
#[case::two_in_one(json!([{ "id": "a", "text": [{ "text": "a", "rem": "a" }] }]), "line 1 of", "exactly one of")]
#[case::no_piece(json!([{ "id": "a", "text": [{ "bold": true }] }]), "line 1 of", "exactly one of")]
#[case::twice(json!([{ "id": "a", "text": [] }, { "id": "a", "text": [] }]), "line 2 of", "line 1 has the id \"a\" too")]
#[case::parent(json!([{ "id": "a", "text": [], "parent": "x" }]), "line 1 of", "parent or child \"x\" is not there")]
#[case::child(json!([{ "id": "a", "text": [], "children": ["x"] }]), "line 1 of", "parent or child \"x\" is not there")]
fn a_line_that_is_no_rem_is_named(#[case] rems: Value, #[case] place: &str, #[case] problem: &str) {
    let corpus = folder(rems.as_array().unwrap(), &json!({}));
    for command in [["mcp"].as_slice(), &["serve", "--port", "0"], &["bridge", "--connect", "ws://127.0.0.1:9"]] {
        let message = refused(command, &corpus);
        for part in [place, "rems.ndjson", problem] {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[rstest]
#[case::not_json("{", "hits.json cannot be used")]
#[case::unknown_member("{\"serach\": {}}", "unknown field `serach`")]
#[case::unknown_hit("{\"search\": {\"q\": [\"a\", \"x\"]}}", "records \"x\" as a hit for \"q\"")]
fn hits_that_cannot_be_used_are_named(#[case] hits: &str, #[case] problem: &str) {
    let rem = rem("a", "a", json!({})).to_string();
    let message = loading(&[("rems.ndjson", &rem), ("hits.json", hits)]);
    assert!(message.contains(problem), "{message}");
}

#[test]
fn a_folder_without_rems_is_no_corpus_and_one_without_hits_is() {
    let rem = rem("a", "a", json!({})).to_string();
    let without_hits = corpus("remnote", &[("rems.ndjson", &rem)]);
    assert_eq!(ended(&[&["mcp"], over(&without_hits).as_slice()].concat()).status.code(), Some(0));
    let message = loading(&[("hits.json", "{}")]);
    assert!(message.contains("could not read"), "{message}");
}

/// What the program says of files that it cannot load.
fn loading(files: &[(&str, &str)]) -> String {
    refused(&["mcp"], &corpus("remnote", files))
}
