//! MCP itself, by bare lines and bare HTTP, and as its official client speaks it.

use crate::support::http::{Answer, Server};
use crate::support::mcp::{Client, hello};
use crate::support::{FIXTURES, program};
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rstest::rstest;
use serde_json::{Value, json};
use std::process::Stdio;

const PATH: &str = "/mcp";
const TOOL: &str = "search_memories";
const CORPUS: [&str; 2] = ["--corpus", FIXTURES];

/// Arguments that find something.
fn apple() -> Value {
    json!({ "memory_id": "orchard", "query": "apple" })
}

#[rstest]
#[case::unknown_tool("tools/call", json!({ "name": "burn" }), -32602)]
#[case::no_name("tools/call", json!({ "arguments": apple() }), -32602)]
#[case::name_type("tools/call", json!({ "name": 1 }), -32602)]
#[case::arguments_type("tools/call", json!({ "name": TOOL, "arguments": [""] }), -32602)]
#[case::no_parameters("tools/call", Value::Null, -32602)]
#[case::unknown_method("tools/burn", json!({}), -32601)]
fn a_request_that_cannot_be_meant_is_an_error_of_the_protocol(
    #[case] method: &str,
    #[case] params: Value,
    #[case] code: i64,
) {
    let answer = Client::start(&[]).request(method, &params);
    assert_eq!((&answer["error"]["code"], &answer["result"]), (&json!(code), &Value::Null), "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains(' ')), "plain words: {answer}");
}

#[rstest]
#[case("2024-11-05")]
#[case("2025-03-26")]
#[case("2025-06-18")]
#[case("2025-11-25")]
fn every_version_with_a_handshake_is_spoken(#[case] version: &str) {
    let result = Client::start(&[]).request("initialize", &hello(version))["result"].clone();
    assert_eq!(result["protocolVersion"], version);
    assert_eq!(result["serverInfo"]["name"], "reference");
    assert_eq!(result["capabilities"], json!({ "tools": {} }));
}

#[test]
fn calls_sent_at_once_are_all_answered_before_the_program_ends() {
    let mut client = Client::start(&CORPUS);
    let count = 50;
    for n in 0..count {
        let params = json!({ "name": TOOL, "arguments": apple() });
        let id = format!("call {n}");
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string());
    }
    let (lines, code) = client.close();
    assert_eq!((lines.len(), code), (count, Some(0)));
    let mut seen = std::collections::BTreeSet::new();
    for line in lines {
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["result"]["structuredContent"]["count"], 5, "{answer}");
        seen.insert(answer["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(seen.len(), count);
}

#[test]
fn http_and_stdio_answer_alike() {
    let (server, mut client) = (Server::start(&CORPUS), Client::start(&CORPUS));
    for (method, params) in [
        ("tools/list", json!({})),
        ("tools/call", json!({ "name": TOOL, "arguments": apple() })),
        (
            "tools/call",
            json!({ "name": "remnote_search", "arguments": { "query": "a", "includeContent": "structured" } }),
        ),
        ("tools/call", json!({ "name": "list_records", "arguments": {} })),
        ("tools/call", json!({ "name": TOOL, "arguments": {} })),
        ("tools/call", json!({ "arguments": {} })),
        ("tools/call", json!({ "name": "nothing" })),
        ("nothing", json!({})),
        ("ping", json!({})),
    ] {
        let (one, other) = (rpc(&server, method, &params), client.request(method, &params));
        assert_eq!((&one["result"], &one["error"]), (&other["result"], &other["error"]), "{method} {params}");
    }
}

#[rstest]
#[case::not_json("{\"jsonrpc\"", -32700, None)]
#[case::no_envelope("{\"id\":1}", -32600, Some(1))]
#[case::a_list("[]", -32600, None)]
fn a_body_that_is_no_message_is_told_so(#[case] body: &str, #[case] code: i64, #[case] id: Option<i64>) {
    let answer = post(&Server::start(&[]), body, &[]);
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        (answer.status, &body["error"]["code"], body.get("id")),
        (400, &json!(code), id.map(Value::from).as_ref())
    );
}

#[rstest]
#[case::foreign_page(&["Origin: https://page.example"], 403)]
#[case::null_page(&["Origin: null"], 403)]
#[case::own_page(&["Origin: http://localhost:6274"], 200)]
#[case::foreign_name(&["Host: rebound.example"], 403)]
#[case::own_name(&["Host: localhost"], 200)]
#[case::unknown_version(&["MCP-Protocol-Version: 1999-01-01"], 400)]
#[case::known_version(&["MCP-Protocol-Version: 2025-06-18"], 200)]
fn only_pages_and_names_of_loopback_are_answered(#[case] headers: &[&str], #[case] status: u16) {
    let server = Server::start(&[]);
    let session = format!("Mcp-Session-Id: {}", session(&server));
    let headers: Vec<&str> = headers.iter().copied().chain([session.as_str()]).collect();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    assert_eq!(post(&server, &ping, &headers).status, status);
}

#[test]
fn a_session_is_begun_and_ended_and_asked_for_in_between() {
    let server = Server::start(&[]);
    let session = format!("Mcp-Session-Id: {}", session(&server));
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    assert_eq!(post(&server, &ping, &[&session]).status, 200);
    assert!(post(&server, &ping, &[]).status >= 400, "there is no session");
    assert!(server.request("DELETE", PATH, &[&session], "").status < 300);
    assert_eq!(post(&server, &ping, &[&session]).status, 404, "the session is over");
}

#[test]
fn the_official_client_can_list_and_call() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut command = tokio::process::Command::from(program(&["mcp"]));
        let mut process =
            command.args(CORPUS).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let transport = (process.stdout.take().unwrap(), process.stdin.take().unwrap());
        let client = ().serve(transport).await.unwrap();
        let tools = client.list_all_tools().await.unwrap();
        assert!(tools.iter().any(|tool| tool.name == TOOL));
        let call = CallToolRequestParams::new(TOOL).with_arguments(apple().as_object().unwrap().clone());
        let result = client.call_tool(call).await.unwrap();
        assert_eq!(result.structured_content.unwrap()["count"], 5);
        client.cancel().await.unwrap();
        assert!(process.wait().await.unwrap().success());
    });
}

/// Begins a session; its id.
fn session(server: &Server) -> String {
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello("2025-11-25") });
    let answer = post(server, &hello.to_string(), &[]);
    let session = answer.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    let noted = post(server, &note, &[&format!("Mcp-Session-Id: {session}")]);
    assert_eq!((noted.status, noted.body.as_str()), (202, ""));
    session
}

/// One request in a session of its own.
fn rpc(server: &Server, method: &str, params: &Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string();
    let answer = post(server, &message, &[&format!("Mcp-Session-Id: {}", session(server))]);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let events = answer.body.lines().filter_map(|line| line.strip_prefix("data: "));
    let answer: Value = events.filter_map(|event| serde_json::from_str(event).ok()).next_back().unwrap();
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
    answer
}

/// One message.
fn post(server: &Server, message: &str, headers: &[&str]) -> Answer {
    let headers = [&["Accept: application/json, text/event-stream"], headers].concat();
    server.request("POST", PATH, &headers, message)
}
