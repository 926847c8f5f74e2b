//! Whatever a server answers, reports of it come whole and cannot act on a terminal, an XML reader or a JSON reader.

use super::server::{Answer, answer, ok};
use super::trial::{PATIENT, Trial};
use conformance::ledger::RunLog;
use conformance::report::{ctrf, html, json, junit, markdown, terminal};
use rstest::rstest;
use serde_json::Value;

/// Every report of a run is whole and inert.
pub(crate) fn assert_whole_and_inert(log: &RunLog) {
    let exit = format!("exit {}\n", log.totals.exit_code);
    for verbose in [false, true] {
        let text = on_a_terminal(log, verbose);
        assert_inert(&text);
        assert!(text.ends_with(&exit), "{text}");
    }
    let text = junit::render(log).unwrap();
    assert_inert(&text);
    let own = log.totals.problems.len() + log.ledger.idle.len() + log.ledger.stale.len();
    assert_eq!(text.matches("<testcase ").count(), log.ledger.entries.len() + own, "{text}");
    assert!(text.trim_end().ends_with("</testsuites>"), "{text}");
    let text = json::text(log);
    assert_inert(&text);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json::render(log));
    let text = ctrf::text(log);
    assert_inert(&text);
    let read: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(read["results"]["summary"]["tests"], log.ledger.entries.len() + own);
    let text = markdown::render(log);
    assert_inert(&text);
    assert!(text.len() <= 1 << 20 && text.trim_end().ends_with(&format!("exit code {}", log.totals.exit_code)));
    let text = html::render(log);
    assert_inert(&text);
    assert_no_markup(&text);
    let mut text = Vec::new();
    log.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_inert(&text);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.last().unwrap()["totals"]["exit_code"], log.totals.exit_code);
}

pub(crate) fn on_a_terminal(log: &RunLog, verbose: bool) -> String {
    terminal::render(log, terminal::Style { colour: false, width: 100, quiet: false, verbose })
}

/// Nothing that a server said is markup: the only elements are those that the page itself is made of.
fn assert_no_markup(page: &str) {
    let body = &page[page.find("<body>").unwrap()..page.rfind("<script>").unwrap()];
    for element in body.split('<').skip(1) {
        let name = element.trim_start_matches('/').split([' ', '>']).next().unwrap();
        let known = "body header h1 h2 p strong main table caption thead tbody tr th td a div span form label input \
                     fieldset legend button section details summary code pre del ins ul li";
        assert!(known.split_whitespace().any(|known| known == name), "<{name}> stands in the page");
    }
}

#[rstest]
#[case::a_script(answer("404 <img src=x onerror=alert(1)>", "", r#"{"error":"<script>alert(1)</script>"}"#))]
#[case::markdown(ok("| a | b |\n```\n</details><img src=x> [x](javascript:alert(1))"))]
#[case::no_json(ok("\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\r\n\0"))]
#[case::a_refusal(answer("404 Not Found", "", r#"{"error":"\u001b[2J\u009b31m\u202e\r\n\u0000"}"#))]
#[case::results(ok(r#"{"data":[{"frame_id":"\u001b]0;owned\u0007","frame_url":"\u001b[2J","timestamp":"\u202e"}]}"#))]
#[case::a_key_twice(ok(r#"{"\u001b[2J\u202e":1,"\u001b[2J\u202e":2}"#))]
#[case::markup(ok("</testcase>]]>&lt;<!-- \u{fffe}"))]
#[case::headers(Answer::Bytes(b"HTTP/1.1 404 \x1b[2J\r\nx: \x9b31m\xff\r\nconnection: close\r\n\r\n".to_vec()))]
fn what_acts_on_a_terminal_is_shown_inert(#[case] answer: Answer) {
    let trial = Trial::of(answer, PATIENT);
    assert_eq!(trial.unreachable.map(|error| error.to_string()), None);
    assert_whole_and_inert(&trial.log);
}

/// No control character but the line feed, and nothing that turns or hides what stands around it.
fn assert_inert(text: &str) {
    let acts = |character: &char| {
        character.is_control() && *character != '\n'
            || matches!(character, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
    };
    let found: Vec<char> = text.chars().filter(acts).collect();
    assert!(found.is_empty(), "{found:?} stand in {text:?}");
}
