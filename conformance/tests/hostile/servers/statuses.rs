//! What each status means: a refusal, a failure, or a target that cannot be tested at all.

use super::{FRAMES, SEARCH, tried, tried_at};
use crate::reports::assert_whole_and_inert;
use crate::trial::{PATIENT, SUITE};
use conformance::model::{Conclusion, Verdict};
use conformance::transport::{Http, HttpOptions, Limits, TransportError};
use rstest::rstest;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use testing::{Answer, Server, answer, ok};

#[rstest]
#[case::at_once("")]
#[case::behind_what_is_shown(&" at main.rs".repeat(100))]
fn a_server_whose_source_of_data_is_not_connected_is_reported_as_that(#[case] before: &str) {
    let body = format!(r#"{{"error":"the database fails{before}: it is not connected"}}"#);
    let trial = tried(answer("503 Service Unavailable", "", body), PATIENT);
    let error = trial.unreachable.as_ref().unwrap().to_string();
    assert!(error.contains("its source of data is not connected: ") && error.contains("the database"), "{error}");
    assert!(error.len() < 600, "{error}");
    assert_eq!((trial.log.totals.exit_code, trial.violated()), (4, Vec::new()));
}

#[rstest]
#[case::internal("500 Internal Server Error", "server-error")]
#[case::unavailable("503 Service Unavailable", "server-error")]
#[case::unknown("599 ?", "server-error")]
#[case::another_protocol("101 Switching Protocols", "broken")]
fn a_status_that_answers_nothing(#[case] status: &str, #[case] failure: &str) {
    let trial = tried(answer(status, "", r#"{"data":[]}"#), PATIENT);
    assert_eq!(trial.exchange(0)["status"], "failed");
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], failure);
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Fail));
    assert_eq!(trial.verdict("recall.search-offered"), Some(Verdict::Fail));
    assert_eq!(trial.log.totals.exit_code, 1);
    let number = status.split(' ').next().unwrap();
    assert!(trial.finding("http.answers").unwrap().details[0].message.contains(number), "the status is told");
    assert_whole_and_inert(&trial.log);
}

#[rstest]
#[case::forbidden("403 Forbidden", "")]
#[case::slow_request("408 Request Timeout", "")]
#[case::too_many("429 Too Many Requests", "")]
#[case::asks_to_wait("503 Service Unavailable", "retry-after: 3600\r\n")]
#[case::asks_to_wait_until("429 Too Many Requests", "retry-after: Fri, 31 Dec 2100 23:59:59 GMT\r\n")]
#[case::asks_to_wait_for_words("429 Too Many Requests", "retry-after: a while\r\n")]
#[case::not_modified("304 Not Modified", "")]
#[case::a_redirect_to_nowhere("302 Found", "")]
fn a_status_about_the_caller_or_the_moment_condemns_nobody(#[case] status: &str, #[case] headers: &str) {
    let trial = tried(answer(status, headers, r#"{"data":[]}"#), PATIENT);
    assert_eq!(trial.exchange(0)["status"], "failed");
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], "hindered");
    assert_eq!(trial.verdict("http.answers"), None);
    assert_eq!(trial.verdict("recall.search-offered"), Some(Verdict::Incomplete));
    let number = status.split(' ').next().unwrap();
    let why = &trial.finding("recall.search-offered").unwrap().details[0].message;
    assert!(why.contains(number), "{why}");
    assert_eq!(trial.log.totals.exit_code, 3);
    assert_whole_and_inert(&trial.log);
}

#[test]
fn a_token_that_expires_in_mid_run_leaves_the_run_incomplete() {
    let server = Server::new(|asked| match asked.target().starts_with("/api/v1/search?") {
        true => ok(r#"{"data":[{"frame_url":"/frames/7"}]}"#),
        false => answer("401 Unauthorized", "", ""),
    });
    let trial = tried_at(&server.address, FRAMES, PATIENT);
    assert!(trial.unreachable.is_none());
    assert_eq!(trial.exchange(1)["raw"]["failure"]["kind"], "hindered");
    assert_eq!(trial.verdict("recall.frame-url-answers"), Some(Verdict::Incomplete));
}

#[rstest]
#[case::seconds("429 Too Many Requests", "retry-after: 0\r\n")]
#[case::no_number("429 Too Many Requests", "retry-after: soon\r\n")]
#[case::nothing("429 Too Many Requests", "")]
#[case::a_moment_that_passed("503 Service Unavailable", "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n")]
fn a_server_that_asks_to_wait_is_asked_again(#[case] status: &'static str, #[case] headers: &'static str) {
    let asked = AtomicUsize::new(0);
    let server = Server::new(move |_| match asked.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => answer(status, headers, ""),
        _ => ok(r#"{"data":[]}"#),
    });
    let trial = tried_at(&server.address, SEARCH, PATIENT);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    let number = &status[..3];
    assert_eq!(trial.log.totals.retried[0].times, 2);
    assert_eq!(trial.log.totals.retried[0].why, format!("after the status {number}, a pause of 1 s"));
    assert_eq!(trial.verdict("recall.search-offered"), Some(Verdict::Pass));
}

#[test]
fn a_server_that_asks_to_wait_for_ever_is_given_up() {
    let server = Server::new(|_| answer("429 Too Many Requests", "", ""));
    let trial = tried_at(&server.address, SEARCH, PATIENT);
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], "hindered");
    assert_eq!(server.requests().len(), 4);
    assert_eq!(trial.log.totals.exit_code, 3);
}

#[test]
fn a_frame_that_is_larger_than_we_read_is_there() {
    let server = Server::new(|asked| match asked.target().starts_with("/api/v1/search?") {
        true => ok(r#"{"data":[{"frame_url":"/frames/7"}]}"#),
        false => Answer::Flood(b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n".to_vec(), vec![0; 65536]),
    });
    let trial = tried_at(&server.address, FRAMES, PATIENT);
    assert_eq!(trial.exchange(1)["status"], "accepted");
    assert_eq!(trial.verdict("recall.frame-url-answers"), Some(Verdict::Pass));
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Pass));
}

#[test]
fn a_frame_may_have_another_name_of_this_machine() {
    let server = Server::new(|asked| {
        let host = asked.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
        match asked.target().starts_with("/api/v1/search?") {
            true => ok(format!(r#"{{"data":[{{"frame_id":7,"timestamp":1,"frame_url":"http://{host}/frames/7"}}]}}"#)),
            false => ok("{}"),
        }
    });
    let trial = tried_at(&server.address, FRAMES, PATIENT);
    assert_eq!(trial.exchange(1)["status"], "accepted");
}

#[test]
fn a_frame_url_that_is_no_address_is_not_asked() {
    let server = Server::new(|_| ok(r#"{"data":[{"frame_url":"http://[half"}]}"#));
    let trial = tried_at(&server.address, FRAMES, PATIENT);
    assert_eq!(trial.exchange(1)["raw"]["failure"]["kind"], "not-asked");
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Pass));
}

#[test]
fn a_blank_in_an_argument_is_sent_so_that_everybody_reads_it() {
    let headers = BTreeMap::new();
    let options = HttpOptions { headers: &headers, ca_cert: None, insecure: false, limits: Limits::default() };
    let http = Http::new("http://127.0.0.1:3000", &options).unwrap();
    let search = &SUITE.contract("recall").unwrap().contract.operations["search"];
    let with = json!({ "q": "one two+three" });
    let sent = http.would_send(search, with.as_object().unwrap()).unwrap();
    assert!(sent["url"].as_str().unwrap().ends_with("?q=one%20two%2Bthree"), "{sent}");
}

#[test]
fn a_frame_that_lies_elsewhere_is_there() {
    let server = Server::new(|asked| match asked.target().starts_with("/api/v1/search?") {
        true => ok(r#"{"data":[{"frame_url":"/frames/7"}]}"#),
        false => answer("302 Found", "location: https://pictures.example/7\r\n", ""),
    });
    let trial = tried_at(&server.address, FRAMES, PATIENT);
    assert_eq!(trial.exchange(1)["status"], "accepted");
    assert_eq!(trial.verdict("recall.frame-url-answers"), Some(Verdict::Pass));
}

#[rstest]
#[case::bad_request("400 Bad Request")]
#[case::not_found("404 Not Found")]
#[case::another_method("405 Method Not Allowed")]
#[case::gone("410 Gone")]
#[case::wrong_content("422 Unprocessable Content")]
fn a_refusal_is_an_answer_and_no_search(#[case] status: &str) {
    let trial = tried(answer(status, "", "nope"), PATIENT);
    assert_eq!(trial.exchange(0)["status"], "refused");
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Pass));
    assert_eq!(trial.verdict("http.json"), None, "the body of a refusal may be anything");
    assert_eq!(trial.verdict("recall.search-offered"), Some(Verdict::Fail));
    assert_eq!(trial.log.totals.exit_code, 1);
    assert_whole_and_inert(&trial.log);
}

#[test]
fn a_server_that_finds_nothing_passes_no_requirement_of_the_contract() {
    let server = Server::new(|_| answer("404 Not Found", "", ""));
    let trial = tried_at(&server.address, "", PATIENT);
    let passes = trial.log.ledger.entries.iter().map(|entry| &entry.finding).filter(|finding| {
        finding.verdict == Verdict::Pass
            && finding.requirement != "http.answers"
            // A refusal is one of the two ways not to break, and one of the two answers to a reversed window.
            && !finding.requirement.ends_with("-not-broken")
            && finding.requirement != "recall.window-reversed"
    });
    let passes: Vec<_> = passes.map(|finding| (&finding.case, &finding.requirement)).collect();
    assert!(passes.is_empty(), "{passes:?}");
    assert_eq!(trial.log.totals.exit_code, 1);
    assert_whole_and_inert(&trial.log);
}

#[rstest]
#[case::plain(answer("401 Unauthorized", "www-authenticate: Bearer\r\n", "{}"))]
#[case::broken_off(Answer::End(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 99\r\n\r\n".to_vec()))]
fn a_server_that_wants_a_token_is_not_tested(#[case] answer: Answer) {
    let trial = tried(answer, PATIENT);
    let error = trial.unreachable.unwrap();
    assert!(matches!(error, TransportError::NotAuthorized { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("401") && text.contains("token") && text.contains("http://127.0.0.1:"), "{text}");
    assert_eq!(trial.log.totals.conclusion, Conclusion::NotReachable);
    assert!(trial.log.ledger.entries.iter().all(|entry| entry.finding.verdict == Verdict::Incomplete));
    assert_whole_and_inert(&trial.log);
}

#[test]
fn a_frame_that_is_not_there_is_told_of_the_frame() {
    let server = Server::new(|asked| match asked.target().starts_with("/api/v1/search?") {
        true => ok(r#"{"data":[{"frame_url":"/frames/7"}]}"#),
        false => answer("404 Not Found", "", ""),
    });
    let trial = tried_at(&server.address, FRAMES, PATIENT);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    assert_eq!(trial.exchange(1)["status"], "refused");
    // That no frame at all is served is free, so nothing is said of the single one.
    assert_eq!(trial.verdict("recall.frame-url-answers"), Some(Verdict::Skip));
    assert!(server.requests().iter().any(|request| request.has("GET /frames/7 HTTP/1.1")));
    assert_whole_and_inert(&trial.log);
}
