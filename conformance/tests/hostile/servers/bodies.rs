//! Answers that come whole, and whose bodies are not what is due.

use super::{tried, tried_file};
use crate::reports::assert_whole_and_inert;
use crate::trial::{PATIENT, on_a_terminal};
use conformance::model::Verdict;
use conformance::report::{html, json, junit, markdown};
use conformance::targets::{Address, EndpointFile, TargetFile};
use rstest::rstest;
use testing::{Server, ok};

#[rstest]
#[case::nothing("")]
#[case::half_json(r#"{"data": [{"frame_id": 1"#)]
#[case::html("<!doctype html><title>It works!</title>")]
#[case::a_byte_order_mark("\u{feff}{\"data\":[]}")]
#[case::not_a_number(r#"{"data":[{"timestamp":NaN}]}"#)]
#[case::infinity(r#"{"data":[{"timestamp":-Infinity}]}"#)]
#[case::a_number_too_large(r#"{"data":[{"timestamp":1e999}]}"#)]
#[case::two_values(r#"{"data":[]}{"data":[]}"#)]
#[case::single_quotes("{'data':[]}")]
#[case::zeros("\0\0\0\0")]
fn a_body_that_is_no_json(#[case] body: &str) {
    let trial = tried(ok(body), PATIENT);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    assert_eq!(trial.exchange(0)["raw"]["bytes"], body.len());
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Pass));
    assert_eq!(trial.violated(), ["http.json"], "it is reported once");
    assert_eq!(trial.log.totals.exit_code, 1);
    assert_whole_and_inert(&trial.log);
}

/// Calls that are allowed, against a server that gives one answer to everything.
#[rstest]
#[case::recall_html("recall", "<!doctype html>", &["http.json"], 1)]
#[case::memory_html("memory", "<!doctype html>", &["http.json"], 1)]
#[case::recall_without_items("recall", r#"{"error":"no index"}"#, &[], 3)]
#[case::recall_with_other_objects("recall", r#"{"results":[{"word":"tea"}]}"#, &[], 3)]
#[case::memory_without_entries("memory", r#"{"error":"no index"}"#, &["memory.answer-entries"], 1)]
fn an_answer_that_cannot_be_read_fails_its_form_once(
    #[case] contract: &str,
    #[case] body: &'static str,
    #[case] violated: &[&str],
    #[case] exit_code: u8,
) {
    let server = Server::new(move |_| ok(body));
    let mut endpoint = EndpointFile::new(contract, Address::Http(server.address.clone()));
    endpoint.arguments.insert("memoryId".to_owned(), "m-1".into());
    let file = TargetFile { name: "hostile".to_owned(), endpoints: vec![endpoint], ..TargetFile::default() };
    let trial = tried_file(&file, if contract == "memory" { "answer" } else { "live" });
    assert_eq!(trial.violated(), violated, "{}", trial.everything_said());
    assert_eq!(trial.log.totals.exit_code, exit_code);
}

/// JSON's grammar allows it, and writers that cut a text between two units make it.
#[test]
fn half_a_surrogate_pair_is_json() {
    let trial = tried(ok(r#"{"data":[],"more":"\ud800"}"#), PATIENT);
    assert_eq!(trial.verdict("http.json"), Some(Verdict::Pass));
    assert_eq!(trial.exchange(0)["answer"]["body"]["more"], "\u{fffd}");
    assert_whole_and_inert(&trial.log);
}

#[rstest]
#[case::arrays("[", 10_000)]
#[case::arrays_in_the_results("{\"data\":[", 10_000)]
#[case::arrays_up_to_the_limit_of_size("[", 8_000_000)]
fn a_body_that_is_nested_more_deeply_than_we_read(#[case] open: &str, #[case] times: usize) {
    let trial = tried(ok(open.repeat(times)), PATIENT);
    assert_eq!(trial.violated(), [""; 0], "how deep we read is our own limit");
    assert_eq!(trial.log.totals.exit_code, 3);
    assert!(trial.everything_said().contains("nest deeper than 127"), "{}", trial.everything_said());
    assert_whole_and_inert(&trial.log);
}

#[rstest]
#[case::before_the_json(b"\xff\xfe{\"data\":[]}", 0)]
#[case::in_a_text(b"{\"data\":[],\"x\":\"caf\xe9\"}", 19)]
#[case::half_a_character(b"{\"data\":[],\"x\":\"\xc3\"}", 16)]
#[case::a_surrogate(b"{\"data\":[],\"x\":\"\xed\xa0\x80\"}", 16)]
fn a_body_that_is_not_utf_8(#[case] body: &[u8], #[case] at: usize) {
    let trial = tried(ok(body), PATIENT);
    assert_eq!(trial.exchange(0)["raw"]["not_utf8_at"], at);
    assert_eq!(trial.verdict("http.json"), Some(Verdict::Fail));
    assert_whole_and_inert(&trial.log);
}

#[rstest]
#[case::at_the_top(r#"{"data":[],"data":[]}"#)]
#[case::deep_inside(r#"{"data":[],"more":[{"x":{"id":1,"id":1}}]}"#)]
#[case::one_of_them_escaped(r#"{"data":[],"\u0064ata":[]}"#)]
#[case::very_many(&format!("{{{}\"data\":[]}}", r#""a":1,"#.repeat(20_000)))]
fn a_key_that_occurs_twice(#[case] body: &str) {
    let trial = tried(ok(body), PATIENT);
    assert_eq!(trial.verdict("http.json"), Some(Verdict::Pass));
    assert_eq!(trial.verdict("http.no-duplicate-keys"), Some(Verdict::Fail));
    assert!(trial.finding("http.no-duplicate-keys").unwrap().details.len() <= 5);
    assert_ne!(trial.log.totals.exit_code, 1, "it is advice");
    assert_whole_and_inert(&trial.log);
}

#[rstest]
#[case::null("null")]
#[case::a_number("7")]
#[case::no_results("{}")]
#[case::results_that_are_no_list(r#"{"data":{"a":1}}"#)]
#[case::results_that_are_texts(r#"{"data":["a","b"]}"#)]
#[case::results_that_are_nothing(r#"{"data":[null,null]}"#)]
#[case::results_of_odd_types(r#"{"data":[{"frame_id":[],"timestamp":{},"frame_url":7}]}"#)]
#[case::more_results_than_were_asked_for(&format!("{{\"data\":[{}{{}}]}}", "{},".repeat(20_000)))]
fn json_that_is_no_page_of_results(#[case] body: &str) {
    let trial = tried(ok(body), PATIENT);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    assert_eq!(trial.verdict("http.json"), Some(Verdict::Pass));
    assert_whole_and_inert(&trial.log);
}

#[rstest]
#[case::texts(r#"{"data":["a"]}"#)]
#[case::nothing(r#"{"data":[null]}"#)]
#[case::empty_objects(r#"{"data":[{}]}"#)]
fn results_without_fields_fail(#[case] body: &str) {
    let trial = tried(ok(body), PATIENT);
    assert_eq!(trial.verdict("recall.item-frame-id"), Some(Verdict::Fail));
    assert_eq!(trial.verdict("recall.item-timestamp"), Some(Verdict::Fail));
    assert_eq!(trial.log.totals.exit_code, 1);
}

/// The counterexamples of a missing field name the requirement on types too, and never the other way round.
#[test]
fn what_follows_from_another_failure_says_so_and_comes_behind_it() {
    let item = r#"{"frame_id":1,"app_name":"","window_name":"","focused":true,"browser_url":"","ocr_snippet":"","frame_url":"/1"}"#;
    let trial = tried(ok(format!("{{\"data\":[{item}]}}")), PATIENT);
    let entries = &trial.log.ledger.entries;
    let place = |id: &str| entries.iter().position(|entry| entry.finding.requirement == id).unwrap();
    let (cause, consequence) = (place("recall.item-timestamp"), place("recall.item-types"));
    assert_eq!(entries[cause].follows, None);
    assert_eq!(entries[consequence].follows.as_deref(), Some("recall.item-timestamp"));
    assert!(cause < consequence);
    let said = "follows from recall.item-timestamp";
    assert!(on_a_terminal(&trial.log, true).contains(said));
    assert!(html::render(&trial.log).contains(said));
    assert!(junit::render(&trial.log).unwrap().contains(said));
    assert!(markdown::render(&trial.log).contains(said));
    assert!(json::text(&trial.log).contains("\"follows\": \"recall.item-timestamp\""));
}
