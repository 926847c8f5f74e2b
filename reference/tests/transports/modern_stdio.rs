//! MCP 2026-07-28 over standard streams, and subscriptions, which stay open over either transport.

use crate::support::http::Server;
use crate::support::mcp::{Client, hello};
use crate::support::modern::{PATH, headers, meta, params, request};
use rstest::rstest;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

#[rstest]
#[case::not_json("{\"jsonrpc\"", json!(-32700))]
#[case::a_list("[]", json!(-32600))]
#[case::null_id("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"tools/list\"}", json!(-32600))]
#[case::too_long(&format!("\"{}\"", "a".repeat(5 << 20)), json!(-32600))]
fn a_line_that_is_no_message_is_told_so_and_the_next_is_answered(#[case] line: &str, #[case] code: Value) {
    let mut client = Client::silent(&[]);
    client.send(line);
    let answer = client.next();
    assert_eq!((&answer["error"]["code"], answer.get("id")), (&code, None), "{answer}");
    assert_eq!(client.request("tools/list", &params(json!({})))["result"]["resultType"], "complete");
}

#[rstest]
#[case::empty("")]
#[case::notification("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/anything\",\"params\":{}}")]
#[case::cancelled("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}")]
#[case::malformed_notification("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":[1]}")]
#[case::answer("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}")]
fn what_needs_no_answer_gets_none_also_as_the_first_line(#[case] line: &str) {
    let mut client = Client::silent(&[]);
    client.send(line);
    assert_eq!(client.request("tools/list", &params(json!({})))["result"]["resultType"], "complete");
    let (lines, code) = client.close();
    assert_eq!((lines, code), (vec![], Some(0)));
}

#[test]
fn the_last_line_needs_no_end() {
    let mut client = Client::silent(&[]);
    client.send_part(&request("tools/list", &params(json!({}))));
    let (lines, code) = client.close();
    assert!(lines.len() == 1 && lines[0].contains("\"resultType\"") && code == Some(0), "{lines:?}");
}

#[test]
fn a_client_that_says_nothing_ends_it_cleanly() {
    assert_eq!(Client::silent(&[]).close(), (vec![], Some(0)));
}

#[test]
fn no_request_depends_on_the_ones_before() {
    let mut client = Client::silent(&[]);
    let mut list = |version: &str| client.request("tools/list", &json!({ "_meta": meta(version) }));
    assert_eq!(list("2026-07-28")["result"]["resultType"], "complete");
    assert_eq!(list("2099-01-01")["error"]["code"], -32022);
    assert_eq!(list("2026-07-28")["result"]["resultType"], "complete");
    let bare = client.request("tools/list", &json!({}));
    assert_eq!(bare["error"]["code"], -32602, "the version of the request before is not its own: {bare}");
}

#[test]
fn both_eras_are_served_in_one_process_in_any_order() {
    let mut client = Client::silent(&[]);
    let modern = |client: &mut Client| client.request("tools/list", &params(json!({})))["result"].take();
    let before = modern(&mut client);
    // Whatever version the handshake asks for, it agrees on one that has a handshake.
    let result = client.request("initialize", &hello("2026-07-28"))["result"].take();
    assert_eq!(result["protocolVersion"], "2025-11-25");
    let legacy = client.request("tools/list", &json!({}))["result"].take();
    assert_eq!(legacy.as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"]);
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    assert_eq!(client.request("ping", &params(json!({})))["error"]["code"], -32601);
    let after = modern(&mut client);
    assert_eq!((&before, &before["tools"]), (&after, &legacy["tools"]));
}

/// What answers a subscription first: nothing of what was asked for will ever change, and the stream stays open.
fn acknowledged(id: &Value) -> Value {
    let params = json!({ "_meta": { "io.modelcontextprotocol/subscriptionId": id }, "notifications": {} });
    json!({ "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params })
}

fn subscription() -> Value {
    params(json!({ "notifications": { "toolsListChanged": true, "resourceSubscriptions": ["a:b"] } }))
}

#[test]
fn a_subscription_is_open_until_the_input_ends() {
    let mut client = Client::silent(&[]);
    client.send(&request("subscriptions/listen", &subscription()));
    assert_eq!(client.next(), acknowledged(&json!("one")));
    client.request("tools/list", &params(json!({})));
    let (lines, code) = client.close();
    let [end] = lines.as_slice() else { panic!("one answer: {lines:?}") };
    let end: Value = serde_json::from_str(end).unwrap();
    assert_eq!((&end["id"], &end["result"]["resultType"], code), (&json!("one"), &json!("complete"), Some(0)));
    assert_eq!(end["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "one");
}

#[test]
fn a_subscription_that_is_cancelled_gets_no_answer() {
    let mut client = Client::silent(&[]);
    client.send(&request("subscriptions/listen", &subscription()));
    assert_eq!(client.next(), acknowledged(&json!("one")));
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "one" } });
    client.send(&cancelled.to_string());
    client.request("tools/list", &params(json!({})));
    assert_eq!(client.close(), (vec![], Some(0)));
}

#[cfg(unix)]
#[test]
fn a_subscription_over_http_ends_gracefully_with_the_server() {
    let mut server = Server::start(&[]);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let body = request("subscriptions/listen", &subscription());
    let head = headers("subscriptions/listen", &subscription()).join("\r\n");
    let (address, length) = (&server.address, body.len());
    write!(
        stream,
        "POST {PATH} HTTP/1.0\r\nHost: {address}\r\n{head}\r\nAccept: application/json, text/event-stream\r\n"
    )
    .unwrap();
    write!(stream, "Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    let mut events = BufReader::new(stream)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| line.strip_prefix("data:").map(|event| serde_json::from_str::<Value>(event).unwrap()));
    assert_eq!(events.next(), Some(acknowledged(&json!("one"))));
    server.process.signal("-TERM");
    let end = events.next().unwrap();
    assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!("one"), &json!("complete")), "{end}");
    assert_eq!((events.next(), server.process.code()), (None, Some(0)));
}
