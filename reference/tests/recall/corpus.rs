//! The corpus as the tests read it: what must be found, found without the program.

use crate::support::FIXTURES;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::collections::BTreeSet;

const README: &str = include_str!("../../../fixtures/recall/corpus/README.md");

pub(crate) fn frames() -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{FIXTURES}/recall/corpus/frames.ndjson")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn id(frame: &Value) -> i64 {
    frame["frame_id"].as_i64().unwrap()
}

pub(crate) fn ids(body: &Value) -> Vec<i64> {
    body["data"].as_array().unwrap().iter().map(id).collect()
}

/// The frames whose text holds every word, found without an index.
pub(crate) fn naive(q: &str) -> BTreeSet<i64> {
    let holds = |frame: &Value| {
        let text = frame["ocr_text"].as_str().unwrap().to_ascii_lowercase();
        q.to_ascii_lowercase().split_whitespace().all(|word| text.contains(word))
    };
    frames().iter().filter(|frame| holds(frame)).map(id).collect()
}

/// The cells of the README's tables, without the backquotes.
pub(crate) fn readme_rows() -> impl Iterator<Item = Vec<&'static str>> {
    let cells =
        |line: &'static str| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
    README.lines().filter(|line| line.starts_with("| `")).map(cells)
}

pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
