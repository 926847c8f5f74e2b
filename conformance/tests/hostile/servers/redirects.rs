//! Redirects and addresses in answers: followed on the target's own origin, never asked for anywhere else.

use super::{FRAMES, SEARCH, tried_at};
use crate::reports::assert_whole_and_inert;
use crate::trial::{PATIENT, Trial};
use conformance::model::Verdict;
use rstest::rstest;
use testing::{Server, ok, redirect};

/// Redirects that end within this many are followed.
const MOST: usize = 5;

#[test]
fn a_redirect_to_another_origin_is_not_followed() {
    let other = Server::new(|_| ok(r#"{"data":[]}"#));
    let to = format!("{}/api/v1/search", other.address);
    let server = Server::new(move |_| redirect(&to));
    let trial = tried_at(&server.address, SEARCH, PATIENT);
    assert_not_answered(&trial);
    assert_eq!(server.requests().len(), 1);
    assert!(other.connections() == 0, "the other server was asked: {:?}", other.requests());
}

#[rstest]
#[case::a_file("file:///etc/passwd")]
#[case::a_file_by_another_name("FILE:///etc/passwd")]
#[case::data("data:application/json,{}")]
#[case::another_protocol("ftp://127.0.0.1/")]
#[case::an_encrypted_twin("https://127.0.0.1/")]
#[case::no_address("http://[")]
#[case::a_word_that_is_no_port("http://127.0.0.1:port/")]
fn a_redirect_to_something_else_is_not_followed(#[case] to: &str) {
    let to = to.to_owned();
    let server = Server::new(move |_| redirect(&to));
    let trial = tried_at(&server.address, SEARCH, PATIENT);
    assert_not_answered(&trial);
    assert_eq!(server.requests().len(), 1);
}

#[rstest]
#[case::to_itself("/api/v1/search")]
#[case::to_somewhere_else("/again")]
fn a_loop_of_redirects_is_left(#[case] to: &'static str) {
    let server = Server::new(move |_| redirect(to));
    let trial = tried_at(&server.address, SEARCH, PATIENT);
    assert_not_answered(&trial);
    assert_eq!(server.requests().len(), 1 + MOST);
}

#[test]
fn a_few_redirects_on_the_own_origin_lead_to_the_answer() {
    let server = Server::new(|asked| match asked.target().strip_prefix("/step/").map(str::parse) {
        None => redirect("/step/1"),
        Some(Ok(MOST)) => ok(r#"{"data":[]}"#),
        Some(step) => redirect(&format!("{}", step.unwrap() + 1)),
    });
    let trial = tried_at(&server.address, SEARCH, PATIENT);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    assert_eq!(trial.verdict("recall.search-offered"), Some(Verdict::Pass));
    assert_eq!(server.requests().len(), 1 + MOST);
}

#[rstest]
#[case::in_full("http://{other}/frames/1")]
#[case::by_host_alone("//{other}/frames/1")]
#[case::with_backslashes("\\\\{other}\\frames\\1")]
#[case::with_the_target_as_its_user("http://{own}@{other}/frames/1")]
#[case::with_blanks_around_it(" \thttp://{other}/frames/1 ")]
#[case::by_another_scheme("https://{other}/frames/1")]
fn a_frame_on_another_origin_is_not_asked_for(#[case] address: &str) {
    let other = Server::new(|_| ok("{}"));
    let host = |server: &str| server.trim_start_matches("http://").to_owned();
    let address = address.replace("{other}", &host(&other.address)).replace("{own}", "127.0.0.1");
    let server =
        Server::new(move |_| ok(serde_json::json!({ "data": [{ "frame_id": 1, "frame_url": address }] }).to_string()));
    let trial = tried_at(&server.address, FRAMES, PATIENT);
    assert_eq!(trial.exchange(1)["status"], "failed");
    assert_eq!(trial.verdict("recall.frame-url-answers"), Some(Verdict::Incomplete));
    let is_search = |asked: &testing::Request| asked.target().starts_with("/api/v1/search");
    assert!(server.requests().iter().all(is_search), "the frame is asked for nowhere");
    assert!(other.connections() == 0, "the other server was asked: {:?}", other.requests());
    assert_whole_and_inert(&trial.log);
}

fn assert_not_answered(trial: &Trial) {
    assert_eq!(trial.exchange(0)["status"], "failed");
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], "hindered");
    assert_eq!(trial.verdict("http.answers"), None);
    assert_eq!(trial.verdict("recall.search-offered"), Some(Verdict::Incomplete));
    assert_eq!(trial.log.totals.exit_code, 3);
    assert_whole_and_inert(&trial.log);
}
