//! Whatever a program prints, reports of it come whole and cannot act on a terminal, an XML reader or a JSON reader.

use super::trial::Trial;
use conformance::report::{json, junit, terminal};
use rstest::rstest;
use serde_json::Value;

/// Every way to act on a terminal, in what is printed and in what is complained of.
const SCRIPTS: [&str; 5] = [
    r"printf '\033]0;owned\007\033[2J\033[31mH records=1\033[0m \a\b\v\f\001\177 \302\233 31m \302\205\n'",
    r"printf 'H records=\033[31m\302\233\177 store=\033c mode=\342\200\256drow truncated=\000\n'; head -c 99 /dev/zero",
    r"printf '\033[2Jno\302\233store\177\342\200\256\r\n\0' >&2; exit 1",
    r"printf '</testcase>]]>&lt;<!-- \377\376\n'",
    "kill -SEGV $$",
];

#[rstest]
fn a_terminal_shows_it_inert(#[values(0, 1, 2, 3, 4)] script: usize, #[values(false, true)] verbose: bool) {
    let log = Trial::of(SCRIPTS[script], 60).log;
    let text = terminal::render(&log, terminal::Style { colour: false, width: 100, quiet: false, verbose });
    assert_inert(&text);
    assert!(
        text.contains(
            "
VIOLATED "
        ),
        "{text}"
    );
    assert!(text.ends_with("exit 1\n"), "{text}");
}

#[rstest]
fn junit_shows_it_inert_and_whole(#[values(0, 1, 2, 3, 4)] script: usize) {
    let log = Trial::of(SCRIPTS[script], 60).log;
    let text = junit::render(&log).unwrap();
    assert_inert(&text);
    assert_eq!(text.matches("<testcase ").count(), log.ledger.entries.len());
    assert!(text.trim_end().ends_with("</testsuites>"), "{text}");
}

#[rstest]
fn json_is_inert_and_keeps_every_character(#[values(0, 1, 2, 3, 4)] script: usize) {
    let log = Trial::of(SCRIPTS[script], 60).log;
    let text = json::text(&log);
    assert_inert(&text);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json::render(&log));
}

#[rstest]
fn the_log_is_inert_and_a_json_value_on_each_line(#[values(0, 1, 2, 3, 4)] script: usize) {
    let log = Trial::of(SCRIPTS[script], 60).log;
    let mut text = Vec::new();
    log.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_inert(&text);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The header, the case and its exchange, the findings, the totals.
    assert_eq!(lines.len(), 1 + 2 + log.ledger.entries.len() + 1);
    for part in ["answer", "lines", "parsed", "problems"] {
        assert_eq!(lines[2]["exchange"]["evidence"][part], log.cases[0].evidence[0][0][part]);
    }
    assert_eq!(lines.last().unwrap()["totals"]["exit_code"], 1);
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
