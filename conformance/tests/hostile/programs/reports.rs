//! Whatever a program prints, reports of it come whole and inert.

use super::tried;
use crate::reports::assert_whole_and_inert;
use crate::trial::{PATIENT, on_a_terminal};
use rstest::rstest;
use serde_json::Value;

#[rstest]
#[case::on_its_output(
    r"printf '\033]0;owned\007\033[2J\033[31mH records=1\033[0m \a\b\v\f\001\177 \302\233 31m \302\205\n'"
)]
#[case::in_its_answer(
    r"printf 'H records=\033[31m\302\233\177 store=\033c mode=\342\200\256drow truncated=\000\n'; head -c 99 /dev/zero"
)]
#[case::in_its_complaint(r"printf '\033[2Jno\302\233store\177\342\200\256\r\n\0' >&2; exit 1")]
#[case::as_markup(r"printf '</testcase>]]>&lt;<!-- \377\376\n'")]
#[case::before_it_crashes("kill -SEGV $$")]
fn what_acts_on_a_terminal_is_shown_inert(#[case] script: &str) {
    let log = tried(script, PATIENT).0.log;
    assert_whole_and_inert(&log);
    assert_eq!(log.totals.exit_code, 1);
    for verbose in [false, true] {
        let text = on_a_terminal(&log, verbose);
        assert!(text.contains("\nVIOLATED "), "{text}");
    }
    let mut text = Vec::new();
    log.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The header, the case and its exchange, the findings, the totals.
    assert_eq!(lines.len(), 1 + 2 + log.ledger.entries.len() + 1);
    for part in ["answer", "lines", "parsed", "problems"] {
        assert_eq!(lines[2]["exchange"]["evidence"][part], log.cases[0].evidence[0][0][part]);
    }
}
