//! Listing tools, and tools that are missing or are not those of the contract.

use super::talk::{assert_failed, assert_fine, codes, find, tools};
use super::ways::{Answers, Way};
use conformance::model::{Failure, Status};
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A page of `tools/list` with one tool.
fn page(tool: &str, next: Option<Value>) -> Value {
    let mut result = json!({ "tools": [{ "name": tool, "inputSchema": { "type": "object" } }], "_meta": { "x": 1 } });
    if let Some(next) = next {
        result["nextCursor"] = next;
    }
    json!({ "result": result })
}

fn pages<const N: usize>(pages: [(&str, Value); N]) -> Answers {
    let list = pages.into_iter().map(|(cursor, page)| (cursor.to_owned(), page)).collect();
    Answers { list, ..Answers::default() }
}

#[rstest]
fn a_list_comes_as_it_is(#[values(Way::Stdio, Way::Web)] way: Way) {
    let reply = Answers::default().over(way).list();
    assert_eq!((reply.status, codes(&reply)), (Status::Accepted, Vec::new()));
    assert_eq!(reply.answer["body"], tools());
    assert_eq!(reply.answer["initialize"]["serverInfo"]["name"], "test");
}

#[rstest]
fn every_page_is_read(#[values(Way::Stdio, Way::Web)] way: Way) {
    let talk = pages([
        ("", page("one", Some(json!("2")))),
        ("2", page("two", Some(json!("3")))),
        ("3", page("find", Some(json!(null)))),
    ])
    .over(way);
    let reply = talk.list();
    assert_eq!((reply.status, codes(&reply)), (Status::Accepted, Vec::new()));
    let names: Vec<&Value> =
        reply.answer["body"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["one", "two", "find"]);
    assert_eq!(reply.answer["pages"][2]["_meta"]["x"], 1);
    assert_fine(&talk.find());
}

#[rstest]
#[case::itself([("", page("find", Some(json!("2")))), ("2", page("two", Some(json!("2")))), ("3", json!({}))], 2)]
#[case::in_a_circle([("", page("find", Some(json!("2")))), ("2", page("two", Some(json!("3")))), ("3", page("three", Some(json!("2"))))], 3)]
fn a_cursor_that_comes_again(
    #[case] list: [(&str, Value); 3],
    #[case] came: usize,
    #[values(Way::Stdio, Way::Web)] way: Way,
) {
    let talk = pages(list).over(way);
    // The first call hears of the list that was read in the beginning.
    let reply = talk.find();
    assert_eq!((reply.status, codes(&reply)), (Status::Accepted, vec!["cursor"]));
    let reply = talk.list();
    assert_eq!((reply.status, codes(&reply)), (Status::Accepted, vec!["cursor"]));
    assert_eq!(reply.answer["pages"].as_array().unwrap().len(), came);
}

#[test]
fn cursors_without_end() {
    let list: BTreeMap<String, Value> = (0..1000)
        .map(|at| if at == 0 { String::new() } else { at.to_string() })
        .zip(1..)
        .map(|(cursor, next): (String, i32)| (cursor, page("find", Some(json!(next.to_string())))))
        .collect();
    let reply = Answers { list, ..Answers::default() }.over(Way::Web).list();
    assert_eq!(codes(&reply), ["cursor", "cursor"], "of the beginning, and of this list");
    assert_eq!(reply.answer["pages"].as_array().unwrap().len(), 100);
}

#[rstest]
#[case::an_error(json!({ "error": { "code": -32603, "message": "no database" } }), "no database")]
#[case::no_method(json!({ "error": { "code": -32601, "message": "Method not found" } }), "Method not found")]
#[case::nothing(json!({ "result": {} }), "{}")]
#[case::no_object(json!({ "result": [] }), "[]")]
#[case::tools_that_are_no_list(json!({ "result": { "tools": { "find": {} } } }), "find")]
fn a_list_that_is_none(#[case] list: Value, #[case] words: &str, #[values(Way::Stdio, Way::Web)] way: Way) {
    let talk = Answers::list(list).over(way);
    let reply = talk.list();
    let failure = assert_failed(&reply);
    assert!(failure.contains("tools/list") && failure.contains(words), "{failure}");
    assert_eq!(reply.answer["body"], Value::Null);
    // Whether it has the tool is not known, so it is asked.
    assert_fine(&talk.find());
}

#[rstest]
#[case::no_tools(json!([]))]
#[case::other_tools(json!([{ "name": "Find" }, { "name": "find_notes" }, { "name": 7 }, "find", null, {}]))]
fn a_tool_that_is_missing(#[case] tools: Value, #[values(Way::Stdio, Way::Web)] way: Way) {
    let talk = Answers::list(json!({ "result": { "tools": tools } })).over(way);
    let reply = talk.find();
    assert_eq!(reply.status, Status::Failed);
    assert_eq!(reply.raw.failure, Some(Failure::NoSuchTool("find".to_owned())));
    assert_eq!(reply.request.sent, Value::Null, "nothing is asked of it");
    assert_eq!(talk.list().answer["body"]["tools"], tools);
}

/// A tool whose input schema has these properties.
fn takes(properties: Value) -> Answers {
    let schema = json!({ "type": "object", "properties": properties });
    Answers::list(json!({ "result": { "tools": [{ "name": "find", "inputSchema": schema }] } }))
}

#[rstest]
#[case::other_names(json!({ "query": {}, "max": {}, "note_id": {} }), &["limit", "max"])]
#[case::our_name_for_it(json!({ "query": {}, "limit": {}, "noteId": {} }), &["note_id", "noteId"])]
#[case::every_name(json!({ "q": {}, "n": {} }), &["query, limit, note_id", "q, n"])]
fn a_tool_of_another_revision(
    #[case] properties: Value,
    #[case] names: &[&str],
    #[values(Way::Stdio, Way::Web)] way: Way,
) {
    let reply = takes(properties).over(way).find();
    let Some(Failure::NotAsked(why)) = &reply.raw.failure else { panic!("it was asked: {reply:?}") };
    for name in names {
        assert!(why.contains(name), "{name} is not in {why}");
    }
}

#[rstest]
#[case::more_than_ours(json!({ "query": {}, "limit": {}, "note_id": {}, "more": {} }))]
#[case::less_than_ours(json!({ "query": {} }))]
#[case::none(json!({}))]
#[case::no_properties(json!(null))]
#[case::properties_that_are_none(json!(["query"]))]
fn a_tool_of_this_revision(#[case] properties: Value, #[values(Way::Stdio, Way::Web)] way: Way) {
    assert_fine(&takes(properties).over(way).find());
}

#[test]
fn arguments_go_by_the_names_of_the_tool() {
    let reply = Answers::default().over(Way::Web).ask(&find(), json!({ "noteId": "x", "query": "a" })).unwrap();
    assert_eq!(reply.request.sent["message"]["params"]["arguments"], json!({ "note_id": "x", "query": "a" }));
}
