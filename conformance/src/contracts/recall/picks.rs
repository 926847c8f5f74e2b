//! What to ask with, taken from items whatever their form.

use super::frame::{AROUND, Frame};
use super::rows::Walked;
use crate::path::{Located, Part, part, rare_words};
use chrono::DateTime;
use serde::Deserialize;
use serde_json::{Value, json};

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
    /// Of the oldest item in place of the first.
    #[serde(default)]
    oldest: bool,
    /// Of the newest item in place of the first: where a server orders otherwise, no window is reversed by it.
    #[serde(default)]
    newest: bool,
}

/// What a page may have been asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Granted {
    most: usize,
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
    let mut times: Vec<f64> = wanted.filter_map(Frame::time).collect();
    if args.oldest || args.middle {
        times.sort_by(f64::total_cmp);
    }
    if args.newest {
        times.sort_by(|left, right| right.total_cmp(left));
    }
    let time = times.get(if args.middle { times.len() / 2 } else { 0 });
    time.map(|time| Value::from(time + args.by)).into_iter().collect()
}

/// A page size that is granted: as many as the items of a page, up to the `most` that the page was asked for. The document prefers
/// five or more, and leaves the bound to the server.
pub(super) fn granted(args: &Granted, items: &[Located<'_>]) -> Vec<Value> {
    const LEAST: usize = 5;
    let size = if items.is_empty() { args.most } else { items.len().clamp(LEAST, args.most.max(LEAST)) };
    vec![size.into()]
}

/// What an item is asked for with, in the window of the earliest to the latest of these times.
fn row(name: &str, value: impl Into<Value>, times: &[f64]) -> Option<Value> {
    let earliest = times.iter().copied().reduce(f64::min)?;
    let latest = times.iter().copied().reduce(f64::max)?;
    Some(json!({ name: value.into(), "start_time": earliest - AROUND, "end_time": latest + AROUND }))
}

/// Parts of a field, each with a window around the time of its own item: one of letters and digits, one with punctuation, one with a
/// capital letter, one of other letters than those of English, one of digits alone, one that an address loses when it is decoded
/// twice, one from the end of a long value. Then one in the window where the values vary most.
pub(super) fn filters(args: &Of, items: &[Located<'_>]) -> Vec<Value> {
    let frames: Vec<Frame<'_>> = items.iter().map(|item| Frame(item.value)).collect();
    let texts: Vec<Option<&str>> = frames.iter().map(|frame| frame.text(&args.of)).collect();
    let own_row = |part: &Part| row(&args.of, part.text.as_str(), &[frames[part.of].time()?]);
    let (plain, marked) = (part(&texts, false), part(&texts, true));
    let first = |of: fn(&str) -> Option<String>| {
        let mut parts = texts.iter().enumerate();
        parts.find_map(|(at, text)| Some(Part { text: of((*text)?)?, of: at }))
    };
    let has_capital = plain.as_ref().is_some_and(|part| part.text.contains(|letter: char| letter.is_ascii_uppercase()));
    let capital = first(capital).filter(|_| !has_capital);
    let own = [plain, marked, capital, first(foreign), first(number), first(coded), first(end)].into_iter().flatten();
    own.filter_map(|part| own_row(&part)).chain(varied_row(&args.of, items)).collect()
}

/// A word from its capital letter on.
fn capital(text: &str) -> Option<String> {
    let words = text.split(|character: char| !character.is_ascii_alphabetic());
    let mut words = words.filter(|word| word.len() > 2 && word.starts_with(|first: char| first.is_ascii_uppercase()));
    words.next().map(str::to_owned)
}

/// Letters that are not those of English, next to each other.
fn foreign(text: &str) -> Option<String> {
    let mut runs = text.split(|character: char| character.is_ascii() || !character.is_alphabetic());
    runs.find(|run| !run.is_empty()).map(str::to_owned)
}

/// Digits alone.
fn number(text: &str) -> Option<String> {
    let mut runs = text.split(|character: char| !character.is_ascii_digit());
    runs.find(|run| run.len() > 1).map(str::to_owned)
}

/// A plus beside a letter or digit, or a percent sign before two digits of a number in base 16: no markup escapes them.
fn coded(text: &str) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let plus = characters.windows(2).find(|pair| pair[0].is_ascii_alphanumeric() && pair[1] == '+');
    let is_coded = |three: &&[char]| three[0] == '%' && three[1..].iter().all(char::is_ascii_hexdigit);
    plus.or_else(|| characters.windows(3).find(is_coded)).map(|part| part.iter().collect())
}

/// The last letters and digits of a long text, where they are nowhere near its beginning.
fn end(text: &str) -> Option<String> {
    const LONG: usize = 32;
    const PART: usize = 6;
    let runs = text.rsplit(|character: char| !character.is_ascii_alphanumeric());
    let run = runs.take(2).find(|run| run.len() > 2)?;
    let part = &run[run.len().saturating_sub(PART)..];
    let place = text.to_lowercase().find(&part.to_lowercase())?;
    (place > LONG).then(|| part.to_owned())
}

/// A part of a field that others lack, in the window where its values vary most.
fn varied_row(name: &str, items: &[Located<'_>]) -> Option<Value> {
    let walked = Walked::of(items);
    let mut window = walked.varied(|frame| frame.text(name).map(str::to_owned))?;
    let inside = walked.inside(&window);
    let texts: Vec<Option<&str>> = inside.iter().map(|frame| frame.text(name)).collect();
    window.insert(name.to_owned(), part(&texts, false)?.text.into());
    Some(window.into())
}

/// Which words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Those that begin with a capital letter.
    #[serde(default)]
    capital: bool,
}

/// Words that snippets show, each with a window around the time of its own item.
pub(super) fn words(args: &Which, items: &[Located<'_>]) -> Vec<Value> {
    const WORDS: usize = 3;
    let frames: Vec<Frame<'_>> = items.iter().map(|item| Frame(item.value)).collect();
    let snippets: Vec<Vec<&str>> = frames.iter().map(|frame| frame.text("ocr_snippet").into_iter().collect()).collect();
    let words = rare_words(&snippets, usize::MAX, false).into_iter();
    let wanted = words.filter(|word| !args.capital || word.text.starts_with(|first: char| first.is_ascii_uppercase()));
    wanted.take(WORDS).filter_map(|word| row("q", word.text, &[frames[word.of].time()?])).collect()
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
