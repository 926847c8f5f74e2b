//! HTTP: answers that come as a stream of events.

use super::server::{but, calls, events, methods, talk};
use super::talk::{PATIENT, SMALL, SOON, Talk, assert_failed, assert_fine, codes, found};
use conformance::model::Failure;
use rstest::rstest;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use testing::{Answer, Request};

/// The answer to a call.
fn good(request: &Request) -> String {
    request.response(&found(json!(["caf\u{e9}"]))).to_string()
}

#[rstest]
#[case::plain("data: {good}\n\n", &[])]
#[case::with_its_type("event: message\ndata: {good}\n\n", &[])]
#[case::without_a_blank("data:{good}\n\n", &[])]
#[case::carriage_returns_and_line_feeds("event: message\r\ndata: {good}\r\n\r\n", &[])]
#[case::carriage_returns("data: {good}\r\r", &[])]
#[case::a_byte_order_mark("\u{feff}data: {good}\n\n", &[])]
#[case::comments(": hello\n\n:\n\ndata: {good}\n: more\n\n", &[])]
#[case::an_id_and_a_time("id: 7\nretry: 100\ndata: {good}\n\n", &[])]
#[case::an_event_without_data("id: 7\ndata:\n\ndata: {good}\n\n", &[])]
#[case::an_event_with_a_blank("id: 7\ndata: \n\ndata: {good}\n\n", &[])]
#[case::fields_of_tomorrow("colour: red\nsize\ndata: {good}\n\n", &[])]
#[case::fields_twice("id: 1\nid: 2\nevent: x\nevent: message\nretry: 1\nretry: 2\ndata: {good}\n\n", &[])]
#[case::a_time_that_is_none("retry: soon\ndata: {good}\n\n", &[])]
#[case::data_on_many_lines("data: {split}\n\n", &[])]
#[case::events_of_another_type("event: ping\ndata: 2024-05-05\n\ndata: {good}\n\n", &[])]
#[case::blank_lines("\n\n\n\ndata: {good}\n\n", &[])]
#[case::a_notification_before("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\ndata: {good}\n\n", &[])]
#[case::a_batch("data: [{good}]\n\n", &["envelope"])]
#[case::noise_before("data: hello\n\ndata: {good}\n\n", &["noise"])]
fn an_answer_in_a_stream(
    #[case] stream: &'static str,
    #[case] problems: &[&str],
    #[values(false, true)] in_pieces: bool,
) {
    let (talk, _server) = calls(PATIENT, move |request| {
        let good = good(request);
        let split = good.replace(",\"", "\ndata: ,\"");
        let bytes = events(&stream.replace("{good}", &good).replace("{split}", &split));
        if in_pieces { Answer::Pieces(bytes) } else { Answer::End(bytes) }
    });
    for _ in 0..2 {
        let reply = talk.find();
        assert_eq!(codes(&reply), problems, "{:?}", reply.problems);
        assert_eq!(reply.items, Some(json!(["caf\u{e9}"])), "{reply:?}");
    }
}

#[test]
fn a_second_answer() {
    // In one piece: whatever arrives after the answer may arrive too late to be read.
    let (talk, _server) = calls(PATIENT, |request| {
        let good = good(request);
        Answer::End(events(&format!("data: {good}\n\ndata: {good}\n\n")))
    });
    let reply = talk.find();
    assert_eq!(codes(&reply), ["id"], "{:?}", reply.problems);
    assert_eq!(reply.items, Some(json!(["caf\u{e9}"])), "{reply:?}");
}

#[test]
fn bytes_that_are_not_utf_8() {
    let (talk, _server) = calls(PATIENT, |request| {
        let message = request.response(&found(json!(["caf!"]))).to_string();
        let mut bytes = events(&format!("data: {message}\n\n"));
        bytes.iter_mut().filter(|byte| **byte == b'!').for_each(|byte| *byte = 0xe9);
        Answer::End(bytes)
    });
    let reply = talk.find();
    assert_fine(&reply);
    assert!(reply.raw.not_utf8_at.is_some());
}

#[test]
fn questions_without_end_are_answered_on_few_connections() {
    let (talk, server) = calls(PATIENT, |request| {
        let ping = "data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n".repeat(20_000);
        Answer::End(events(&format!("{ping}data: {}\n\n", good(request))))
    });
    let reply = talk.find();
    assert_eq!(codes(&reply), ["noise"], "{:?}", reply.problems);
    assert!(reply.problems[0].message.contains("more than 200 times"), "{:?}", reply.problems);
    let answers = || server.requests().iter().filter(|request| request.message["id"] == "p").count();
    talk.until(|| (answers() == 200).then_some(()));
    assert!(server.connections() < 20, "{} connections", server.connections());
}

#[test]
fn questions_of_the_server_are_answered() {
    let (talk, server) = calls(PATIENT, |request| {
        let ping = "data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n";
        let sampling = "data: {\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"sampling/createMessage\"}\n\n";
        Answer::End(events(&format!("{ping}{sampling}data: {}\n\n", good(request))))
    });
    assert_eq!(codes(&talk.find()), ["undeclared"], "a ping may be sent to everybody");
    let answered = |id: &str| server.requests().into_iter().find(|request| request.message["id"] == id);
    // They are sent while the answer is read, so they may arrive a little later.
    let (ping, sampling) = (talk.until(|| answered("p")), talk.until(|| answered("s")));
    assert_eq!(ping.message["result"], json!({}));
    assert_eq!(sampling.message["error"]["code"], -32601);
}

#[test]
fn a_stream_that_stays_open_keeps_nobody_waiting() {
    let (talk, _server) = calls(PATIENT, |request| Answer::Hang(events(&format!("data: {}\n\n", good(request)))));
    for _ in 0..8 {
        assert_fine(&talk.find());
    }
}

#[rstest]
#[case::nothing("")]
#[case::comments(": hello\n\n")]
#[case::notifications("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")]
#[case::half_an_event("data: {good}\n")]
fn a_stream_that_ends_without_the_answer(#[case] stream: &'static str) {
    let (talk, server) = calls(PATIENT, move |request| Answer::End(events(&stream.replace("{good}", &good(request)))));
    let failure = assert_failed(&talk.find());
    assert!(failure.contains("ended without the response"), "{failure}");
    assert!(!methods(&server).contains(&"GET".to_owned()), "there is no event to take it up after");
}

#[rstest]
#[case::it_ends(false)]
#[case::it_breaks(true)]
fn a_stream_is_taken_up_after_its_last_event(#[case] breaks: bool) {
    let asked = AtomicUsize::new(0);
    let server = but(move |request| match request.method() {
        "tools/call" => {
            let first = "id: one\nretry: 1\ndata:\n\n";
            let open =
                format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 999\r\n\r\n{first}");
            Some(Answer::End(if breaks { open.into_bytes() } else { events(first) }))
        }
        "GET" => Some(match asked.fetch_add(1, Ordering::Relaxed) {
            0 => Answer::End(events("id: two\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")),
            1 => Answer::End(events("data: half an event")),
            // The id of the call: it follows `initialize` and `tools/list`.
            _ => Answer::End(events(&format!(
                "id: three\ndata: {}\n\n",
                json!({ "jsonrpc": "2.0", "id": 1000003, "result": found(json!([])) })
            ))),
        }),
        _ => None,
    });
    let talk = Talk::at(&server.address, PATIENT);
    assert_fine(&talk.find());
    let heard = server.requests();
    let taken_up: Vec<_> = heard.iter().filter(|request| request.method() == "GET").collect();
    let after: Vec<_> = taken_up.iter().filter_map(|request| request.header("last-event-id")).collect();
    assert_eq!(after, ["one", "two", "two"]);
    assert!(taken_up.iter().all(|request| request.header("mcp-protocol-version") == Some("2025-06-18")));
}

#[rstest]
#[case::not_at_all(None)]
#[case::for_ever(Some("id: 2\ndata:\n\n"))]
fn a_stream_that_cannot_be_taken_up(#[case] again: Option<&'static str>) {
    let (talk, server) = talk(PATIENT, move |request| match request.method() {
        "tools/call" => Some(Answer::End(events("id: 1\ndata:\n\n"))),
        "GET" => again.map(|again| Answer::End(events(again))),
        _ => None,
    });
    let failure = assert_failed(&talk.find());
    assert!(failure.contains("ended without the response"), "{failure}");
    assert!(server.requests().iter().any(|request| request.method() == "GET"));
}

#[rstest]
#[case::silent(Answer::Hang(events("")))]
#[case::half_an_event(Answer::Hang(events("data: {")))]
#[case::taken_up_too_late(Answer::End(events("id: 1\nretry: 99999\ndata:\n\n")))]
fn a_stream_that_does_not_come_in_time(#[case] answer: Answer) {
    let (talk, _server) = calls(SOON, move |_| answer.clone());
    let reply = talk.find();
    assert_failed(&reply);
    assert_eq!(reply.raw.failure, Some(Failure::TimedOut(1)));
}

#[rstest]
#[case::comments(b": hello\n\n".repeat(1000))]
#[case::notifications(b"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n".repeat(100))]
#[case::a_line(vec![b'x'; 65536])]
#[case::line_feeds(vec![b'\n'; 65536])]
fn a_stream_without_end(#[case] then: Vec<u8>) {
    let (talk, _server) = calls(SMALL, move |_| Answer::Flood(events(""), then.clone()));
    let reply = talk.find();
    assert_failed(&reply);
    assert_eq!(reply.raw.failure, Some(Failure::TooLarge(SMALL.bytes)));
}

#[test]
fn an_answer_that_is_no_json_fails_at_once() {
    let (talk, _server) = calls(PATIENT, |_| {
        Answer::Hang(events("data: {\"jsonrpc\":\"2.0\",\"id\":1000003,\"result\":{\"content\":[],\"score\":NaN}}\n\n"))
    });
    let reply = talk.find();
    assert!(assert_failed(&reply).contains("is not JSON"));
    assert_eq!(codes(&reply), ["noise"]);
}
