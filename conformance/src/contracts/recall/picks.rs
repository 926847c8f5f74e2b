//! What to ask with, taken from items whatever their form.

use super::frame::{Frame, seconds};
use crate::path::Located;
use chrono::DateTime;
use serde::Deserialize;
use serde_json::Value;

/// No arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// The field that a part is taken of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Of {
    of: String,
}

/// How far from the time of an item, in seconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct By {
    #[serde(default)]
    by: f64,
    /// Only the item whose snippet `frame-word` takes its word from.
    #[serde(default)]
    with_word: bool,
}

/// The number that stands for an id.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Id {
    id: u64,
}

/// The middle of the first text that is long enough: a substring that is neither its beginning nor its end.
pub(super) fn part(args: &Of, items: &[Located<'_>]) -> Vec<Value> {
    let part = items.iter().find_map(|item| middle(Frame(item.value).text(&args.of)?));
    part.map(Value::from).into_iter().collect()
}

fn middle(text: &str) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let middle = characters.get(1..characters.len().saturating_sub(1)).filter(|middle| middle.len() >= 2)?;
    let part: String = middle.iter().take(12).collect();
    (part.trim() == part).then_some(part)
}

/// The time of the first item, moved.
pub(super) fn time(args: &By, items: &[Located<'_>]) -> Vec<Value> {
    let mut chosen = items.iter().map(|item| Frame(item.value)).filter(|frame| {
        !args.with_word || frame.text("ocr_snippet").is_some_and(|snippet| plain_word(snippet).is_some())
    });
    let time = chosen.find_map(|frame| seconds(frame.field("timestamp")?));
    time.map(|time| Value::from(time + args.by)).into_iter().collect()
}

/// A word that the first snippet with one shows.
pub(super) fn word(items: &[Located<'_>]) -> Vec<Value> {
    let word = items.iter().find_map(|item| plain_word(Frame(item.value).text("ocr_snippet")?));
    word.map(Value::from).into_iter().collect()
}

/// A word of plain letters with white space on both sides, long enough to be no stop word. The first and the last may be cut.
fn plain_word(snippet: &str) -> Option<&str> {
    let words: Vec<&str> = snippet.split_whitespace().collect();
    let whole = words.get(1..words.len().saturating_sub(1))?;
    whole.iter().copied().find(|word| word.len() >= 6 && word.chars().all(|letter| letter.is_ascii_alphabetic()))
}

/// The address of the first item whose address holds its id, with another id in its place.
pub(super) fn unknown(args: &Id, items: &[Located<'_>]) -> Vec<Value> {
    let address = items.iter().find_map(|item| {
        let frame = Frame(item.value);
        let (url, id) = (frame.text("frame_url")?, frame.id()?);
        let (before, after) = url.rsplit_once(id.as_str())?;
        // Other digits beside it would make it a part of another number.
        let is_whole = !before.ends_with(|last: char| last.is_ascii_digit())
            && !after.starts_with(|first: char| first.is_ascii_digit());
        is_whole.then(|| format!("{before}{}{after}", args.id))
    });
    address.map(Value::from).into_iter().collect()
}

/// How long before, in seconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Before {
    seconds: f64,
}

/// A moment before a call was sent, in epoch seconds: a recorder may still write frames of the moments between.
pub(super) fn before_sent(args: &Before, nodes: &[Located<'_>]) -> Vec<Value> {
    let sent = nodes.iter().find_map(|node| DateTime::parse_from_rfc3339(node.value.as_str()?).ok());
    sent.map(|sent| Value::from(sent.timestamp() as f64 - args.seconds)).into_iter().collect()
}
