//! HTTP: sessions, and the headers that go with every request.

use super::server::{answer, but, methods, talk};
use super::talk::{PATIENT, Talk, assert_failed, assert_fine, initialize};
use conformance::model::{Failure, Status};
use conformance::transport::Transport;
use rstest::rstest;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use testing::{Answer, Request, Server};

/// The beginning of a session.
fn begin(request: &Request, session: &str) -> Answer {
    let headers = format!("content-type: application/json\r\nMcp-Session-Id: {session}\r\n");
    answer("200 OK", &headers, request.response(&initialize()).to_string())
}

#[test]
fn a_session_goes_with_every_request_and_is_ended() {
    let (talk, server) = talk(PATIENT, |request| (request.method() == "initialize").then(|| begin(request, "s-1")));
    let reply = talk.find();
    assert_fine(&reply);
    assert_eq!(reply.request.sent["session"], true);
    talk.close();
    let heard = server.requests();
    assert_eq!(heard.last().unwrap().method(), "DELETE");
    for (at, request) in heard.iter().enumerate() {
        assert_eq!(request.header("mcp-session-id"), (at > 0).then_some("s-1"), "{:?}", request.head);
        assert_eq!(request.header("mcp-protocol-version"), (at > 0).then_some("2025-06-18"));
    }
}

#[test]
fn without_a_session_there_is_none_to_end() {
    let (talk, server) = talk(PATIENT, |_| None);
    assert_fine(&talk.find());
    talk.close();
    assert!(!methods(&server).contains(&"DELETE".to_owned()));
}

/// A server that begins a new session each time and knows no more than the last; some methods it forgets it at once.
fn forgetful(method: &'static str, sessions_lost: usize) -> (Talk, Server) {
    forgetful_with("404 Not Found", "no such session", method, sessions_lost)
}

/// The same, with what it says of a session that it has forgotten.
fn forgetful_with(
    status: &'static str,
    said: &'static str,
    method: &'static str,
    sessions_lost: usize,
) -> (Talk, Server) {
    let begun = AtomicUsize::new(0);
    let server = but(move |request| match request.method() {
        "initialize" => Some(begin(request, &format!("s-{}", begun.fetch_add(1, Ordering::Relaxed)))),
        asked if asked == method => {
            let session = request.header("mcp-session-id").unwrap_or_default();
            let is_lost = (0..sessions_lost).any(|lost| session == format!("s-{lost}"));
            is_lost.then(|| answer(status, "content-type: application/json\r\n", said))
        }
        _ => None,
    });
    (Talk::at(&server.address, PATIENT), server)
}

#[test]
fn a_session_that_is_lost_is_begun_anew_and_the_call_repeated() {
    let (talk, server) = forgetful("tools/call", 1);
    assert_fine(&talk.find());
    assert_fine(&talk.find());
    let begins = server.requests().into_iter().filter(|request| request.method() == "initialize");
    assert!(begins.clone().count() == 2 && begins.into_iter().all(|begin| begin.header("mcp-session-id").is_none()));
    assert_eq!(methods(&server).iter().filter(|method| *method == "tools/call").count(), 3);
}

#[test]
fn a_session_that_is_lost_with_the_status_400_is_begun_anew() {
    let error =
        r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}"#;
    let (talk, server) = forgetful_with("400 Bad Request", error, "tools/call", 1);
    assert_fine(&talk.find());
    assert_eq!(methods(&server).iter().filter(|method| *method == "initialize").count(), 2);
    let (talk, _server) = forgetful_with("400 Bad Request", error, "tools/call", 99);
    talk.find();
    let Some(Failure::NotAsked(why)) = talk.find().raw.failure else { panic!("it was asked") };
    assert!(why.contains("went away twice"), "{why}");
}

#[rstest]
#[case::json(
    "application/json",
    r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"No valid session ID"},"id":null}"#
)]
#[case::text("text/plain", "Bad Request: No valid session ID provided")]
fn sessions_that_end_after_some_answers_are_begun_anew_each_time(#[case] kind: &str, #[case] said: &'static str) {
    let head = format!("content-type: {kind}\r\n");
    let (begun, asked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let server = but(move |request| match request.method() {
        "initialize" => Some(begin(request, &format!("s-{}", begun.fetch_add(1, Ordering::Relaxed)))),
        "tools/call" => {
            let is_over = asked.fetch_add(1, Ordering::Relaxed) % 4 == 3;
            is_over.then(|| answer("400 Bad Request", &head, said))
        }
        _ => None,
    });
    let talk = Talk::at(&server.address, PATIENT);
    (0..10).for_each(|_| assert_fine(&talk.find()));
    assert_eq!(methods(&server).iter().filter(|method| *method == "initialize").count(), 4);
    assert_eq!(talk.mcp.noticed().remarks(), ["3 sessions ended during the run, and another was begun each time"]);
}

#[test]
fn a_refusal_of_an_argument_that_is_called_session_is_an_answer() {
    let server = but(move |request| match request.method() {
        "initialize" => Some(begin(request, "s-1")),
        "tools/call" => {
            let id = serde_json::from_slice::<serde_json::Value>(&request.body).unwrap()["id"].clone();
            let error = json!({ "code": -32602, "message": "`session` is not known" });
            let refusal = json!({ "jsonrpc": "2.0", "id": id, "error": error });
            Some(answer("400 Bad Request", "content-type: application/json\r\n", refusal.to_string()))
        }
        _ => None,
    });
    let talk = Talk::at(&server.address, PATIENT);
    assert!(talk.find().raw.failure.is_none());
    assert_eq!(methods(&server).iter().filter(|method| *method == "initialize").count(), 1);
}

#[test]
fn a_token_that_expires_is_no_answer_of_a_tool() {
    let calls = AtomicUsize::new(0);
    let (talk, _server) = talk(PATIENT, move |request| {
        let is_late = request.method() == "tools/call" && calls.fetch_add(1, Ordering::Relaxed) > 0;
        is_late.then(|| answer("401 Unauthorized", "", "expired"))
    });
    assert_fine(&talk.find());
    let Some(Failure::Hindered(why)) = talk.find().raw.failure else { panic!("it counts") };
    assert!(why.contains("the token was refused (401) after 1 answer"), "{why}");
}

#[test]
fn a_session_that_is_lost_while_tools_are_listed_is_begun_anew() {
    let (talk, _server) = forgetful("tools/list", 1);
    assert_eq!(talk.list().status, Status::Accepted);
    assert_fine(&talk.find());
}

#[test]
fn a_session_that_is_lost_again_and_again() {
    let (talk, server) = forgetful("tools/call", 99);
    assert!(assert_failed(&talk.find()).contains("404"));
    let Some(Failure::NotAsked(why)) = talk.find().raw.failure else { panic!("it was asked") };
    assert!(why.contains("404"), "{why}");
    assert_eq!(methods(&server).iter().filter(|method| *method == "initialize").count(), 2);
}

#[test]
fn calls_in_flight_that_lose_their_session_share_the_next() {
    let (talk, server) = forgetful("tools/call", 1);
    for (_, reply) in talk.at_once((0..40).map(|number| number.to_string()), 8) {
        assert_fine(&reply);
    }
    assert_eq!(methods(&server).iter().filter(|method| *method == "initialize").count(), 2);
}

#[test]
fn headers_of_the_user_go_with_every_request() {
    let server = but(|request| (request.method() == "initialize").then(|| begin(request, "s-1")));
    let headers = BTreeMap::from([("Authorization".to_owned(), "Bearer s3cret".to_owned())]);
    let talk = Talk::by(&server.address, &headers, PATIENT);
    assert_fine(&talk.find());
    talk.close();
    for request in server.requests() {
        assert_eq!(request.header("authorization"), Some("Bearer s3cret"), "{:?}", request.head);
    }
}

#[rstest]
#[case::older(json!("2024-11-05"), Some("2024-11-05"))]
#[case::of_tomorrow(json!("2099-01-01"), Some("2099-01-01"))]
#[case::none(json!(null), None)]
#[case::no_text(json!(7), None)]
fn the_revision_that_the_server_names_goes_with_every_request(
    #[case] revision: serde_json::Value,
    #[case] header: Option<&str>,
) {
    let (talk, server) = talk(PATIENT, move |request| {
        let mut result = initialize();
        result["protocolVersion"] = revision.clone();
        (request.method() == "initialize").then(|| super::server::json(&request.response(&result)))
    });
    assert_fine(&talk.find());
    assert!(server.requests()[1..].iter().all(|request| request.header("mcp-protocol-version") == header));
}

#[rstest]
#[case::a_line_feed("1\r\nx: y")]
#[case::no_ascii("\u{e9}")]
fn a_revision_that_is_no_header_is_not_sent(#[case] revision: &'static str) {
    let (talk, _server) = talk(PATIENT, move |request| {
        let mut result = initialize();
        result["protocolVersion"] = json!(revision);
        (request.method() == "initialize").then(|| super::server::json(&request.response(&result)))
    });
    assert_fine(&talk.find());
}
