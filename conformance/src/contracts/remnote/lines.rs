//! Outlines: an indented list of bullets, as text or as a tree of nodes. "content" and "contentStructured" of the remnote
//! document.
//!
//! The document fixes neither the bullet nor the width of an indentation, so lines are compared by their level and their words.

use crate::rules::short;
use serde_json::Value;
use std::fmt;

/// A line of an outline: how deep it stands, and its words with single spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) level: usize,
    pub(super) words: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}- {}", "  ".repeat(self.level), short(self.words.clone()))
    }
}

/// The lines of a text, or of a tree of nodes that have a `headline` and perhaps `children`; nothing of anything else.
pub(super) fn lines(value: &Value) -> Option<Vec<Line>> {
    match value {
        Value::String(text) => Some(read(text)),
        Value::Array(nodes) => {
            Some(read(&print(nodes, |headline| headline.split_whitespace().collect::<Vec<_>>().join(" "))))
        }
        _ => None,
    }
}

/// The lines without those that show nothing: no words, and none below. Whether a list keeps an empty leaf depends on whether
/// its end is trimmed before it is cut or after, which is free.
pub(super) fn shown(lines: Vec<Line>) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::new();
    for line in lines.into_iter().rev() {
        let has_below = kept.last().is_some_and(|next| next.level > line.level);
        if has_below || !line.words.is_empty() {
            kept.push(line);
        }
    }
    kept.reverse();
    kept
}

pub(super) fn read(text: &str) -> Vec<Line> {
    let mut indents: Vec<usize> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let bullet = words.strip_prefix(['-', '*', '+', '•']).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        match (bullet, lines.last_mut()) {
            (Some(rest), _) => {
                while indents.last().is_some_and(|last| *last > indent) {
                    indents.pop();
                }
                if indents.last() != Some(&indent) {
                    indents.push(indent);
                }
                lines.push(Line { level: indents.len() - 1, words: rest.trim_start().to_owned() });
            }
            (None, _) if words.is_empty() => {}
            // A headline of several lines.
            (None, Some(last)) => {
                last.words.push(' ');
                last.words.push_str(&words);
            }
            (None, None) => lines.push(Line { level: 0, words }),
        }
    }
    lines
}

/// The text of a tree.
pub(super) fn print(nodes: &[Value], headline: impl Fn(&str) -> String + Copy) -> String {
    let mut text = String::new();
    let mut ahead: Vec<(usize, &Value)> = nodes.iter().rev().map(|node| (0, node)).collect();
    while let Some((level, node)) = ahead.pop() {
        let headline = headline(node["headline"].as_str().unwrap_or_default());
        text.push_str(&format!("{}- {headline}\n", "  ".repeat(level)));
        ahead.extend(node["children"].as_array().into_iter().flatten().rev().map(|child| (level + 1, child)));
    }
    text
}
