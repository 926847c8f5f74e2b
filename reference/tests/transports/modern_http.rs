//! MCP 2026-07-28 over streamable HTTP: the headers that repeat the body, and what the revision no longer has.

use crate::support::http::Server;
use crate::support::modern::{PATH, VERSION, headers, meta, only_message, params, post, request};
use rstest::rstest;
use serde_json::{Value, json};

/// A name as Base64, in the form that a header has for it.
const ENCODED: &str = "Mcp-Name: =?base64?bGlzdF9yZWNvcmRz?=";
const CALL: [&str; 3] = ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: list_records"];

/// A call with these headers; its status, and the code of its error where it has one.
fn call(headers: &[&str]) -> (u16, Value) {
    let server = Server::start(&[]);
    let headers: Vec<String> = headers.iter().map(|header| (*header).to_owned()).collect();
    let body = request("tools/call", &params(json!({ "name": "list_records" })));
    let answer = post(&server, &body, &headers);
    (answer.status, only_message(&answer)["error"]["code"].clone())
}

#[rstest]
#[case::no_version(&[CALL[1], CALL[2]])]
#[case::older_version(&["MCP-Protocol-Version: 2025-11-25", CALL[1], CALL[2]])]
#[case::unknown_version(&["MCP-Protocol-Version: 2099-01-01", CALL[1], CALL[2]])]
#[case::version_twice(&[CALL[0], CALL[0], CALL[1], CALL[2]])]
#[case::no_method(&[CALL[0], CALL[2]])]
#[case::other_method(&[CALL[0], "Mcp-Method: tools/list", CALL[2]])]
#[case::method_in_capitals(&[CALL[0], "Mcp-Method: TOOLS/CALL", CALL[2]])]
#[case::two_methods(&[CALL[0], CALL[1], "Mcp-Method: tools/list", CALL[2]])]
#[case::no_name(&[CALL[0], CALL[1]])]
#[case::other_name(&[CALL[0], CALL[1], "Mcp-Name: search_records"])]
#[case::two_names(&[CALL[0], CALL[1], CALL[2], "Mcp-Name: search_records"])]
#[case::name_that_no_header_may_have(&[CALL[0], CALL[1], "Mcp-Name: list_récords"])]
#[case::other_name_in_base64(&[CALL[0], CALL[1], "Mcp-Name: =?base64?c2VhcmNo?="])]
#[case::no_base64(&[CALL[0], CALL[1], "Mcp-Name: =?base64?%%%?="])]
#[case::base64_of_no_text(&[CALL[0], CALL[1], "Mcp-Name: =?base64?/w==?="])]
#[case::marker_in_capitals(&[CALL[0], CALL[1], "Mcp-Name: =?BASE64?bGlzdF9yZWNvcmRz?="])]
#[case::base64_without_its_marker(&[CALL[0], CALL[1], "Mcp-Name: bGlzdF9yZWNvcmRz"])]
fn headers_that_do_not_repeat_the_body_are_refused(#[case] headers: &[&str]) {
    assert_eq!(call(headers), (400, json!(-32020)));
}

#[rstest]
#[case::plain(&CALL)]
#[case::base64(&[CALL[0], CALL[1], ENCODED])]
#[case::names_in_small_letters(&["mcp-protocol-version: 2026-07-28", "mcp-method: tools/call", "MCP-NAME: list_records"])]
#[case::session_of_another_era(&[CALL[0], CALL[1], CALL[2], "Mcp-Session-Id: 1", "Last-Event-ID: 7"])]
#[case::parameter_that_no_tool_asks_for(&[CALL[0], CALL[1], CALL[2], "Mcp-Param-Region: north"])]
fn headers_that_repeat_the_body_are_accepted(#[case] headers: &[&str]) {
    assert_eq!(call(headers), (200, Value::Null));
}

#[rstest]
#[case::beyond_ascii("burn é", "YnVybiDDqQ==")]
#[case::like_base64_itself("=?base64?YQ==?=", "PT9iYXNlNjQ/WVE9PT89")]
fn a_name_that_no_header_may_have_is_read_from_its_base64(#[case] name: &str, #[case] encoded: &str) {
    let body = request("tools/call", &params(json!({ "name": name })));
    let name = format!("Mcp-Name: =?base64?{encoded}?=");
    let answer = post(&Server::start(&[]), &body, &[CALL[0], CALL[1], name.as_str()].map(str::to_owned));
    // It is read: the tool is what is not there.
    assert_eq!((answer.status, &only_message(&answer)["error"]["code"]), (200, &json!(-32602)));
}

#[test]
fn no_session_is_begun() {
    let server = Server::start(&[]);
    for (method, given) in [("server/discover", json!({})), ("tools/list", json!({})), ("initialize", json!({}))] {
        let given = params(given);
        let mut sent = headers(method, &given);
        sent.push("Mcp-Session-Id: 1".to_owned());
        let answer = post(&server, &request(method, &given), &sent);
        assert!(!answer.head.to_ascii_lowercase().contains("mcp-session-id"), "{method}: {}", answer.head);
        assert!(!answer.body.lines().any(|line| line.starts_with("id:")), "an event is sent once: {}", answer.body);
    }
}

#[rstest]
#[case::both("both", &[CALL[0]])]
#[case::modern("modern", &[CALL[0]])]
#[case::modern_asked_by_an_older_client("modern", &["Accept: text/event-stream", "Mcp-Session-Id: 1"])]
fn there_is_no_stream_to_get_and_no_session_to_delete(
    #[case] era: &str,
    #[case] headers: &[&str],
    #[values("GET", "DELETE")] method: &str,
) {
    let answer = Server::start(&["--era", era]).request(method, PATH, headers, "");
    assert_eq!(answer.status, 405);
    assert!(answer.head.to_ascii_lowercase().contains("allow: post"), "{}", answer.head);
}

#[rstest]
#[case::of_the_era(&[CALL[0], "Mcp-Method: notifications/cancelled"], 202)]
#[case::without_its_method(&[CALL[0]], 202)]
#[case::of_another_method(&[CALL[0], "Mcp-Method: tools/call"], 400)]
#[case::of_no_version(&["MCP-Protocol-Version: 2099-01-01", "Mcp-Method: notifications/cancelled"], 400)]
fn a_notification_is_taken_without_a_word(#[case] headers: &[&str], #[case] status: u16) {
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    for era in ["both", "modern"] {
        let headers: Vec<String> = headers.iter().map(|header| (*header).to_owned()).collect();
        let answer = post(&Server::start(&["--era", era]), &body.to_string(), &headers);
        assert_eq!(answer.status, status, "{}", answer.body);
        match status {
            202 => assert_eq!(answer.body, ""),
            _ => assert_eq!(serde_json::from_str::<Value>(&answer.body).unwrap().get("id"), None, "there was no id"),
        }
    }
}

#[rstest]
#[case::not_json("{\"jsonrpc\"", -32700, None)]
#[case::a_list("[]", -32600, None)]
#[case::null_id("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"tools/list\"}", -32600, None)]
#[case::no_envelope("{\"id\":1}", -32600, Some(1))]
#[case::an_answer("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", -32600, None)]
fn a_body_that_is_no_request_is_refused(#[case] body: &str, #[case] code: i64, #[case] id: Option<i64>) {
    let answer = post(&Server::start(&[]), body, &[CALL[0].to_owned()]);
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!((answer.status, &body["error"]["code"]), (400, &json!(code)), "{body}");
    assert_eq!(body.get("id"), id.map(Value::from).as_ref(), "an id is a string or an integer, or left out");
}

#[rstest]
#[case::foreign_page("Origin: https://page.example", 403)]
#[case::own_page("Origin: http://localhost:6274", 200)]
fn only_pages_of_loopback_are_answered(#[case] origin: &str, #[case] status: u16) {
    let given = params(json!({}));
    let mut sent = headers("tools/list", &given);
    sent.push(origin.to_owned());
    assert_eq!(post(&Server::start(&[]), &request("tools/list", &given), &sent).status, status);
}

#[test]
fn a_body_and_a_head_of_two_versions_are_told_apart_from_one_that_is_not_spoken() {
    let server = Server::start(&[]);
    let body = request("tools/list", &json!({ "_meta": meta("2099-01-01") }));
    let sent = headers("tools/list", &params(json!({})));
    let answer = post(&server, &body, &sent);
    assert_eq!((answer.status, &only_message(&answer)["error"]["code"]), (400, &json!(-32020)));
    assert_eq!(VERSION, "2026-07-28");
}
