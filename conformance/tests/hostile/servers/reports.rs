//! Whatever a server answers, reports of it come whole and inert.

use super::tried;
use crate::reports::assert_whole_and_inert;
use crate::trial::PATIENT;
use rstest::rstest;
use testing::{Answer, answer, ok};

#[rstest]
#[case::a_script(answer("404 <img src=x onerror=alert(1)>", "", r#"{"error":"<script>alert(1)</script>"}"#))]
#[case::markdown(ok("| a | b |\n```\n</details><img src=x> [x](javascript:alert(1))"))]
#[case::no_json(ok("\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\r\n\0"))]
#[case::a_refusal(answer("404 Not Found", "", r#"{"error":"\u001b[2J\u009b31m\u202e\r\n\u0000"}"#))]
#[case::results(ok(r#"{"data":[{"frame_id":"\u001b]0;owned\u0007","frame_url":"\u001b[2J","timestamp":"\u202e"}]}"#))]
#[case::a_key_twice(ok(r#"{"\u001b[2J\u202e":1,"\u001b[2J\u202e":2}"#))]
#[case::markup(ok("</testcase>]]>&lt;<!-- \u{fffe}"))]
#[case::headers(Answer::End(b"HTTP/1.1 404 \x1b[2J\r\nx: \x9b31m\xff\r\nconnection: close\r\n\r\n".to_vec()))]
fn what_acts_on_a_terminal_is_shown_inert(#[case] answer: Answer) {
    let trial = tried(answer, PATIENT);
    assert_eq!(trial.unreachable.map(|error| error.to_string()), None);
    assert_whole_and_inert(&trial.log);
}
