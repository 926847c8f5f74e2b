//! MCP over HTTP.

use super::packed::gzip;
use super::{Listening, now, plain, request, result};
use conformance::model::Keep;
use conformance::tap::{Ended, News};
use rstest::rstest;
use serde_json::{Value, json};

/// What the tool of the memory contract says of itself.
const DESCRIPTION: &str = "Searches. top_ke: default 5, range 0 to 10. top_kc: default 2, range 1 to 3. The answer has \
entries (the entries that were found), count (how many there are), latestContext (the newest context of the memory), \
latestContextTimestamp (its time) and contexts (the contexts that were found). Every result carries a timestamp, since the \
newer one usually holds. Sorted by relevance score, descending.";

/// The tools of the memory contract.
pub(crate) fn tools() -> Value {
    let text = json!({ "type": "string", "minLength": 1 });
    let properties = json!({
        "memory_id": text, "query": text,
        "top_ke": { "type": "integer", "minimum": 0, "maximum": 10, "default": 5 },
        "top_kc": { "type": "integer", "minimum": 1, "maximum": 3, "default": 2 },
    });
    let schema = json!({ "type": "object", "properties": properties, "required": ["memory_id", "query"] });
    json!({ "tools": [{ "name": "search_memories", "description": DESCRIPTION, "inputSchema": schema }] })
}

pub(crate) fn hello() -> Value {
    let server = json!({ "name": "test", "version": "1" });
    json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": server })
}

/// An answer of the tool, with this count.
pub(crate) fn found(count: u64) -> Value {
    let body =
        json!({ "entries": [], "contexts": [], "count": count, "latestContext": null, "latestContextTimestamp": null });
    json!({ "content": [{ "type": "text", "text": body.to_string() }], "structuredContent": body })
}

pub(crate) fn call(id: Value) -> Value {
    let arguments = json!({ "memory_id": "m-1", "query": "apple" });
    request(id, "tools/call", json!({ "name": "search_memories", "arguments": arguments }))
}

/// One that has said who it is and listed its tools.
fn begun() -> Listening {
    let mut listening = Listening::web();
    listening.post(&request(json!(0), "initialize", json!({})), &result(json!(0), hello()));
    listening.post(&request(json!(1), "tools/list", json!({})), &result(json!(1), tools()));
    listening
}

#[test]
fn a_call_is_judged_by_its_contract_and_its_transport() {
    let mut listening = begun();
    listening.post(&call(json!("a")), &result(json!("a"), found(1)));
    let report = listening.end();
    assert!(report.violated().contains(&"memory.count-entries"), "{:?}", report.violated());
    assert!(
        report.verified("mcp.response-id") && report.verified("mcp.initialize") && report.verified("mcp.text-copy")
    );
    assert!(
        report.log.ledger.rows.iter().all(|row| row.contract.name() == "memory"),
        "it lists the tools of no other contract"
    );
}

#[test]
fn an_id_that_is_a_text_comes_back_as_one() {
    let mut listening = begun();
    listening.post(&call(json!("7")), &result(json!(7), found(0)));
    assert_eq!(listening.end().violated(), ["mcp.response-id"]);
}

#[test]
fn a_response_is_heard_before_its_stream_ends() {
    let mut listening = begun();
    let number = listening.begin(&[], "POST", "/mcp", &call(json!(2)).to_string());
    listening.tap.answered(number, 200, &plain(&[("content-type", "text/event-stream; charset=utf-8")]));
    let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": {} });
    listening.tap.came(number, format!(": hello\n\ndata: {progress}\n\n").as_bytes(), now());
    let news = listening.tap.news();
    assert_eq!(news.len(), 1, "the list of tools alone: {news:?}");
    listening.tap.came(number, format!("data: {}\n\n", result(json!(2), found(1))).as_bytes(), now());
    assert!(listening.tap.news().len() > 1);
    listening.tap.ended(number, Ended::ByClient, now());
    assert!(listening.end().violated().contains(&"memory.count-entries"));
}

#[test]
fn a_compressed_stream_is_judged_at_its_end() {
    let streamed = |id: &str| {
        let mut listening = begun();
        let body = gzip(format!("{id}data: {}\n\n", result(json!(2), found(1))).as_bytes());
        let headers = [("content-type", "text/event-stream"), ("content-encoding", "gzip")];
        listening.with(&[], ("POST", "/mcp", &call(json!(2)).to_string()), (200, &headers, &body), Ended::Whole);
        listening.end()
    };
    for id in ["", "id: 1\n"] {
        assert_eq!(streamed(id).violated(), ["memory.count-entries"]);
    }
}

#[rstest]
#[case::whole(Ended::Whole, b"\x1f\x8b", &["mcp.answers"])]
#[case::broken_off(Ended::Broken("reset".to_owned()), b"\x1f\x8b", &[])]
fn a_compressed_stream_may_be_none(#[case] how: Ended, #[case] body: &[u8], #[case] violated: &[&str]) {
    let mut listening = begun();
    let headers = [("content-type", "text/event-stream"), ("content-encoding", "gzip")];
    listening.with(&[], ("POST", "/mcp", &call(json!(2)).to_string()), (200, &headers, body), how);
    assert_eq!(listening.end().violated(), violated);
}

#[rstest]
#[case::taken_up_elsewhere("id: 1\ndata: \n\n", &[])]
#[case::for_good(": nothing\n\n", &["mcp.answers"])]
fn a_stream_may_end_without_the_response(#[case] said: &str, #[case] violated: &[&str]) {
    let mut listening = begun();
    let headers = [("content-type", "text/event-stream")];
    let call = call(json!(2)).to_string();
    listening.with(&[], ("POST", "/mcp", &call), (200, &headers, said.as_bytes()), Ended::Whole);
    assert_eq!(listening.end().violated(), violated);
}

#[rstest]
#[case::no_session(400, json!({ "code": -32000, "message": "Bad Request: no session" }))]
#[case::session_is_over(404, json!({ "code": -32001, "message": "Session not found" }))]
#[case::no_token(401, json!({ "code": -32000, "message": "Unauthorized" }))]
#[case::link_to_open(200, json!({ "code": -32042, "message": "open this" }))]
#[case::no_such_method(200, json!({ "code": -32601, "message": "Method not found" }))]
fn an_error_that_may_be_the_clients_fault_is_not_judged(#[case] status: u16, #[case] error: Value) {
    let mut listening = begun();
    let body = json!({ "jsonrpc": "2.0", "id": 2, "error": error }).to_string();
    listening.http(("POST", "/mcp", &call(json!(2)).to_string()), (status, "application/json", body.as_bytes()));
    let report = listening.end();
    assert_eq!((report.violated(), report.heard().1.len()), (Vec::new(), 1));
}

#[test]
fn an_error_of_the_server_itself_is_judged() {
    let mut listening = begun();
    let error = json!({ "code": -32603, "message": "Internal error" });
    listening.post(&call(json!(2)), &json!({ "jsonrpc": "2.0", "id": 2, "error": error }));
    assert_eq!(listening.end().violated(), ["mcp.answers"]);
}

#[test]
fn a_refusal_of_arguments_is_one() {
    let mut listening = begun();
    let mut call = call(json!(2));
    call["params"]["arguments"]["top_ke"] = json!(11);
    let error = json!({ "code": -32602, "message": "top_ke must be at most 10" });
    listening.post(&call, &json!({ "jsonrpc": "2.0", "id": 2, "error": error }));
    let report = listening.end();
    assert_eq!((report.violated(), report.heard().1.len()), (Vec::new(), 0));
}

#[test]
fn what_began_before_the_tap_is_judged_as_far_as_it_goes() {
    let mut listening = Listening::web();
    listening.post(&call(json!(9)), &result(json!(9), found(1)));
    listening.post(&request(json!(10), "tools/list", json!({})), &result(json!(10), tools()));
    let report = listening.end();
    assert!(report.violated().contains(&"memory.count-entries"));
    assert!(!report.violated().contains(&"mcp.initialize"), "it was not heard, which is no fault of the server");
}

#[test]
fn a_list_of_tools_may_come_in_pages() {
    let mut listening = Listening::web();
    listening.post(&request(json!(0), "initialize", json!({})), &result(json!(0), hello()));
    let first = json!({ "tools": [], "nextCursor": "b" });
    listening.post(&request(json!(1), "tools/list", json!({})), &result(json!(1), first));
    assert_eq!(listening.tap.news().len(), 0);
    listening.post(&request(json!(2), "tools/list", json!({ "cursor": "b" })), &result(json!(2), tools()));
    let report = listening.end();
    assert!(report.verified("mcp.tool-form") && report.verified("mcp.tools-end"));
}

#[test]
fn a_tool_of_another_revision_is_not_judged_by_ours() {
    let mut listening = Listening::web();
    let mut other = tools();
    other["tools"][0]["inputSchema"]["properties"] = json!({ "memory_id": {}, "query": {}, "limit": {} });
    listening.post(&request(json!(1), "tools/list", json!({})), &result(json!(1), other));
    listening.post(&call(json!(2)), &result(json!(2), found(1)));
    let report = listening.end();
    assert!(!report.violated().contains(&"memory.count-entries"));
    assert!(report.heard().1[0].0.contains("speaks another revision of the contract"));
}

#[rstest]
#[case::without_a_session(&[("mcp-protocol-version", "2025-06-18")], 1)]
#[case::in_a_session(&[("mcp-protocol-version", "2025-06-18"), ("mcp-session-id", "1")], 2)]
fn a_call_is_repeated_in_the_revision_of_its_client(#[case] headers: &[(&str, &str)], #[case] said: usize) {
    let mut listening = Listening::web();
    let answer = |message: &Value| (200, &[("content-type", "application/json")][..], message.to_string());
    for (message, answer) in [
        (request(json!(1), "tools/list", json!({})), answer(&result(json!(1), tools()))),
        (call(json!(2)), answer(&result(json!(2), found(1)))),
    ] {
        let (status, kind, body) = &answer;
        let message = message.to_string();
        listening.with(headers, ("POST", "/mcp", &message), (*status, kind, body.as_bytes()), Ended::Whole);
    }
    let repeated = listening.tap.news().into_iter().find_map(|news| match news {
        News::Violated(violation) => violation.repeat.last().cloned(),
        _ => None,
    });
    let repeated = repeated.unwrap();
    // Not with `initialize`, which offers it in its body.
    assert_eq!(repeated.matches("-H 'mcp-protocol-version: 2025-06-18'").count(), said, "{repeated}");
    assert_eq!(repeated.contains("\"protocolVersion\":\"2025-06-18\""), said == 2, "{repeated}");
}

#[test]
fn a_named_contract_has_to_be_there() {
    use conformance::tap::{Behind, Options};
    let options = Options { contracts: vec!["remnote".to_owned()], keep: Keep::All, ..Options::default() };
    let mut listening = Listening::to(&Behind::Address("http://127.0.0.1:1".to_owned()), &options);
    listening.post(&request(json!(1), "tools/list", json!({})), &result(json!(1), tools()));
    let report = listening.end();
    assert!(report.log.ledger.rows.iter().any(|row| row.contract.name() == "remnote"));
    assert!(!report.violated().is_empty());
}
