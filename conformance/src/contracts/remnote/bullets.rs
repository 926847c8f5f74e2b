//! What is asked of outlines: that they are the expected one, the same, cut where they should be, and counted right.

use super::lines::{Line, lines, print, read, shown};
use super::pairs::{By, pairs};
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief, whole as whole_number};
use serde::Deserialize;
use serde_json::Value;

/// Both print the same outline. A headline of several lines may stand in a text as it is, or in one line. A line of a text
/// may say more than the headline, such as aliases.
///
/// How many lines that are, or where the right one differs; nothing where one of them is no outline.
fn same_lines(due: &Value, came: &Value) -> Option<Result<usize, Detail>> {
    let (due_lines, came_lines) = (shown(lines(due)?), shown(lines(came)?));
    let raw = |value: &Value| value.as_array().map(|nodes| shown(read(&print(nodes, str::to_owned))));
    let is_text = came.is_string();
    let is_line = |due: &Line, came: &Line| {
        due.level == came.level && (due.words == came.words || is_text && says(&came.words, &due.words))
    };
    let is_same = |due: &[Line], came: &[Line]| {
        due.len() == came.len() && due.iter().zip(came).all(|(due, came)| is_line(due, came))
    };
    if is_same(&due_lines, &came_lines)
        || raw(due).is_some_and(|due| is_same(&due, &came_lines))
        || raw(came).is_some_and(|came| is_same(&due_lines, &came))
    {
        return Some(Ok(due_lines.len()));
    }
    let at = due_lines.iter().zip(&came_lines).take_while(|(due, came)| is_line(due, came)).count();
    Some(Err(differs(at, due_lines.get(at), came_lines.get(at))))
}

/// Whether a line of a text shows a headline: as it is or with the escapes of markdown, and more behind it.
fn says(line: &str, headline: &str) -> bool {
    let begins = |line: &str| {
        line.strip_prefix(headline).is_some_and(|more| more.chars().next().is_none_or(|next| !next.is_alphanumeric()))
    };
    begins(line) || line.contains('\\') && begins(&without_escapes(line))
}

/// The text without backslashes before ASCII punctuation.
fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_escape = character == '\\' && characters.peek().is_some_and(char::is_ascii_punctuation);
        plain.extend(if is_escape { characters.next() } else { Some(character) });
    }
    plain
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

/// Which outlines belong together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Paired {
    pub(super) by: Option<By>,
}

/// Two outlines are the same.
pub(super) fn same_outline(args: &Paired, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for (left, right) in pairs(args.by.as_ref(), input.all("left"), input.all("right")) {
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

/// Which outlines are cut, and how large they may be.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cut {
    by: Option<By>,
    /// Only wholes with fewer lines are compared: no limit of children has cut one, whether it counts those of each node or all.
    fewer_than: Option<usize>,
}

/// So many levels of the whole outline are there, and nothing below them.
pub(super) fn cut_at_depth(args: &Cut, input: &Input<'_, '_>) -> Ruling {
    let is_small = |whole: &[Line]| args.fewer_than.is_none_or(|most| whole.len() < most);
    each_cut(args.by.as_ref(), input, "depth", is_small, |cut, whole, depth| {
        let due = shown(whole.into_iter().filter(|line| line.level < depth).collect());
        compare(cut, &due)
    })
}

/// So many children of each node of the whole outline are there, with what is below them.
pub(super) fn cut_at_children(args: &Paired, input: &Input<'_, '_>) -> Ruling {
    let cut = |cut: &[Line], whole, limit| compare(cut, &first_children(whole, limit));
    each_cut(args.by.as_ref(), input, "limit", |_| true, cut)
}

/// The outline with the first children of each node alone.
pub(super) fn first_children(whole: Vec<Line>, limit: usize) -> Vec<Line> {
    let mut seen: Vec<usize> = Vec::new();
    // Below a child that is left out, everything is.
    let mut left_out: Option<usize> = None;
    let is_kept = |line: &Line| {
        if left_out.is_some_and(|level| line.level > level) {
            return false;
        }
        seen.truncate(line.level + 1);
        seen.resize(line.level + 1, 0);
        seen[line.level] += 1;
        left_out = (seen[line.level] > limit).then_some(line.level);
        left_out.is_none()
    };
    let mut whole = whole;
    whole.retain(is_kept);
    whole
}

/// Which outlines are counted, and how exactly.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counts {
    by: Option<By>,
    /// There may be more lines than the number says: a headline may be printed with its line breaks.
    #[serde(default)]
    at_most: bool,
}

/// A number says how many lines there are.
pub(super) fn counts_lines(args: &Counts, input: &Input<'_, '_>) -> Ruling {
    let pairs: Vec<_> = pairs(args.by.as_ref(), input.all("of"), input.all("count"))
        .into_iter()
        .filter_map(|(of, count)| Some((count, lines(of.value)?.len())))
        .collect();
    if pairs.is_empty() {
        return Ruling::skip("no outline is counted");
    }
    let is_right = |count: u64, lines: u64| count == lines || args.at_most && count < lines;
    let wrong = pairs.iter().filter(|(count, lines)| match whole_number(count.value) {
        Some(count) => !is_right(count, *lines as u64),
        None => !args.at_most,
    });
    let details = wrong.map(|(count, lines)| {
        Detail::new("the count is not what is there").at(&count.pointer).compare((*lines).into(), count.value.clone())
    });
    Ruling::of(pairs.len(), details.collect())
}

/// Compares each outline that was cut with what is expected of the whole one, cut at the number that was asked for.
fn each_cut(
    by: Option<&By>,
    input: &Input<'_, '_>,
    name: &str,
    counts: impl Fn(&[Line]) -> bool,
    differs: impl Fn(&[Line], Vec<Line>, usize) -> Option<Detail>,
) -> Ruling {
    let at = input.one(name).and_then(|node| usize::try_from(node.value.as_u64()?).ok());
    let Some(at) = at else {
        return Ruling::skip("no number to cut at");
    };
    let outline = |node: &Located<'_>| lines(node.value).map(shown);
    let (mut exercised, mut details) = (0, Vec::new());
    for (cut, whole) in pairs(by, input.all("value"), input.all("whole")) {
        let Some((lines, whole)) = outline(&cut).zip(outline(&whole)).filter(|(_, whole)| counts(whole)) else {
            continue;
        };
        exercised += lines.len().max(1);
        details.extend(differs(&lines, whole, at).map(|detail| detail.at(&cut.pointer)));
    }
    match exercised {
        0 => Ruling::skip("no outlines to compare"),
        _ => Ruling::of(exercised, details),
    }
}

/// Where what came is not what is expected.
fn compare(cut: &[Line], due: &[Line]) -> Option<Detail> {
    let at = cut.iter().zip(due).take_while(|(came, due)| came == due).count();
    (cut != due).then(|| differs(at, due.get(at), cut.get(at)))
}

pub(super) fn differs(at: usize, due: Option<&Line>, came: Option<&Line>) -> Detail {
    let shown = |line: Option<&Line>| line.map_or(Value::Null, |line| line.to_string().into());
    Detail::new(format!("line {} of the outline differs", at + 1)).compare(shown(due), shown(came))
}
