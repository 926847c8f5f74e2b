//! What was due beside what came, as lines of a difference.

use crate::text::inert;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

/// A line of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Due, and did not come.
    Due(String),
    /// Came, and was not due.
    Came(String),
    /// The same in both.
    Same(String),
}

/// At most so many lines of a difference are shown.
const MOST_LINES: usize = 24;

/// The lines of a difference, with few of the equal ones around it. All of them are inert.
pub fn lines(expected: &Value, found: &Value) -> Vec<Line> {
    let (due, came) = (text(expected), text(found));
    let diff = TextDiff::from_lines(due.as_str(), came.as_str());
    let mut lines: Vec<Line> = diff
        .grouped_ops(1)
        .iter()
        .flatten()
        .flat_map(|operation| diff.iter_changes(operation))
        .map(|change| {
            let line = inert::short(&inert::line(change.value().trim_end_matches('\n')), 400);
            match change.tag() {
                ChangeTag::Delete => Line::Due(line),
                ChangeTag::Insert => Line::Came(line),
                ChangeTag::Equal => Line::Same(line),
            }
        })
        .collect();
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(Line::Same(format!("… and {more} lines more")));
    }
    lines
}

/// Texts as they are, everything else as indented JSON, so that a difference is a line.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        other => format!("{other:#}\n"),
    }
}
