//! What a limit of characters does to a text of lines.
//!
//! Where a document does not say what it counts, a text is too long only if it is so in the fewest units, characters without the
//! last line end; and a line had room only if it had so in the most, UTF-16 units with the last line end.

use super::{Input, Ruling, short};
use crate::model::Detail;
use crate::path::Located;
use serde::Deserialize;
use serde_json::Value;

/// The limit where none is given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Otherwise {
    #[serde(default)]
    otherwise: Option<u64>,
}

/// Which answers are judged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answers {
    when: When,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum When {
    Clipped,
    Whole,
}

/// No text is longer than the limit. A limit that is not a whole number from 1 means nothing.
pub(super) fn within_length(args: &Otherwise, input: &Input<'_, '_>) -> Ruling {
    let limit = match input.one("limit") {
        Some(node) => node.value.as_u64().filter(|limit| *limit > 0),
        None => args.otherwise,
    };
    let texts: Vec<_> = input.all("value").iter().filter_map(|node| Some((node, node.value.as_str()?))).collect();
    let Some(limit) = limit.filter(|_| !texts.is_empty()) else {
        return Ruling::skip("no text or no limit");
    };
    let long = texts.iter().map(|(node, text)| (node, fewest(text))).filter(|(_, length)| *length > limit);
    let details = long.map(|(node, length)| {
        Detail::new("the text is too long")
            .at(&node.pointer)
            .compare(format!("at most {limit} characters").into(), format!("{length} characters").into())
    });
    Ruling::of(texts.len(), details.collect())
}

/// The text has at most so many Unicode scalar values, line ends included.
pub(super) fn within_budget(input: &Input<'_, '_>) -> Ruling {
    let (Some(lines), Some(budget)) = (input.one("lines"), input.one("budget")) else {
        return Ruling::skip("no text or no budget");
    };
    let (length, budget) = (length(lines.value), budget.value.as_u64().unwrap_or_default());
    match length <= budget {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new(format!("{length} characters came where {budget} were allowed"))
                .at(&lines.pointer)
                .compare(budget.into(), length.into()),
        ),
    }
}

/// Each line of the clipped text is a line of the whole one, whole, wherever it stands.
pub(super) fn whole_lines(input: &Input<'_, '_>) -> Ruling {
    let Some(clipped) = Clipped::of(input) else {
        return Ruling::skip("no texts to compare");
    };
    let broken = clipped.lines.iter().copied().find(|line| !clipped.all.contains(line));
    match (broken, clipped.lines.len()) {
        (Some(line), _) => Ruling::fail(
            Detail::new("a line is no whole line of the text without a limit")
                .at(&clipped.place.pointer)
                .compare(nearest(line, &clipped.all), shown(Some(line))),
        ),
        (None, 0) => Ruling::skip("no line came"),
        (None, lines) => Ruling::pass(lines),
    }
}

/// The lines of the clipped text are the first ones of the whole one.
pub(super) fn first_lines(input: &Input<'_, '_>) -> Ruling {
    let Some(clipped) = Clipped::of(input) else {
        return Ruling::skip("no texts to compare");
    };
    match (clipped.common(), clipped.lines.len()) {
        (_, 0) => Ruling::skip("no line came"),
        (common, lines) if common == lines => Ruling::pass(lines),
        (common, _) => Ruling::fail(
            Detail::new(format!("line {} is not the next one of the text without a limit", common + 1))
                .at(&clipped.place.pointer)
                .compare(shown(clipped.all.get(common).copied()), shown(clipped.lines.get(common).copied())),
        ),
    }
}

/// What a length counts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counted {
    #[serde(default)]
    unit: Unit,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Unit {
    /// Scalar values, UTF-16 units or bytes: a text fits if it does so in each.
    #[default]
    Any,
    /// Scalar values or UTF-16 units.
    Characters,
}

/// A text that fits is not clipped.
pub(super) fn whole_when_it_fits(args: &Counted, input: &Input<'_, '_>) -> Ruling {
    let length = |text: &str| match args.unit {
        Unit::Any => text.strip_suffix('\n').unwrap_or(text).len() as u64 + 1,
        Unit::Characters => most(text),
    };
    let Some(clipped) = Clipped::of(input).filter(|clipped| length(clipped.whole) <= clipped.limit) else {
        return Ruling::skip("the text without a limit does not fit");
    };
    match clipped.lines == clipped.all {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new(format!(
                "the text has a length of {}, and {} is allowed",
                length(clipped.whole),
                clipped.limit
            ))
            .at(&clipped.place.pointer)
            .compare(lines_of(clipped.all.len()), lines_of(clipped.lines.len())),
        ),
    }
}

/// The next line would not have fitted.
pub(super) fn most_lines(input: &Input<'_, '_>) -> Ruling {
    let Some(clipped) = Clipped::of(input) else {
        return Ruling::skip("no texts to compare");
    };
    let is_bullet = |line: &&str| line.trim_start().starts_with(['-', '*', '+', '•']);
    // Where a headline has several lines, it cannot be told how many of them belong together.
    if clipped.common() == clipped.all.len() || !clipped.all.iter().all(is_bullet) {
        return Ruling::skip("nothing was left out");
    }
    let longer = clipped.all[..=clipped.common()].join("\n");
    match most(&longer) > clipped.limit {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new(format!("the next line fits as well: {} characters of {}", most(&longer), clipped.limit))
                .at(&clipped.place.pointer)
                .compare(lines_of(clipped.common() + 1), lines_of(clipped.lines.len())),
        ),
    }
}

/// `truncated` is true when lines were left out (`when: clipped`), and false when none was (`when: whole`).
pub(super) fn tells_clipping(args: &Answers, input: &Input<'_, '_>) -> Ruling {
    let (Some(clipped), Some(told)) = (Clipped::of(input), input.one("truncated")) else {
        return Ruling::skip("no texts to compare");
    };
    let is_clipped = clipped.lines.len() < clipped.all.len();
    if is_clipped != (args.when == When::Clipped) {
        return Ruling::skip(format!("{} of {} lines came", clipped.lines.len(), clipped.all.len()));
    }
    match *told.value == Value::Bool(is_clipped) {
        true => Ruling::pass(1),
        false => Ruling::fail(
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

/// The characters of lines joined with line ends.
pub(crate) fn length(lines: &Value) -> u64 {
    let lines = lines.as_array().map_or(&[][..], Vec::as_slice);
    let characters: usize = lines.iter().filter_map(Value::as_str).map(|line| line.chars().count()).sum();
    (characters + lines.len().saturating_sub(1)) as u64
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
