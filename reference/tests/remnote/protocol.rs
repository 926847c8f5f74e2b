//! MCP itself, by bare lines and bare HTTP, and as its official client speaks it.

use crate::client::Client;
use crate::corpus::{folder, garden, text_of};
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rstest::rstest;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

#[rstest]
#[case::unknown_tool("tools/call", json!({ "name": "remnote_status" }), -32602)]
#[case::no_name("tools/call", json!({ "arguments": { "query": "" } }), -32602)]
#[case::name_type("tools/call", json!({ "name": 1 }), -32602)]
#[case::arguments_type("tools/call", json!({ "name": "remnote_search", "arguments": [""] }), -32602)]
#[case::no_parameters("tools/call", Value::Null, -32602)]
#[case::unknown_method("tools/burn", json!({}), -32601)]
fn a_request_that_cannot_be_meant_is_an_error_of_the_protocol(
    #[case] method: &str,
    #[case] params: Value,
    #[case] code: i64,
) {
    let answer = Client::of(&garden()).request(method, &params);
    assert_eq!((&answer["error"]["code"], &answer["result"]), (&json!(code), &Value::Null), "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains(' ')), "plain words: {answer}");
}

#[rstest]
#[case("2024-11-05")]
#[case("2025-03-26")]
#[case("2025-06-18")]
#[case("2025-11-25")]
fn every_version_with_a_handshake_is_spoken(#[case] version: &str) {
    let hello =
        json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let result = Client::of(&[]).request("initialize", &hello)["result"].clone();
    assert_eq!(result["protocolVersion"], version);
    assert_eq!(result["serverInfo"]["name"], "reference");
    assert_eq!(result["capabilities"], json!({ "tools": {} }));
}

#[test]
fn calls_sent_at_once_are_all_answered_before_the_program_ends() {
    let mut client = Client::of(&garden());
    let count = 50;
    for n in 0..count {
        let params = json!({ "name": "remnote_search", "arguments": { "query": "apple" } });
        let id = format!("call {n}");
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string());
    }
    let (lines, code) = client.close();
    assert_eq!((lines.len(), code), (count, Some(0)));
    let mut seen = std::collections::BTreeSet::new();
    for line in lines {
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["result"]["structuredContent"]["results"].as_array().unwrap().len(), 2, "{answer}");
        seen.insert(answer["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(seen.len(), count);
}

#[test]
fn without_a_corpus_the_tools_serve_nothing() {
    let server = Server::start(&[]);
    let search = json!({ "name": "remnote_search", "arguments": { "query": "" } });
    let answer = server.rpc("tools/call", &search);
    assert_eq!(answer["result"]["structuredContent"], json!({ "results": [] }));
    let read = json!({ "name": "remnote_read_note", "arguments": { "remId": "apple" } });
    assert_eq!(server.rpc("tools/call", &read)["result"]["isError"], true);
}

#[test]
fn http_and_stdio_answer_alike() {
    let (server, mut client) = (Server::start(&garden()), Client::of(&garden()));
    for (method, params) in [
        ("tools/list", json!({})),
        (
            "tools/call",
            json!({ "name": "remnote_search", "arguments": { "query": "", "includeContent": "structured" } }),
        ),
        ("tools/call", json!({ "name": "remnote_search_by_tag", "arguments": { "tag": "#fruit" } })),
        ("tools/call", json!({ "name": "remnote_read_note", "arguments": { "remId": "garden" } })),
        ("tools/call", json!({ "name": "remnote_read_note", "arguments": {} })),
        ("tools/call", json!({ "arguments": {} })),
        ("tools/call", json!({ "name": "nothing" })),
        ("nothing", json!({})),
        ("ping", json!({})),
    ] {
        let (one, other) = (server.rpc(method, &params), client.request(method, &params));
        assert_eq!((&one["result"], &one["error"]), (&other["result"], &other["error"]), "{method} {params}");
    }
}

#[rstest]
#[case::not_json("{\"jsonrpc\"", -32700)]
#[case::no_envelope("{\"id\":1}", -32600)]
#[case::a_list("[]", -32600)]
fn a_body_that_is_no_message_is_told_so(#[case] body: &str, #[case] code: i64) {
    let answer = Server::start(&[]).post(body, &[]);
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!((answer.status, &body["error"]["code"], &body["id"]), (400, &json!(code), &Value::Null));
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
    let session = format!("Mcp-Session-Id: {}", server.session());
    let headers: Vec<&str> = headers.iter().copied().chain([session.as_str()]).collect();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    assert_eq!(server.post(&ping, &headers).status, status);
}

#[test]
fn a_session_is_begun_and_ended_and_asked_for_in_between() {
    let server = Server::start(&[]);
    let session = format!("Mcp-Session-Id: {}", server.session());
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    assert_eq!(server.post(&ping, &[&session]).status, 200);
    assert!(server.post(&ping, &[]).status >= 400, "there is no session");
    assert!(server.request("DELETE", "", &[&session]).status < 300);
    assert_eq!(server.post(&ping, &[&session]).status, 404, "the session is over");
}

#[test]
fn the_official_client_can_list_and_call() {
    let corpus = folder(&garden(), &json!({}));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_reference"));
        command.args(["mcp", "--remnote-corpus", text_of(&corpus)]);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let transport = (process.stdout.take().unwrap(), process.stdin.take().unwrap());
        let client = ().serve(transport).await.unwrap();
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.iter().filter(|tool| tool.name.starts_with("remnote_")).count(), 3);
        let arguments = json!({ "remId": "colour" }).as_object().unwrap().clone();
        let call = CallToolRequestParams::new("remnote_read_note").with_arguments(arguments);
        let result = client.call_tool(call).await.unwrap();
        assert_eq!(result.structured_content.unwrap()["headline"], "colour ;; red");
        client.cancel().await.unwrap();
        assert!(process.wait().await.unwrap().success());
    });
}

/// `reference serve`, on a free port until it is dropped.
struct Server {
    process: Child,
    address: String,
    _corpus: TempDir,
}

impl Server {
    /// Without Rems, no corpus is given.
    fn start(rems: &[Value]) -> Self {
        let corpus = folder(rems, &json!({}));
        let mut command = Command::new(env!("CARGO_BIN_EXE_reference"));
        command.args(["serve", "--port", "0"]).stdout(Stdio::piped());
        if !rems.is_empty() {
            command.args(["--remnote-corpus", text_of(&corpus)]);
        }
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("listening on http://").unwrap().to_owned();
        Self { process, address, _corpus: corpus }
    }

    /// Begins a session; its id.
    fn session(&self) -> String {
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let session = self.post(&hello.to_string(), &[]).session.unwrap();
        let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
        let noted = self.post(&note, &[&format!("Mcp-Session-Id: {session}")]);
        assert_eq!((noted.status, noted.body.as_str()), (202, ""));
        session
    }

    /// One request in a session of its own.
    fn rpc(&self, method: &str, params: &Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string();
        let answer = self.post(&message, &[&format!("Mcp-Session-Id: {}", self.session())]);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let events = answer.body.lines().filter_map(|line| line.strip_prefix("data: "));
        let answer: Value = events.filter_map(|event| serde_json::from_str(event).ok()).next_back().unwrap();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
        answer
    }

    fn post(&self, body: &str, headers: &[&str]) -> Answer {
        self.request("POST", body, headers)
    }

    fn request(&self, method: &str, body: &str, headers: &[&str]) -> Answer {
        let mut head = vec![
            // The old version of the protocol knows no chunks to be put together.
            format!("{method} /mcp HTTP/1.0"),
            "Content-Type: application/json".to_owned(),
            "Accept: application/json, text/event-stream".to_owned(),
            format!("Content-Length: {}", body.len()),
        ];
        head.extend(headers.iter().map(|header| (*header).to_owned()));
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            head.push(format!("Host: {}", self.address));
        }
        let mut connection = TcpStream::connect(&self.address).unwrap();
        write!(connection, "{}\r\n\r\n{body}", head.join("\r\n")).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            session: head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ").map(str::to_owned)),
            body: body.to_owned(),
        }
    }
}

/// What the server says over HTTP.
struct Answer {
    status: u16,
    session: Option<String>,
    body: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have stopped already, and then there is nothing to do.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
