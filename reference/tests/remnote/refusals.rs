//! Which arguments are refused, and what is said then.

use crate::client::Client;
use crate::corpus::garden;
use rstest::rstest;
use serde_json::{Value, json};

const SEARCH: &str = "remnote_search";
const BY_TAG: &str = "remnote_search_by_tag";
const READ: &str = "remnote_read_note";

#[rstest]
#[case::no_query(SEARCH, json!({}), "query is required: what to look for")]
#[case::query_type(SEARCH, json!({ "query": 1 }), "query must be a string, got 1")]
#[case::query_null(SEARCH, json!({ "query": null }), "query must be a string, got null")]
#[case::no_tag(BY_TAG, json!({ "query": "x" }), "\"query\" is no argument of this tool; it takes tag, limit, \
    includeContent, depth, childLimit, maxContentLength")]
#[case::tag_missing(BY_TAG, json!({}), "tag is required: the tag to look for")]
#[case::tag_blank(BY_TAG, json!({ "tag": " \t" }), "tag must name a tag, got \"\"")]
#[case::tag_hash(BY_TAG, json!({ "tag": " # " }), "tag must name a tag, got \"#\"")]
#[case::no_id(READ, json!({}), "remId is required: the id of a Rem")]
#[case::id_type(READ, json!({ "remId": ["apple"] }), "remId must be a string, got [\"apple\"]")]
#[case::id_unknown(READ, json!({ "remId": "pear" }), "remId must be the id of a Rem; no Rem has the id \"pear\"")]
#[case::id_empty(READ, json!({ "remId": "" }), "remId must be the id of a Rem; no Rem has the id \"\"")]
#[case::limit_of_read(READ, json!({ "remId": "apple", "limit": 1 }), "\"limit\" is no argument of this tool; it takes \
    remId, includeContent, depth, childLimit, maxContentLength")]
#[case::old_boolean(SEARCH, json!({ "query": "", "includeContent": true }),
    "includeContent must be one of \"none\", \"markdown\", \"structured\", got true")]
#[case::old_boolean_read(READ, json!({ "remId": "apple", "includeContent": false }),
    "includeContent must be one of \"none\", \"markdown\", got false")]
#[case::structured_read(READ, json!({ "remId": "apple", "includeContent": "structured" }),
    "includeContent must be one of \"none\", \"markdown\", got \"structured\"")]
#[case::mode_case(SEARCH, json!({ "query": "", "includeContent": "Markdown" }),
    "includeContent must be one of \"none\", \"markdown\", \"structured\", got \"Markdown\"")]
#[case::fraction(SEARCH, json!({ "query": "", "limit": 1.5 }), "limit must be an integer from 1 to 150, got 1.5")]
#[case::text(SEARCH, json!({ "query": "", "limit": "5" }), "limit must be an integer from 1 to 150, got \"5\"")]
#[case::null(SEARCH, json!({ "query": "", "depth": null }), "depth must be an integer from 0 to 10, got null")]
#[case::huge(SEARCH, json!({ "query": "", "depth": 1e300 }), "depth must be an integer from 0 to 10, got 1e+300")]
#[case::negative(SEARCH, json!({ "query": "", "depth": -1 }), "depth must be an integer from 0 to 10, got -1")]
fn a_refusal_names_the_argument(#[case] tool: &str, #[case] arguments: Value, #[case] message: &str) {
    assert_eq!(Client::of(&garden()).refusal(tool, arguments), message);
}

#[rstest]
#[case::search(SEARCH, json!({ "query": "" }))]
#[case::by_tag(BY_TAG, json!({ "tag": "fruit" }))]
#[case::read(READ, json!({ "remId": "apple" }))]
fn the_advertised_ranges_are_those_that_are_kept(#[case] tool: &str, #[case] required: Value) {
    let mut client = Client::of(&garden());
    let schema = client.tool(tool)["inputSchema"].take();
    let defaults = client.json(tool, required.clone());
    let with = |name: &str, value: Value| {
        let mut arguments = required.clone();
        arguments[name] = value;
        arguments
    };
    let mut integers = 0;
    for (name, property) in schema["properties"].as_object().unwrap() {
        if property["type"] == "integer" {
            let bound = |which: &str| property[which].as_i64().unwrap();
            let (least, most) = (bound("minimum"), bound("maximum"));
            for value in [least, most] {
                client.json(tool, with(name, json!(value)));
            }
            for value in [least - 1, most + 1] {
                let message = client.refusal(tool, with(name, json!(value)));
                assert_eq!(message, format!("{name} must be an integer from {least} to {most}, got {value}"));
            }
            integers += 1;
        }
        if let Some(default) = property.get("default") {
            assert_eq!(client.json(tool, with(name, default.clone())), defaults, "{name}");
        }
        for value in property["enum"].as_array().into_iter().flatten() {
            client.json(tool, with(name, value.clone()));
        }
    }
    assert_eq!(integers, if tool == READ { 3 } else { 4 });
}

#[test]
fn a_message_does_not_repeat_all_of_a_long_value() {
    let mut client = Client::of(&garden());
    let message = client.refusal(READ, json!({ "remId": "é".repeat(10_000) }));
    assert!(message.chars().count() < 200, "{message}");
    let message = client.refusal(SEARCH, json!({ "query": "", "x".repeat(10_000): 1 }));
    assert!(message.chars().count() < 200, "{message}");
}
