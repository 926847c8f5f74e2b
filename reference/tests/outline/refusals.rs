//! Which arguments are refused, and what is said then.

use crate::client::{Client, record};
use rstest::rstest;
use serde_json::{Value, json};

const LIST: &str = "list_records";
const SEARCH: &str = "search_records";
const LIMIT: &str = "summary_limit must be an integer from 4 to 1000, got ";
const SESSION: &str = "session_id must be a string of one line, not blank, got ";
const FORMAT: &str = "format must be \"full\", \"compact\" or \"minimal\", got ";

#[rstest]
#[case::format(LIST, json!({ "format": "yaml" }), format!("{FORMAT}\"yaml\""))]
#[case::format_case(LIST, json!({ "format": "Full" }), format!("{FORMAT}\"Full\""))]
#[case::format_null("get_project_overview", json!({ "format": null }), format!("{FORMAT}null"))]
#[case::limit_low(LIST, json!({ "summary_limit": 3 }), format!("{LIMIT}3"))]
#[case::limit_high(LIST, json!({ "summary_limit": 1001 }), format!("{LIMIT}1001"))]
#[case::limit_fraction(LIST, json!({ "summary_limit": 50.5 }), format!("{LIMIT}50.5"))]
#[case::limit_text(SEARCH, json!({ "query": "a", "summary_limit": "50" }), format!("{LIMIT}\"50\""))]
#[case::session_type(LIST, json!({ "session_id": 1 }), format!("{SESSION}1"))]
#[case::session_blank(LIST, json!({ "session_id": " " }), format!("{SESSION}\" \""))]
#[case::session_lines(LIST, json!({ "session_id": "a\n[b] (O) c" }), format!("{SESSION}\"a\\n[b] (O) c\""))]
#[case::no_query(SEARCH, json!({}), "query is required: what to look for")]
#[case::blank_query(SEARCH, json!({ "query": " \t" }), "query must have a word, got \" \\t\"")]
#[case::query_type(SEARCH, json!({ "query": ["a"] }), "query must be a string, got [\"a\"]")]
#[case::nul(SEARCH, json!({ "query": "a\0b" }), "query must not contain a NUL character")]
#[case::no_id("activate", json!({}), "id is required: the id of a record")]
#[case::unknown_id("activate", json!({ "id": "b" }), "id must be the id of a record; no record has the id \"b\"")]
#[case::misspelt(LIST, json!({ "fromat": "full" }), "\"fromat\" is no argument of this tool; it takes format, session_id, \
    summary_limit")]
#[case::format_of_activate("activate", json!({ "id": "a", "format": "full" }), "\"format\" is no argument of this tool; it \
    takes id")]
fn a_refusal_names_the_argument(#[case] tool: &str, #[case] arguments: Value, #[case] message: String) {
    assert_eq!(Client::of(&[record(json!({ "id": "a" }))]).refusal(tool, arguments), message);
}

#[test]
fn the_tools_say_what_they_take() {
    let mut client = Client::of(&[]);
    for name in [LIST, "get_project_overview", SEARCH] {
        let schema = &client.tool(name)["inputSchema"]["properties"];
        assert_eq!(schema["format"]["enum"], json!(["full", "compact", "minimal"]));
        assert_eq!(
            (&schema["summary_limit"]["minimum"], &schema["summary_limit"]["maximum"]),
            (&json!(4), &json!(1000))
        );
        assert_eq!(client.tool(name)["outputSchema"], Value::Null, "text is no structured content");
    }
    assert_eq!(client.tool(SEARCH)["inputSchema"]["required"], json!(["query"]));
    assert_eq!(client.tool("activate")["outputSchema"]["type"], "object");
}
