//! What a strict modern server sees of our client.

use super::program;
use super::server::{OURS, Reply, era, modern, tried_at};
use crate::mcp::small::{target_in, tried};
use crate::mcp::talk::{SOON, derived, find};
use crate::trial::runtime;
use conformance::model::{Era, Eras, Operation, Status};
use conformance::targets::Address;
use conformance::transport::{HttpOptions, Limits, Mcp, McpProgram, Transport};
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use testing::{Answer, Request, Server};

const META: &str = "io.modelcontextprotocol/";

/// A server with a tool of this name, and what was called.
fn named(name: &'static str) -> Server {
    let mut server = Server::new(move |request| {
        let mut reply = modern(request);
        if request.method() == "tools/list" && reply.status == "200 OK" {
            reply.body["result"]["tools"][0]["name"] = json!(name);
            reply.body["result"]["tools"][0]["inputSchema"]["properties"] =
                json!({ "query": {}, "limit": {}, "noteId": {} });
        }
        reply.answer()
    });
    server.address += "/mcp";
    server
}

fn at(server: &Server, limits: Limits) -> Mcp {
    let headers = BTreeMap::new();
    let options = HttpOptions { headers: &headers, ca_cert: None, insecure: false, limits };
    Mcp::address(&server.address, &options).unwrap().in_era(Era::Modern)
}

fn tool(name: &str) -> Operation {
    let mut operation = find();
    operation.mcp = serde_json::from_value(json!({ "tool": name, "results": "/results" })).unwrap();
    operation
}

#[test]
fn every_request_says_everything_by_itself() {
    let (trial, server) = tried_at(Eras::Modern, |request| modern(request).answer());
    assert_eq!(trial.violated(), Vec::<&str>::new());
    let requests = server.requests();
    assert!(requests.len() > 10);
    let mut changed = 0;
    for request in &requests {
        let meta = &request.message["params"]["_meta"];
        assert_eq!(request.head[0], "POST /mcp HTTP/1.1", "there is no stream to GET and no session to DELETE");
        assert_eq!(request.header("content-type"), Some("application/json"));
        assert_eq!(request.header("accept"), Some("application/json, text/event-stream"));
        assert_eq!((request.header("mcp-session-id"), request.header("last-event-id")), (None, None));
        assert!(request.message["id"].is_u64(), "it sends requests alone: {}", request.message);
        let is_as_it_should_be = request.header("mcp-protocol-version") == Some(OURS)
            && request.header("mcp-method") == request.message["method"].as_str()
            && meta[format!("{META}protocolVersion")] == OURS
            && meta[format!("{META}clientCapabilities")] == json!({})
            && meta[format!("{META}clientInfo")]["name"].is_string()
            && request.header("mcp-name") == request.message["params"]["name"].as_str();
        changed += usize::from(!is_as_it_should_be);
    }
    // What must be refused, once each.
    assert!((8..14).contains(&changed), "{changed} of {}", requests.len());
    let ids: Vec<&Value> = requests.iter().map(|request| &request.message["id"]).collect();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
}

#[rstest]
#[case::plain("find_notes", "find_notes")]
#[case::not_ascii("café", "=?base64?Y2Fmw6k=?=")]
#[case::blanks_around(" find ", "=?base64?IGZpbmQg?=")]
#[case::two_lines("a\nb", "=?base64?YQpi?=")]
#[case::like_an_encoded_one("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?=")]
#[case::blanks_inside("find my notes", "find my notes")]
fn a_name_that_cannot_stand_in_a_header_is_encoded(#[case] name: &'static str, #[case] header: &str) {
    let server = named(name);
    let mcp = at(&server, crate::mcp::talk::PATIENT);
    let session = mcp.open(None).unwrap();
    let with = json!({ "query": "a" });
    let operation = tool(name);
    let reply = runtime().block_on(session.call(&operation, with.as_object().unwrap())).unwrap();
    assert_eq!(derived(&reply, &operation).status, Status::Accepted, "{reply:?}");
    let call = server.requests().into_iter().find(|request| request.method() == "tools/call").unwrap();
    assert_eq!(call.header("mcp-name"), Some(header));
    assert_eq!(call.message["params"]["name"], name);
}

#[test]
fn a_request_of_the_server_gets_no_response() {
    let (_, server) = tried_at(Eras::Auto, |request| {
        let reply = modern(request);
        match request.method() {
            "tools/call" if reply.status == "200 OK" => {
                reply.streamed("data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n")
            }
            _ => reply.answer(),
        }
    });
    assert!(server.requests().iter().all(|request| request.message["id"] != "p"));
    let lines = "called() { say '{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}'; answer; }\nnote() { say \"$line\" >>\"$FOLDER/heard\"; }";
    let program = program::modern(&format!(
        "{lines}\nother() {{ note; fine && case $line in *discover*) discover ;; *) unknown ;; esac; }}"
    ));
    program::run(&program, Eras::Auto);
    assert!(program.read("heard").lines().all(|line| !line.contains("\"id\":\"p\"")), "{}", program.read("heard"));
}

/// A stream that ends before the answer is not taken up again, whatever it says.
#[test]
fn a_stream_that_breaks_off_is_not_resumed() {
    let mut server = Server::new(|request| match request.method() {
        "tools/call" => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
            Answer::End(format!("{head}id: 1\nretry: 0\ndata:\n\n").into_bytes())
        }
        _ => named_tools(request).answer(),
    });
    server.address += "/mcp";
    let mcp = at(&server, crate::mcp::talk::PATIENT);
    let with = json!({ "query": "a" });
    let operation = tool("find");
    let session = mcp.open(None).unwrap();
    let reply = runtime().block_on(session.call(&operation, with.as_object().unwrap())).unwrap();
    let exchange = derived(&reply, &operation);
    assert_eq!(exchange.status, Status::Failed);
    assert!(exchange.raw.failure.unwrap().to_string().contains("ended without the response"));
    assert!(server.requests().iter().all(|request| request.head[0].starts_with("POST ")));
}

fn named_tools(request: &Request) -> Reply {
    let mut reply = modern(request);
    if request.method() == "tools/list" && reply.status == "200 OK" {
        reply.body["result"]["tools"][0]["inputSchema"]["properties"] =
            json!({ "query": {}, "limit": {}, "noteId": {} });
    }
    reply
}

/// Over HTTP the stream is closed; nothing else is said.
#[test]
fn what_takes_too_long_is_not_cancelled_by_a_message_over_http() {
    let mut server = Server::new(|request| match request.method() {
        "tools/call" => Answer::Hang(Vec::new()),
        _ => named_tools(request).answer(),
    });
    server.address += "/mcp";
    let mcp = at(&server, SOON);
    let with = json!({ "query": "a" });
    let operation = tool("find");
    let session = mcp.open(None).unwrap();
    let runtime = runtime();
    let reply = runtime.block_on(session.call(&operation, with.as_object().unwrap())).unwrap();
    assert_eq!(derived(&reply, &operation).status, Status::Failed);
    runtime.block_on(session.call(&operation, with.as_object().unwrap())).unwrap();
    let methods: Vec<String> = server.requests().iter().map(|request| request.method().to_owned()).collect();
    assert_eq!(methods, ["server/discover", "tools/list", "tools/call", "tools/call"]);
}

#[test]
fn what_takes_too_long_is_cancelled_by_a_message_over_standard_streams() {
    let lines = "call() { say \"$line\" >>\"$FOLDER/calls\"; }\nother() { case $line in *cancelled*) say \"$line\" >>\"$FOLDER/heard\" ;; *discover*) discover ;; esac; }\nat_end() { exit 0; }";
    let properties = "TOOLS='{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}]}'";
    let program = program::modern(&format!("{properties}\n{lines}"));
    let words = program.words();
    let started = McpProgram { command: &words, environment: BTreeMap::new(), folder: None };
    let mcp = Mcp::program(started, SOON).unwrap().in_era(Era::Modern);
    let operation = tool("find");
    runtime().block_on(async {
        let session = mcp.open(None).unwrap();
        // The second call goes out after what is said of the first.
        for query in ["a", "b"] {
            session.call(&operation, json!({ "query": query }).as_object().unwrap()).await.unwrap();
        }
        mcp.close().await;
    });
    let first = |file: &str| serde_json::from_str::<Value>(program.read(file).lines().next().unwrap()).unwrap();
    let (heard, call) = (first("heard"), first("calls"));
    assert_eq!(heard["params"]["requestId"], call["id"], "{heard}");
    program.assert_nothing_runs(1);
}

/// `initialize` makes a process legacy, so each era has one of its own, and the question is put to none of them.
#[test]
fn each_era_has_a_process_of_its_own() {
    let note = "note() { say \"$$ $line\" >>\"$FOLDER/heard\"; }";
    let lines = "list() { note; if [ \"$LEGACY\" ]; then result \"$TOOLS\"; else fine && cached \"$TOOLS\"; fi; }
call() { note; if [ \"$LEGACY\" ]; then called; else fine && called; fi; }";
    let program = program::dual(&format!("{note}\n{lines}"));
    let trial = tried(&target_in(Address::McpStdio(program.words()), Eras::Both));
    assert_eq!(trial.violated(), Vec::<&str>::new());
    let mut eras: BTreeMap<String, Vec<Era>> = BTreeMap::new();
    for line in program.read("heard").lines() {
        let (process, message) = line.split_once(' ').unwrap();
        let request = Request { message: serde_json::from_str(message).unwrap(), ..Request::default() };
        eras.entry(process.to_owned()).or_default().push(era(&request));
    }
    eras.values_mut().for_each(|eras| eras.dedup());
    let mut eras: Vec<Vec<Era>> = eras.into_values().collect();
    eras.sort();
    assert_eq!(eras, [vec![Era::Legacy], vec![Era::Modern]]);
    program.assert_nothing_runs(2);
}
