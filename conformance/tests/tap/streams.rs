//! MCP over standard streams.

use super::mcp::{call, found, hello, tools};
use super::{Listening, now, request, result};
use conformance::model::{Header, Keep};
use conformance::spill::Spill;
use conformance::tap::{Behind, Direction, Options};
use serde_json::json;

/// A program that has said who it is and listed its tools.
fn begun() -> Listening {
    begin(Listening::program())
}

fn begin(mut listening: Listening) -> Listening {
    listening.says(&request(json!(0), "initialize", json!({ "capabilities": { "roots": {} } })));
    listening.hears(&result(json!(0), hello()).to_string());
    listening.says(&request(json!(1), "tools/list", json!({})));
    listening.hears(&result(json!(1), tools()).to_string());
    listening
}

#[test]
fn answers_may_come_in_any_order() {
    let mut listening = begun();
    listening.says(&call(json!("a")));
    listening.says(&call(json!("b")));
    listening.hears(&result(json!("b"), found(0)).to_string());
    listening.hears(&result(json!("a"), found(0)).to_string());
    let report = listening.end();
    assert_eq!((report.violated(), report.heard()), (Vec::new(), (3, Vec::new())));
}

#[rstest::rstest]
#[case::what_findings_point_to(Keep::Found)]
#[case::all_in_memory(Keep::All)]
#[case::lines_of_a_log(Keep::Shelved(Spill::new().unwrap()))]
fn what_is_kept_changes_nothing_about_what_is_judged(#[case] keep: Keep) {
    let program = Behind::Program(vec!["server".to_owned()]);
    let mut listening = begin(Listening::to(&program, &Options { keep, ..Options::default() }));
    for (id, entries) in [(2, 0), (3, 1)] {
        listening.says(&call(json!(id)));
        listening.hears(&result(json!(id), found(entries)).to_string());
    }
    let mut header = Header::of("test", now().fixed_offset(), false, 0, <_>::default());
    let run = listening.tap.finish(&mut header);
    let failed = run.cases.iter().flat_map(|case| &case.findings).filter(|finding| !finding.details.is_empty());
    assert_eq!(failed.map(|finding| finding.requirement.as_str()).collect::<Vec<_>>(), ["memory.count-entries"]);
    let heard = header.tap.unwrap();
    assert_eq!((heard.judged, heard.not_judged.len()), (3, 0));
}

#[test]
fn noise_belongs_to_the_answer_after_it() {
    let mut listening = begun();
    listening.says(&call(json!(2)));
    listening.hears("Server is ready!");
    listening.hears(&result(json!(2), found(0)).to_string());
    assert_eq!(listening.end().violated(), ["mcp.no-noise"]);
}

#[test]
fn a_response_that_nobody_asked_for_is_noticed() {
    let mut listening = begun();
    listening.hears(&result(json!(77), json!({})).to_string());
    listening.says(&call(json!(2)));
    listening.hears(&result(json!(2), found(0)).to_string());
    listening.says(&call(json!(3)));
    listening.hears(&result(json!(3), found(0)).to_string());
    assert_eq!(listening.end().violated(), ["mcp.response-id"]);
}

#[test]
fn what_was_missed_is_held_against_nobody() {
    let mut listening = begun();
    listening.tap.missed(Direction::ToServer);
    listening.tap.streamed(Direction::ToServer, b" the end of a line\n", now());
    listening.hears(&result(json!(77), json!({})).to_string());
    listening.says(&call(json!(2)));
    listening.hears(&result(json!(2), found(0)).to_string());
    let report = listening.end();
    assert_eq!((report.violated(), report.heard().0), (Vec::new(), 2));
}

#[test]
fn questions_of_the_server_and_notifications_pass() {
    let mut listening = begun();
    listening.says(&call(json!(2)));
    listening.hears(&request(json!(2), "roots/list", json!({})).to_string());
    listening.says(&result(json!(2), json!({ "roots": [] })));
    listening.hears(&json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": {} }).to_string());
    listening.hears(&result(json!(2), found(0)).to_string());
    assert_eq!(listening.end().violated(), Vec::<&str>::new());
}

#[test]
fn a_request_that_is_taken_back_needs_no_answer() {
    let mut listening = begun();
    listening.says(&call(json!(2)));
    let params = json!({ "requestId": 2 });
    listening.says(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    listening.hears(&result(json!(2), json!("cut off")).to_string());
    let report = listening.end();
    assert_eq!(report.violated(), Vec::<&str>::new());
    assert_eq!(report.heard().1, [("the client did not want the answer any more", 1)]);
}

#[test]
fn a_batch_is_as_many_messages() {
    let mut listening = begun();
    listening.says(&json!([call(json!(2)), call(json!(3))]));
    listening.hears(&json!([result(json!(3), found(0)), result(json!(2), found(1))]).to_string());
    let report = listening.end();
    assert_eq!(report.heard().0, 3);
    assert!(report.violated().contains(&"memory.count-entries"));
}

#[test]
fn a_program_that_ends_answers_nothing_more() {
    let mut listening = begun();
    listening.says(&call(json!(2)));
    listening.tap.program_ended("the server ended (signal: 11)", now());
    assert_eq!(listening.end().violated(), ["mcp.answers"]);
}

#[test]
fn a_line_beyond_the_cap_is_counted() {
    let mut listening = begun();
    listening.says(&call(json!(2)));
    let line = vec![b' '; conformance::tap::MOST_BYTES + 1];
    listening.tap.streamed(Direction::ToClient, &line, now());
    listening.tap.streamed(Direction::ToClient, b"\n", now());
    listening.says(&call(json!(3)));
    listening.hears(&result(json!(3), found(0)).to_string());
    let report = listening.end();
    assert_eq!((report.violated(), report.heard().0), (Vec::new(), 2));
    assert_eq!(report.heard().1.iter().map(|(_, count)| count).sum::<usize>(), 1);
}

#[test]
fn what_is_under_way_at_the_end_is_counted() {
    let mut listening = begun();
    listening.says(&call(json!(2)));
    assert_eq!(listening.end().heard().1, [("it was under way when the tap ended", 1)]);
}
