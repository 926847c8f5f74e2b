//! What to ask with, taken from items whatever their form.

use super::frame::Frame;
use crate::path::{Located, rare_words};
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
}

/// The number that stands for an id.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Id {
    id: u64,
}

/// The time of the first item, moved.
pub(super) fn time(args: &By, items: &[Located<'_>]) -> Vec<Value> {
    let time = items.iter().find_map(|item| Frame(item.value).time());
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
