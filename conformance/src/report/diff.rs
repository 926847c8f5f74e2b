//! What was expected beside what was received, as lines of a difference.

use crate::text::{inert, plural};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

/// A line of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Expected, and not received.
    Expected(String),
    /// Received, and not expected.
    Received(String),
    /// The same in both.
    Same(String),
}

/// At most this many lines of a difference are shown, where nothing else limits them.
pub const MOST_LINES: usize = 24;

/// The lines of a difference, with few of the equal ones around it. All of them are inert.
pub fn lines(expected: &Value, found: &Value, most: usize) -> Vec<Line> {
    let (expected, received) = (text(expected), text(found));
    let diff = TextDiff::from_lines(expected.as_str(), received.as_str());
    let mut lines: Vec<Line> = diff
        .grouped_ops(1)
        .iter()
        .flatten()
        .flat_map(|operation| diff.iter_changes(operation))
        .map(|change| {
            let line = inert::short(&inert::line(change.value().trim_end_matches('\n')), 400);
            match change.tag() {
                ChangeTag::Delete => Line::Expected(line),
                ChangeTag::Insert => Line::Received(line),
                ChangeTag::Equal => Line::Same(line),
            }
        })
        .collect();
    if lines.len() > most {
        let more = lines.len() - most;
        lines.truncate(most);
        lines.push(Line::Same(format!("… and {}", plural(more, "more line"))));
    }
    lines
}

/// Texts as they are, everything else as indented JSON, so that a difference is a line.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        other => format!("{:#}\n", plain(other)),
    }
}

/// The value with whole numbers as whole numbers: `1700900000.0` and `1700900000` are equal.
pub fn plain(value: &Value) -> Value {
    /// Every whole number below is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) if float.fract() == 0.0 && float.abs() < EXACT => (float as i64).into(),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), plain(member))).collect(),
        other => other.clone(),
    }
}
