//! Outlines: an indented list of bullets, as text or as a tree of nodes. "content" and "contentStructured" of the remnote
//! document.
//!
//! The document fixes neither the bullet nor the width of an indentation, so lines are compared by their level and their words.

use crate::model::Detail;
use crate::rules::{Input, Ruling, brief, short};
use serde::Deserialize;
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

/// Both print the same outline. A headline of several lines may stand in a text as it is, or in one line.
///
/// How many lines that are, or where the right one differs; nothing where one of them is no outline.
fn same_lines(left: &Value, right: &Value) -> Option<Result<usize, Detail>> {
    let (left_lines, right_lines) = (lines(left)?, lines(right)?);
    let raw = |value: &Value| value.as_array().map(|nodes| read(&print(nodes, str::to_owned)));
    if left_lines == right_lines
        || raw(left).is_some_and(|left| left == right_lines)
        || raw(right).is_some_and(|right| right == left_lines)
    {
        return Some(Ok(left_lines.len()));
    }
    let at = left_lines.iter().zip(&right_lines).take_while(|(left, right)| left == right).count();
    Some(Err(differs(at, left_lines.get(at), right_lines.get(at))))
}

/// The outline that is expected, as text or as a tree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Is {
    is: Value,
}

/// The outline is this one.
pub(super) fn outline(args: &Is, input: &Input<'_, '_>) -> Ruling {
    let values = input.all("value");
    if values.is_empty() {
        return Ruling::skip("no outline is there");
    }
    let mut details = Vec::new();
    for node in values {
        match same_lines(&args.is, node.value) {
            Some(Ok(_)) => {}
            Some(Err(detail)) => details.push(detail.at(&node.pointer)),
            None => details.push(Detail::new(format!("{} is no outline", brief(node.value))).at(&node.pointer)),
        }
    }
    Ruling::of(values.len(), details)
}

/// Two outlines are the same, one by one.
pub(super) fn same_outline(input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (input.all("left"), input.all("right"));
    let (mut exercised, mut details) = (0, Vec::new());
    for (left, right) in left.iter().zip(right) {
        match same_lines(left.value, right.value) {
            Some(Ok(lines)) => exercised += lines,
            Some(Err(detail)) => details.push(detail.at(&right.pointer)),
            None => {}
        }
    }
    if exercised == 0 && details.is_empty() {
        return Ruling::skip("no outlines to compare");
    }
    Ruling::of(exercised.max(1), details)
}

/// No list of an outline ends in an empty leaf.
pub(super) fn no_empty_ends(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for node in input.all("value") {
        let lines = lines(node.value).unwrap_or_default();
        exercised += lines.len();
        let is_empty_end = |at: &usize| {
            let is_last = lines.get(at + 1).is_none_or(|next| next.level < lines[*at].level);
            lines[*at].words.is_empty() && is_last
        };
        if let Some(at) = (0..lines.len()).find(is_empty_end) {
            let why = format!("line {} of the outline is an empty leaf at the end of its list", at + 1);
            details.push(Detail::new(why).at(&node.pointer));
        }
    }
    match exercised {
        0 => Ruling::skip("no outline is there"),
        _ => Ruling::of(exercised, details),
    }
}

/// So many levels of the whole outline are there, and nothing below them.
pub(super) fn cut_at_depth(input: &Input<'_, '_>) -> Ruling {
    let Some((cut, whole, depth)) = cut(input, "depth") else {
        return Ruling::skip("no outlines to compare");
    };
    let due: Vec<Line> = whole.into_iter().filter(|line| line.level < depth).collect();
    compare(input, &cut, &due)
}

/// So many children of each node of the whole outline are there, with what is below them.
pub(super) fn cut_at_children(input: &Input<'_, '_>) -> Ruling {
    let Some((cut, whole, limit)) = cut(input, "limit") else {
        return Ruling::skip("no outlines to compare");
    };
    let mut seen: Vec<usize> = Vec::new();
    let mut due = Vec::new();
    // Below a child that is left out, everything is.
    let mut left_out: Option<usize> = None;
    for line in whole {
        if left_out.is_some_and(|level| line.level > level) {
            continue;
        }
        seen.truncate(line.level + 1);
        seen.resize(line.level + 1, 0);
        seen[line.level] += 1;
        left_out = (seen[line.level] > limit).then_some(line.level);
        if left_out.is_none() {
            due.push(line);
        }
    }
    compare(input, &cut, &due)
}

/// A number says how many lines there are.
pub(super) fn counts_lines(input: &Input<'_, '_>) -> Ruling {
    let (counts, outlines) = (input.all("count"), input.all("of"));
    let pairs: Vec<_> =
        counts.iter().zip(outlines).filter_map(|(count, of)| Some((count, lines(of.value)?.len()))).collect();
    if pairs.is_empty() {
        return Ruling::skip("no outline is counted");
    }
    let wrong = pairs.iter().filter(|(count, lines)| count.value.as_u64() != Some(*lines as u64));
    let details = wrong.map(|(count, lines)| {
        Detail::new("the count is not what is there").at(&count.pointer).compare((*lines).into(), count.value.clone())
    });
    Ruling::of(pairs.len(), details.collect())
}

/// The outline that was cut, the whole one, and where it was to be cut.
fn cut(input: &Input<'_, '_>, name: &str) -> Option<(Vec<Line>, Vec<Line>, usize)> {
    let at = usize::try_from(input.one(name)?.value.as_u64()?).ok()?;
    Some((lines(input.one("value")?.value)?, lines(input.one("whole")?.value)?, at))
}

fn compare(input: &Input<'_, '_>, cut: &[Line], due: &[Line]) -> Ruling {
    if cut == due {
        return Ruling::pass(due.len().max(1));
    }
    let at = cut.iter().zip(due).take_while(|(came, due)| came == due).count();
    let place = input.one("value").map_or("", |node| &node.pointer);
    Ruling::fail(differs(at, due.get(at), cut.get(at)).at(place))
}

fn differs(at: usize, due: Option<&Line>, came: Option<&Line>) -> Detail {
    let shown = |line: Option<&Line>| line.map_or(Value::Null, |line| line.to_string().into());
    Detail::new(format!("line {} of the outline differs", at + 1)).compare(shown(due), shown(came))
}

fn read(text: &str) -> Vec<Line> {
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
fn print(nodes: &[Value], headline: impl Fn(&str) -> String + Copy) -> String {
    let mut text = String::new();
    let mut ahead: Vec<(usize, &Value)> = nodes.iter().rev().map(|node| (0, node)).collect();
    while let Some((level, node)) = ahead.pop() {
        let headline = headline(node["headline"].as_str().unwrap_or_default());
        text.push_str(&format!("{}- {headline}\n", "  ".repeat(level)));
        ahead.extend(node["children"].as_array().into_iter().flatten().rev().map(|child| (level + 1, child)));
    }
    text
}
