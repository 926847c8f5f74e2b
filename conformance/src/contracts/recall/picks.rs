//! What to ask with, taken from items whatever their form.

use super::frame::Frame;
use crate::path::{Located, Part, part, rare_words};
use chrono::DateTime;
use serde::Deserialize;
use serde_json::{Value, json};

/// No arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// How far from the time of an item, in seconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct By {
    #[serde(default)]
    by: f64,
    /// Of an item that is known to have this focus.
    #[serde(default)]
    focused: Option<bool>,
    /// Of the item in the middle in place of the first.
    #[serde(default)]
    middle: bool,
}

/// The field that parts are taken from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Of {
    of: String,
}

/// The number that stands for an id.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Id {
    id: u64,
}

/// The time of an item, moved.
pub(super) fn time(args: &By, items: &[Located<'_>]) -> Vec<Value> {
    let frames = items.iter().map(|item| Frame(item.value));
    let wanted = frames.filter(|frame| args.focused.is_none_or(|focused| frame.focus() == Some(focused)));
    let times: Vec<f64> = wanted.filter_map(Frame::time).collect();
    let time = times.get(if args.middle { times.len() / 2 } else { 0 });
    time.map(|time| Value::from(time + args.by)).into_iter().collect()
}

/// Around an item's own time, paging and the bounds of the window hide nothing.
const AROUND: f64 = 1.0;

/// What an item is asked for with, in the window of the earliest to the latest of these times.
fn row(name: &str, value: impl Into<Value>, times: &[f64]) -> Option<Value> {
    let earliest = times.iter().copied().reduce(f64::min)?;
    let latest = times.iter().copied().reduce(f64::max)?;
    Some(json!({ name: value.into(), "start_time": earliest - AROUND, "end_time": latest + AROUND }))
}

/// Parts of a field, each with a window: one around the time of its own item, one with punctuation inside likewise, and the first
/// in the window of all items.
pub(super) fn filters(args: &Of, items: &[Located<'_>]) -> Vec<Value> {
    let frames: Vec<Frame<'_>> = items.iter().map(|item| Frame(item.value)).collect();
    let texts: Vec<Option<&str>> = frames.iter().map(|frame| frame.text(&args.of)).collect();
    let times: Vec<f64> = frames.iter().filter_map(|frame| frame.time()).collect();
    let own_row = |part: &Part| row(&args.of, part.text.as_str(), &[frames[part.of].time()?]);
    let (plain, marked) = (part(&texts, false), part(&texts, true));
    let wide = plain.as_ref().and_then(|part| row(&args.of, part.text.as_str(), &times));
    [plain.as_ref().and_then(own_row), marked.as_ref().and_then(own_row), wide].into_iter().flatten().collect()
}

/// Words that snippets show, each with a window around the time of its own item.
pub(super) fn words(items: &[Located<'_>]) -> Vec<Value> {
    const WORDS: usize = 3;
    let frames: Vec<Frame<'_>> = items.iter().map(|item| Frame(item.value)).collect();
    let snippets: Vec<Vec<&str>> = frames.iter().map(|frame| frame.text("ocr_snippet").into_iter().collect()).collect();
    let words = rare_words(&snippets, WORDS, false).into_iter();
    words.filter_map(|word| row("q", word.text, &[frames[word.of].time()?])).collect()
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
