//! What a limit of characters does to a text of lines. "content" of the remnote document: "Truncation occurs at line
//! boundaries; incomplete lines are never included."
//!
//! The document names no unit and does not say whether the last line end counts. So a text is too long only when it is so in
//! the fewest units, characters without the last line end; and a line had room only when it had so in the most, UTF-16 units
//! with the last line end.

use super::{Input, Outcome, short};
use crate::model::Detail;
use crate::path::Located;
use serde_json::Value;

/// No text is longer than the limit.
pub(super) fn within_length(input: &Input<'_, '_>) -> Outcome {
    let otherwise = input.args.get("otherwise").and_then(Value::as_u64);
    let limit = input.one("limit").and_then(|node| node.value.as_u64()).or(otherwise);
    let texts: Vec<_> = input.all("value").iter().filter_map(|node| Some((node, node.value.as_str()?))).collect();
    let Some(limit) = limit.filter(|_| !texts.is_empty()) else {
        return Outcome::skip("no text or no limit");
    };
    let long = texts.iter().map(|(node, text)| (node, fewest(text))).filter(|(_, length)| *length > limit);
    let details = long.map(|(node, length)| {
        Detail::new("the text is too long")
            .at(&node.pointer)
            .compare(format!("at most {limit} characters").into(), format!("{length} characters").into())
    });
    Outcome::of(texts.len(), details.collect())
}

/// Each line of the clipped text is a line of the whole one, whole, wherever it stands.
pub(super) fn whole_lines(input: &Input<'_, '_>) -> Outcome {
    let Some(clipped) = Clipped::of(input) else {
        return Outcome::skip("no texts to compare");
    };
    let broken = clipped.lines.iter().copied().find(|line| !clipped.all.contains(line));
    match (broken, clipped.lines.len()) {
        (Some(line), _) => Outcome::fail(
            Detail::new("a line is no whole line of the text without a limit")
                .at(&clipped.place.pointer)
                .compare(nearest(line, &clipped.all), shown(Some(line))),
        ),
        (None, 0) => Outcome::skip("no line came"),
        (None, lines) => Outcome::pass(lines),
    }
}

/// The lines of the clipped text are the first ones of the whole one.
pub(super) fn first_lines(input: &Input<'_, '_>) -> Outcome {
    let Some(clipped) = Clipped::of(input) else {
        return Outcome::skip("no texts to compare");
    };
    match (clipped.common(), clipped.lines.len()) {
        (_, 0) => Outcome::skip("no line came"),
        (common, lines) if common == lines => Outcome::pass(lines),
        (common, _) => Outcome::fail(
            Detail::new(format!("line {} is not the next one of the text without a limit", common + 1))
                .at(&clipped.place.pointer)
                .compare(shown(clipped.all.get(common).copied()), shown(clipped.lines.get(common).copied())),
        ),
    }
}

/// A text that fits is not clipped.
pub(super) fn whole_when_it_fits(input: &Input<'_, '_>) -> Outcome {
    let Some(clipped) = Clipped::of(input).filter(|clipped| most(clipped.whole) <= clipped.limit) else {
        return Outcome::skip("the text without a limit does not fit");
    };
    match clipped.lines == clipped.all {
        true => Outcome::pass(1),
        false => Outcome::fail(
            Detail::new(format!("the text has {} characters and {} are allowed", most(clipped.whole), clipped.limit))
                .at(&clipped.place.pointer)
                .compare(lines_of(clipped.all.len()), lines_of(clipped.lines.len())),
        ),
    }
}

/// The next line would not have fitted.
pub(super) fn most_lines(input: &Input<'_, '_>) -> Outcome {
    let Some(clipped) = Clipped::of(input) else {
        return Outcome::skip("no texts to compare");
    };
    let is_bullet = |line: &&str| line.trim_start().starts_with(['-', '*', '+', '•']);
    // Where a headline has several lines, it cannot be told how many of them belong together.
    if clipped.common() == clipped.all.len() || !clipped.all.iter().all(is_bullet) {
        return Outcome::skip("nothing was left out");
    }
    let longer = clipped.all[..=clipped.common()].join("\n");
    match most(&longer) > clipped.limit {
        true => Outcome::pass(1),
        false => Outcome::fail(
            Detail::new(format!("the next line fits as well: {} characters of {}", most(&longer), clipped.limit))
                .at(&clipped.place.pointer)
                .compare(lines_of(clipped.common() + 1), lines_of(clipped.lines.len())),
        ),
    }
}

/// `truncated` is true when lines were left out (`when: clipped`), and false when none was (`when: whole`).
pub(super) fn tells_clipping(input: &Input<'_, '_>) -> Outcome {
    let (Some(clipped), Some(told)) = (Clipped::of(input), input.one("truncated")) else {
        return Outcome::skip("no texts to compare");
    };
    let is_clipped = clipped.lines.len() < clipped.all.len();
    if is_clipped != (input.text("when") == "clipped") {
        return Outcome::skip(format!("{} of {} lines came", clipped.lines.len(), clipped.all.len()));
    }
    match *told.value == Value::Bool(is_clipped) {
        true => Outcome::pass(1),
        false => Outcome::fail(
            Detail::new(format!("{} of {} lines came", clipped.lines.len(), clipped.all.len()))
                .at(&told.pointer)
                .compare(is_clipped.into(), told.value.clone()),
        ),
    }
}

/// A text, the same without a limit, and the limit.
struct Clipped<'i, 'e> {
    place: &'i Located<'e>,
    lines: Vec<&'e str>,
    all: Vec<&'e str>,
    whole: &'e str,
    limit: u64,
}

impl<'i, 'e> Clipped<'i, 'e> {
    fn of(input: &'i Input<'_, 'e>) -> Option<Self> {
        let (place, whole) = (input.one("value")?, input.one("whole")?);
        let (text, whole) = (place.value.as_str()?, whole.value.as_str()?);
        let limit = input.one("limit")?.value.as_u64()?;
        Some(Self { place, lines: text.lines().collect(), all: whole.lines().collect(), whole, limit })
    }

    /// How many lines the two have in common at their beginning.
    fn common(&self) -> usize {
        self.lines.iter().zip(&self.all).take_while(|(came, due)| came == due).count()
    }
}

/// The fewest units that a text can be said to have.
fn fewest(text: &str) -> u64 {
    text.strip_suffix('\n').unwrap_or(text).chars().count() as u64
}

/// The most units that a text can be said to have.
fn most(text: &str) -> u64 {
    text.strip_suffix('\n').unwrap_or(text).encode_utf16().count() as u64 + 1
}

/// The line that begins like this one, which may be a piece of it.
fn nearest(line: &str, all: &[&str]) -> Value {
    let same_beginning = |other: &&str| other.chars().zip(line.chars()).take_while(|(a, b)| a == b).count();
    shown(all.iter().copied().max_by_key(same_beginning))
}

fn shown(line: Option<&str>) -> Value {
    line.map_or(Value::Null, |line| short(line.to_owned()).into())
}

fn lines_of(count: usize) -> Value {
    format!("{count} lines").into()
}
