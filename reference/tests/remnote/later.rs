//! What later revisions of the document leave open, and how the reference decides it: views, cursors, references in circles, tags
//! that cannot be shown.

use crate::client::ids;
use crate::corpus::rem;
use crate::support::{corpus, mcp, over};
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A document with two tagged Rems below it, one of them about itself and a Rem that is gone, and the Rem that is the tag.
fn orchard() -> TempDir {
    let rems = [
        rem("orchard", "Orchard", json!({ "kinds": ["document", "concept"], "children": ["pear", "plum"] })),
        rem("pear", "Pear", json!({ "parent": "orchard", "aliases": [["Pyrus"]], "tags": ["ripe", "gone"] })),
        rem(
            "plum",
            "",
            json!({ "parent": "orchard", "text": [{ "rem": "plum" }, " or ", { "rem": "pear" }, { "rem": "no" }] }),
        ),
    ];
    let more = [rem("ripe", "Ripe now", json!({}))];
    let lines = |rems: &[Value]| rems.iter().map(|rem| format!("{rem}\n")).collect::<String>();
    let hits = json!({ "tag": { "ripe": ["pear", "plum", "pear"] } }).to_string();
    let files = [("rems.ndjson", lines(&rems)), ("more.ndjson", lines(&more))];
    let files = [(files[0].0, &*files[0].1), (files[1].0, &*files[1].1), ("more-hits.json", &hits)];
    corpus("remnote", &files)
}

fn client(folder: &TempDir, revision: u32) -> mcp::Client {
    mcp::Client::start(&[over(folder).as_slice(), &["--revision", &format!("remnote@{revision}")]].concat())
}

#[rstest]
#[case::not_yet(2, Value::Null)]
#[case::names(3, json!(["Ripe now"]))]
#[case::rems(4, json!([{ "tagRemId": "ripe", "name": "Ripe now" }]))]
fn a_tag_is_shown_where_a_rem_is_it(#[case] revision: u32, #[case] tags: Value) {
    let folder = orchard();
    assert_eq!(client(&folder, revision).json("remnote_read_note", json!({ "remId": "pear" }))["tags"], tags);
}

#[test]
fn a_compact_view_is_what_every_rem_has() {
    let folder = orchard();
    let asked = json!({ "remId": "pear", "view": "compact", "contentMode": "none" });
    let compact = json!({
        "remId": "pear", "title": "Pear", "headline": "Pear", "remType": "text", "parentRemId": "orchard", "parentTitle": "Orchard"
    });
    assert_eq!(client(&folder, 5).json("remnote_read_note", asked), compact);
}

#[test]
fn what_is_gone_or_closes_a_circle_is_no_reference() {
    let folder = orchard();
    let note = client(&folder, 5).json("remnote_read_note", json!({ "remId": "plum", "ancestorDepth": 5 }));
    assert_eq!(note["title"], "[circular reference] or [[Pear]][deleted reference]");
    assert_eq!(note["inlineRefs"], json!([{ "text": "Pear", "targetRemId": "pear", "kind": "rem" }]));
    assert_eq!(note["ancestors"], json!([{ "remId": "orchard", "title": "Orchard", "remType": "document" }]));
    assert_eq!(note.get("ancestorsTruncated"), None, "all of them are there");
}

#[test]
fn a_tagged_rem_comes_once_with_what_it_stands_for() {
    let folder = orchard();
    let mut client = client(&folder, 5);
    let tagged = client.json("remnote_search_by_tag", json!({ "tagRemId": "ripe", "resultMode": "tagged" }));
    let results = tagged["results"].as_array().unwrap();
    assert_eq!(ids(results), ["pear", "plum"]);
    assert_eq!(
        (&results[0]["contextRemId"], &results[0]["contextReason"]),
        (&json!("orchard"), &json!("ancestor-document"))
    );
    let context = client.json("remnote_search_by_tag", json!({ "tagRemId": "ripe" }));
    assert_eq!(ids(context["results"][0]["matchedRems"].as_array().unwrap()), ["pear", "plum"]);
}

#[rstest]
#[case::of_another_query(json!({ "query": "r" }))]
#[case::of_another_scope(json!({ "query": "", "parentRemId": "orchard" }))]
fn a_cursor_is_good_for_its_search_alone(#[case] other: Value) {
    let folder = orchard();
    let mut client = client(&folder, 6);
    let first = client.json("remnote_search", json!({ "query": "", "limit": 2 }));
    let (mut next, mut other) = (json!({ "query": "", "limit": 2 }), other);
    next["cursor"] = first["nextCursor"].clone();
    other["cursor"] = first["nextCursor"].clone();
    let second = client.json("remnote_search", next);
    assert_eq!((&second["hasMore"], second.get("nextCursor")), (&json!(false), None));
    assert_eq!(second["results"].as_array().unwrap().len(), 2);
    let message = client.refusal("remnote_search", other);
    assert!(message.starts_with("cursor must be one that this search gave"), "{message}");
}

#[test]
fn an_empty_scope_is_refused() {
    let folder = orchard();
    let message = client(&folder, 6).refusal("remnote_search", json!({ "query": "", "parentRemId": "" }));
    assert_eq!(message, "parentRemId must not be empty");
}
