//! What the texts of items show.

use super::frame::{ByTime, Frame};
use crate::model::Detail;
use crate::rules::{Input, Ruling, brief, folded};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// Words of fewer letters stand in every text.
const SHORTEST: usize = 4;

/// The field that is looked into.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct In {
    field: String,
}

/// Each item's text contains the part. Case, accents, runs of white space and HTML entities are free: a filter that ignores
/// them is a substring filter too, and so is one over names that are shown as numbers. An item without a text in this field fails.
pub(super) fn contain(args: &In, input: &Input<'_, '_>) -> Ruling {
    let Some(part) = input.one("part").and_then(|node| node.value.as_str()) else {
        return Ruling::skip("no part is given");
    };
    let items = input.all("value");
    if items.is_empty() {
        return Ruling::skip("no items to look into");
    }
    if part.trim().is_empty() || part.chars().any(char::is_control) {
        return Ruling::skip("a part without a visible character may be read as none");
    }
    let wanted = plain(part);
    let without = items.iter().filter(|item| {
        let text = match Frame(item.value).field(&args.field) {
            Some(Value::String(text)) => text.clone(),
            Some(number @ Value::Number(_)) => number.to_string(),
            _ => String::new(),
        };
        !(holds(&plain(&text), &wanted) || holds(&plain(&unescaped(&text)), &wanted))
    });
    let details = without.map(|item| {
        let field = Frame(item.value).field(&args.field).cloned().unwrap_or_default();
        Detail::new(format!("{} does not contain {part:?}", brief(&field))).at(&item.pointer)
    });
    Ruling::of(items.len(), details.collect())
}

/// Whether a text contains a part, but for case, accents and runs of white space.
pub(super) fn shows(text: &str, part: &str) -> bool {
    holds(&plain(text), &plain(part))
}

fn plain(text: &str) -> Vec<char> {
    folded(text).chars().collect()
}

fn holds(text: &[char], part: &[char]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|row| row.iter().zip(part).all(|(one, other)| same(*one, *other)))
}

/// Whether two characters may be the same letter to a server that ignores accents, also where no mark can be taken away.
fn same(one: char, other: char) -> bool {
    let may_have_an_accent =
        |character: char| matches!(character, '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{4ff}' | '\u{1e00}'..='\u{1fff}');
    one == other
        || (may_have_an_accent(one) || may_have_an_accent(other)) && one.is_alphabetic() && other.is_alphabetic()
}

/// A text without the entities that HTML needs.
fn unescaped(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ];
    entities.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

/// The frames of the corpus, with their `ocr_text`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    of: ByTime,
}

/// Of a moment with so many frames, a snippet says little: one of them has its words.
const CROWD: usize = 16;

/// Of the words that a snippet shows, at least half are words of the text of its frame. The first and the last may be cut, and
/// marks around words are free.
pub(super) fn show_text(args: &Texts, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for item in input.all("value") {
        let frame = Frame(item.value);
        let Some((time, snippet)) = frame.time().zip(frame.text("ocr_snippet")) else { continue };
        let texts = args.of.at(time).filter_map(|listed| listed.field("ocr_text")?.as_str()).take(CROWD);
        let texts: Vec<&str> = texts.collect();
        let shown = words(&without_tags(&unescaped(snippet)));
        let inner = shown.get(1..shown.len().saturating_sub(1)).unwrap_or_default();
        let inner: Vec<&String> = inner.iter().filter(|word| word.chars().count() >= SHORTEST).collect();
        if inner.is_empty() || texts.is_empty() || texts.len() == CROWD {
            continue;
        }
        exercised += 1;
        let is_of = |text: &&str| {
            let own: BTreeSet<String> = words(text).into_iter().collect();
            inner.iter().filter(|word| own.contains(**word)).count() * 2 >= inner.len()
        };
        if !texts.iter().any(is_of) {
            let text = Value::from(snippet);
            details.push(
                Detail::new(format!("{} is not a piece of the text of its frame", brief(&text))).at(&item.pointer),
            );
        }
    }
    match exercised {
        0 => Ruling::skip("no snippet of a listed frame"),
        _ => Ruling::of(exercised, details),
    }
}

/// How many frames are enough.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Enough {
    least: usize,
}

/// Of enough frames that have text, at least one shows some of it.
pub(super) fn some_text(args: &Enough, input: &Input<'_, '_>) -> Ruling {
    let items = input.all("value");
    let showing =
        items.iter().filter(|item| Frame(item.value).text("ocr_snippet").is_some_and(|text| !text.trim().is_empty()));
    match (items.len(), showing.count()) {
        (all, 0) if all >= args.least => {
            Ruling::fail(Detail::new(format!("none of {all} frames with text shows some of it")).at(&items[0].pointer))
        }
        (_, 0) => Ruling::skip("too few frames with text"),
        (_, showing) => Ruling::pass(showing),
    }
}

/// The words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// A text without its tags, such as `<b>` around a match.
fn without_tags(text: &str) -> String {
    let mut parts = text.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + " " + part.split_once('>').map_or(part, |(_, rest)| rest))
}
