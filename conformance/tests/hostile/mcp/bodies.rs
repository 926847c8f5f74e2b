//! HTTP: answers that are one JSON body, and what is wrong with it or its connection.

use super::server::{answer, calls, json, methods, talk, text};
use super::talk::{PATIENT, SMALL, SOON, Talk, assert_failed, assert_fine, codes, found, tools};
use conformance::model::{Failure, Status};
use conformance::transport::TransportError;
use rstest::rstest;
use serde_json::{Value, json};
use testing::{Answer, unused_address};

#[test]
fn a_plain_answer() {
    let (talk, server) = talk(PATIENT, |_| None);
    let reply = talk.find();
    assert_fine(&reply);
    assert_eq!(reply.items, Some(json!([{ "n": 1 }])));
    assert_eq!(reply.request.sent["url"], server.address);
    assert_eq!(reply.request.sent["session"], false);
    talk.close();
    assert_eq!(methods(&server), ["initialize", "notifications/initialized", "tools/list", "tools/call"]);
    for (at, request) in server.requests().iter().enumerate() {
        assert_eq!(request.header("accept"), Some("application/json, text/event-stream"));
        assert_eq!(request.header("content-type"), Some("application/json"));
        assert_eq!(request.header("mcp-protocol-version"), (at > 0).then_some("2025-06-18"));
        assert_eq!(request.header("mcp-session-id"), None);
    }
}

#[rstest]
#[case::an_id_as_text(json!({ "jsonrpc": "2.0", "id": "4", "result": found(json!([])) }), &["id"])]
#[case::another_id(json!({ "jsonrpc": "2.0", "id": 99, "result": found(json!([])) }), &["id"])]
#[case::no_id(json!({ "jsonrpc": "2.0", "result": found(json!([])) }), &["id"])]
#[case::no_version(json!({ "id": 1000003, "result": found(json!([])) }), &["envelope"])]
#[case::a_batch(json!([{ "jsonrpc": "2.0", "id": 1000003, "result": found(json!([])) }]), &["envelope"])]
#[case::a_batch_with_a_notification(json!([{ "jsonrpc": "2.0", "method": "x" }, { "jsonrpc": "2.0", "id": 1000003, "result": found(json!([])) }]), &["envelope"])]
#[case::two_answers(json!([{ "jsonrpc": "2.0", "id": 1000003, "result": found(json!([])) }, { "jsonrpc": "2.0", "id": 1000003, "result": found(json!([])) }]), &["envelope", "id"])]
fn an_envelope(#[case] body: Value, #[case] problems: &[&str]) {
    let (talk, _server) = calls(PATIENT, move |_| json(&body));
    let reply = talk.find();
    assert_eq!(codes(&reply), problems, "{:?}", reply.problems);
    assert_eq!(reply.status, Status::Accepted, "{:?}", reply.raw);
}

#[rstest]
#[case::nothing("", &[])]
#[case::a_sentence("Found 3 notes", &["noise"])]
#[case::half_an_answer("{\"jsonrpc\":\"2.0\",\"id\":1000003,\"result\":{", &["noise"])]
#[case::not_a_number("{\"jsonrpc\":\"2.0\",\"id\":1000003,\"result\":{\"content\":[],\"score\":NaN}}", &["noise"])]
#[case::a_page("<!doctype html><title>It works!</title>", &["noise"])]
#[case::json("{\"results\":[]}", &["noise"])]
#[case::null("null", &["noise"])]
#[case::a_notification("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}", &[])]
#[case::events("data: {\"jsonrpc\":\"2.0\",\"id\":1000003,\"result\":{}}\n\n", &["noise"])]
fn a_body_that_is_no_answer(#[case] body: &'static str, #[case] problems: &[&str]) {
    let (talk, _server) = calls(PATIENT, move |_| text(body));
    let reply = talk.find();
    let failure = assert_failed(&reply);
    assert!(failure.contains("is no response"), "{failure}");
    assert_eq!(codes(&reply), problems);
}

#[test]
fn a_body_that_is_not_utf_8() {
    let (talk, _server) = calls(PATIENT, |request| {
        let body = request.response(&found(json!([]))).to_string().into_bytes();
        text([&b"{\"x\":\"caf\xe9\","[..], &body[1..]].concat())
    });
    let reply = talk.find();
    assert_fine(&reply);
    assert_eq!(reply.raw.not_utf8_at, Some(9));
}

#[test]
fn a_key_that_occurs_twice() {
    let (talk, _server) = calls(PATIENT, |_| {
        text(
            "{\"jsonrpc\":\"2.0\",\"id\":4,\"id\":1000003,\"result\":{\"structuredContent\":{\"results\":[],\"results\":[]}}}",
        )
    });
    assert_eq!(codes(&talk.find()), ["duplicate-key", "duplicate-key"]);
}

#[rstest]
#[case::html("content-type: text/html\r\n", &["content-type"])]
#[case::text("content-type: text/plain; charset=utf-8\r\n", &["content-type"])]
#[case::none("", &["content-type"])]
#[case::json_with_a_charset("Content-Type: application/json; charset=utf-8\r\n", &[])]
#[case::json_in_capitals("content-type: Application/JSON\r\n", &[])]
fn a_type_of_content(#[case] header: &'static str, #[case] problems: &[&str]) {
    let (talk, _server) =
        calls(PATIENT, move |request| answer("200 OK", header, request.response(&found(json!([]))).to_string()));
    let reply = talk.find();
    assert_eq!(codes(&reply), problems);
    assert_eq!(reply.status, Status::Accepted);
}

#[rstest]
#[case::hangs_before_a_byte(Answer::Hang(Vec::new()))]
#[case::hangs_in_the_body(Answer::Hang(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{".to_vec()))]
fn an_answer_that_does_not_come_in_time(#[case] answer: Answer) {
    let (talk, server) = calls(SOON, move |_| answer.clone());
    let reply = talk.find();
    assert_failed(&reply);
    assert_eq!(reply.raw.failure, Some(Failure::TimedOut(1)));
    let cancelled =
        talk.until(|| server.requests().into_iter().find(|request| request.method() == "notifications/cancelled"));
    let heard = server.requests();
    let call = heard.iter().find(|request| request.method() == "tools/call").unwrap();
    assert_eq!(cancelled.message["params"]["requestId"], call.message["id"]);
}

#[rstest]
#[case::ten_gigabytes_by_length(Answer::Flood(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 10000000000\r\n\r\n".to_vec(), vec![b' '; 65536]))]
#[case::without_end(Answer::Flood(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n".to_vec(), vec![b'['; 65536]))]
fn an_answer_that_is_too_large(#[case] answer: Answer) {
    let (talk, _server) = calls(SMALL, move |_| answer.clone());
    let reply = talk.find();
    assert_failed(&reply);
    assert_eq!(reply.raw.failure, Some(Failure::TooLarge(SMALL.bytes)));
}

#[rstest]
#[case::at_once(Answer::End(Vec::new()))]
#[case::in_the_headers(Answer::End(b"HTTP/1.1 200 OK\r\ncontent-".to_vec()))]
#[case::in_the_body(Answer::End(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}".to_vec()))]
#[case::another_protocol(Answer::End(b"220 mail.example ESMTP\r\n".to_vec()))]
fn a_connection_that_breaks(#[case] answer: Answer) {
    let (talk, server) = calls(PATIENT, move |_| answer.clone());
    let failure = assert_failed(&talk.find());
    assert!(failure.contains("the request failed"), "{failure}");
    // The server is still there, and so are the calls.
    assert_failed(&talk.find());
    assert!(methods(&server).iter().filter(|method| *method == "initialize").count() == 1);
}

#[test]
fn an_address_where_nobody_listens() {
    let address = unused_address() + "/mcp";
    let error = Talk::at(&address, PATIENT).not_there();
    assert!(matches!(&error, TransportError::NotReachable { address: named, .. } if *named == address), "{error:?}");
}

#[rstest]
#[case::a_page(text("<!doctype html>"), "<!doctype html>")]
#[case::no_such_page(answer("404 Not Found", "", "no such page"), "404: no such page")]
#[case::only_get(answer("405 Method Not Allowed", "", ""), "405")]
#[case::an_error(answer("500 Internal Server Error", "", ""), "500")]
#[case::a_redirect(answer("302 Found", "location: http://127.0.0.1:1/\r\n", ""), "302")]
#[case::an_error_of_json_rpc(
    text("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32600,\"message\":\"no licence\"}}"),
    "no licence"
)]
fn a_server_that_does_not_begin(#[case] given: Answer, #[case] words: &str) {
    let (talk, server) = talk(PATIENT, move |_| Some(given.clone()));
    let error = talk.not_there();
    assert!(matches!(error, TransportError::DidNotStart { .. }), "{error:?}");
    assert!(error.to_string().contains(words) && error.to_string().contains(&server.address), "{error}");
}

#[test]
fn two_hundred_calls_of_which_eight_are_in_flight() {
    let (talk, _server) = calls(PATIENT, |request| {
        json(&request.response(&found(json!([request.message["params"]["arguments"]["query"]]))))
    });
    let replies = talk.at_once((0..200).map(|number| format!("query {number}")), 8);
    assert_eq!(replies.len(), 200);
    for (query, reply) in &replies {
        assert_fine(reply);
        assert_eq!(reply.items, Some(json!([query])));
    }
}

#[test]
fn a_list_of_tools_that_is_an_error_once_does_not_keep_from_calling() {
    let (talk, _server) = talk(PATIENT, |request| {
        let is_first = request.message["id"] == 2;
        (request.method() == "tools/list").then(|| match is_first {
            true => answer("500 Internal Server Error", "", ""),
            false => json(&request.response(&tools())),
        })
    });
    assert_eq!(talk.find().status, Status::Accepted);
    assert_eq!(talk.list().status, Status::Accepted);
}
