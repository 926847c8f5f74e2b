//! HTTP: what a status says, with and without words.

use super::server::{answer, but, calls, json, talk};
use super::talk::{PATIENT, Talk, assert_failed, assert_fine, codes, found};
use conformance::model::{Failure, Status};
use conformance::transport::TransportError;
use rstest::rstest;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use testing::Answer;

/// An error about the arguments, as JSON-RPC has it, without an id.
const ABOUT_ARGUMENTS: &str =
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,\"message\":\"limit must be positive\"}}";
const JSON: &str = "content-type: application/json\r\n";

#[rstest]
#[case::bad_request("400 Bad Request")]
#[case::not_found("404 Not Found")]
#[case::unprocessable("422 Unprocessable Content")]
fn a_refusal_with_a_status(#[case] status: &'static str) {
    let (talk, _server) = calls(PATIENT, move |_| answer(status, JSON, ABOUT_ARGUMENTS));
    let reply = talk.find();
    assert_eq!(reply.status, Status::Refused, "{:?}", reply.raw);
    assert_eq!(codes(&reply), [""; 0], "an error that goes with a status may come without an id");
    assert_eq!(reply.answer["error"]["code"], -32602);
}

#[rstest]
#[case::bad_request("400 Bad Request", "")]
#[case::bad_request_in_words("400 Bad Request", "limit must be positive")]
#[case::bad_request_in_json("400 Bad Request", "{\"error\":\"limit must be positive\"}")]
#[case::another_error(
    "400 Bad Request",
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"No session\"}}"
)]
#[case::no_method(
    "404 Not Found",
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32601,\"message\":\"No method\"}}"
)]
#[case::forbidden("403 Forbidden", ABOUT_ARGUMENTS)]
#[case::only_get("405 Method Not Allowed", ABOUT_ARGUMENTS)]
#[case::not_acceptable("406 Not Acceptable", ABOUT_ARGUMENTS)]
#[case::late("408 Request Timeout", ABOUT_ARGUMENTS)]
#[case::too_many("429 Too Many Requests", ABOUT_ARGUMENTS)]
#[case::a_redirect("302 Found", "")]
#[case::not_changed("304 Not Modified", "")]
#[case::nothing_to_say("204 No Content", "")]
#[case::taken_for_a_notification("202 Accepted", "")]
fn a_status_that_refuses_no_argument(#[case] status: &'static str, #[case] body: &'static str) {
    let (talk, _server) = calls(PATIENT, move |_| answer(status, JSON, body));
    let reply = talk.find();
    assert_failed(&reply);
    assert_eq!(codes(&reply), [""; 0], "{reply:?}");
}

#[rstest]
#[case::of_the_older_transport("event: endpoint\ndata: /messages?sessionId=1\n\n", true)]
#[case::of_another_stream("event: message\ndata: {}\n\n", false)]
fn an_address_that_takes_get_alone(#[case] stream: &'static str, #[case] is_older: bool) {
    let server = but(move |request| match request.method() {
        "initialize" => Some(answer("405 Method Not Allowed", "", "")),
        "GET" => Some(answer("200 OK", "content-type: text/event-stream\r\n", stream)),
        _ => None,
    });
    let error = Talk::at(&server.address, PATIENT).not_there().to_string();
    assert!(error.contains("405") && error.contains("HTTP+SSE") == is_older, "{error}");
}

#[rstest]
#[case::nothing("")]
#[case::words("out of memory")]
#[case::html("<h1>502 Bad Gateway</h1>")]
#[case::a_refusal(ABOUT_ARGUMENTS)]
#[case::an_answer(
    "{\"jsonrpc\":\"2.0\",\"id\":1000003,\"result\":{\"content\":[],\"structuredContent\":{\"results\":[]}}}"
)]
fn an_error_of_the_server(
    #[case] body: &'static str,
    #[values("500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable")] status: &'static str,
) {
    let (talk, _server) = calls(PATIENT, move |_| answer(status, JSON, body));
    let reply = talk.find();
    assert_failed(&reply);
    assert!(matches!(reply.raw.failure, Some(Failure::ServerError(500..=503))));
    assert_eq!(codes(&reply), [""; 0], "{reply:?}");
}

#[rstest]
#[case::in_the_beginning("initialize")]
#[case::in_a_list("tools/list")]
#[case::in_a_call("tools/call")]
fn a_server_that_wants_a_token(#[case] method: &'static str) {
    let (talk, _server) =
        talk(PATIENT, move |request| (request.method() == method).then(|| answer("401 Unauthorized", JSON, "{}")));
    let error = talk.not_there();
    assert!(matches!(error, TransportError::NotAuthorized { .. }), "{error:?}");
    assert!(error.to_string().contains("token"), "{error}");
}

#[test]
fn a_token_that_expires_in_mid_run() {
    let called = AtomicUsize::new(0);
    let (talk, _server) = talk(PATIENT, move |request| {
        let is_late = request.method() == "tools/call" && called.fetch_add(1, Ordering::Relaxed) > 0;
        is_late.then(|| answer("401 Unauthorized", JSON, "{}"))
    });
    assert_fine(&talk.find());
    let reply = talk.find();
    assert!(matches!(reply.raw.failure, Some(Failure::Hindered(_))), "{:?}", reply.raw);
}

#[test]
fn a_server_that_asks_to_wait() {
    let asked = AtomicUsize::new(0);
    let (talk, _server) = calls(PATIENT, move |request| match asked.fetch_add(1, Ordering::Relaxed) {
        0 => answer("503 Service Unavailable", "retry-after: 0\r\n", ""),
        1 => json(&request.response(&found(serde_json::json!([{ "n": 1 }])))),
        _ => answer("503 Service Unavailable", "retry-after: 3600\r\n", ""),
    });
    let reply = talk.find();
    assert_fine(&reply);
    assert_eq!(reply.raw.retried, ["after the status 503, a pause of 1 s"]);
    let reply = talk.find();
    assert!(matches!(reply.raw.failure, Some(Failure::Hindered(_))), "{:?}", reply.raw);
}

#[test]
fn a_redirect_on_the_own_origin_is_followed() {
    let (talk, server) = talk(PATIENT, |request| {
        let to = "location: /mcp/\r\n";
        request.head[0].starts_with("POST /mcp ").then(|| answer("307 Temporary Redirect", to, ""))
    });
    assert_fine(&talk.find());
    assert!(server.requests().iter().any(|request| request.target() == "/mcp/"));
}

#[test]
fn a_redirect_to_elsewhere_is_not_followed() {
    let (other, elsewhere) = talk(PATIENT, |_| None);
    let to = format!("location: {}\r\n", elsewhere.address);
    let (talk, _server) = calls(PATIENT, move |_| answer("307 Temporary Redirect", &to, ""));
    assert!(assert_failed(&talk.find()).contains("307"));
    assert!(elsewhere.connections() == 0);
    drop(other);
}

#[rstest]
#[case::with_an_answer(json(&json!({ "jsonrpc": "2.0", "id": 7, "result": {} })))]
#[case::with_a_stream_that_stays_open(Answer::Hang(crate::mcp::server::events("")))]
#[case::with_an_error(answer("400 Bad Request", "", ""))]
fn a_notification_that_is_answered(#[case] given: Answer) {
    let (talk, _server) =
        talk(PATIENT, move |request| request.method().starts_with("notifications").then(|| given.clone()));
    assert_fine(&talk.find());
}
