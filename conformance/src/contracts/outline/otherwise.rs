//! Headers in another form than that of the document, found by the records that a full answer lists. "Encoding Rules".
//!
//! A line that is no header to the reader is text of the record above it. That it was meant as a header shows where it begins
//! with the id of a record that no header shows.

use super::ids::is_plain;
use super::pairs::{Pairs, text};
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling};
use serde::Deserialize;
use serde_json::Value;

/// The part of a header that is judged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Headers {
    of: Of,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Of {
    /// The form: brackets around the id, parentheses around the state.
    Form,
    /// The word in parentheses, where the form is right.
    State,
}

/// No line that begins with the id of a record, and holds its title, is anything but a header.
pub(super) fn headers_in_form(args: &Headers, input: &Input<'_, '_>) -> Ruling {
    let (Some(outline), Some(lines)) = (input.one("outline"), input.one("lines")) else {
        return Ruling::skip("no outline was received");
    };
    let pairs = Pairs::of(outline, input.all("full"));
    let mut details = Vec::new();
    let mut exercised = 0;
    for pair in pairs.all.iter().filter(|pair| is_plain(pair.id)) {
        exercised += 1;
        let title = text(pair.full, "title").trim();
        if pair.shown.is_some() || title.is_empty() {
            continue;
        }
        let meant = of_lines(lines).find(|(_, line)| begins_with(line, pair.id) && line.contains(title));
        let Some((at, line)) = meant else { continue };
        let word = word_in_parentheses(line, pair.id);
        let detail = match (&args.of, word) {
            (Of::Form, None) => format!("line {}: expected a header of {}, received {line:?}", at + 1, pair.id),
            (Of::State, Some(word)) => format!("line {}: ({word}) is no state of {}", at + 1, pair.id),
            _ => continue,
        };
        details.push(Detail::new(detail).at(format!("{}/{at}", lines.pointer)));
    }
    match exercised {
        0 => Ruling::skip("no record has a plain id"),
        _ => Ruling::of(exercised, details),
    }
}

fn of_lines<'e>(lines: &'e Located<'e>) -> impl Iterator<Item = (usize, &'e str)> {
    let lines = lines.value.as_array().into_iter().flatten();
    lines.enumerate().filter_map(|(at, line)| Some((at, Value::as_str(line)?)))
}

/// Whether the first letters and digits of a line are this id.
fn begins_with(line: &str, id: &str) -> bool {
    let behind = line.trim_start_matches(|character: char| !character.is_alphanumeric()).strip_prefix(id);
    behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
}

/// The word in the parentheses of a line that has the form of a header.
fn word_in_parentheses<'l>(line: &'l str, id: &str) -> Option<&'l str> {
    let behind = line.trim_start().strip_prefix('[')?.strip_prefix(id)?.strip_prefix(']')?;
    let (word, _) = behind.trim_start().strip_prefix('(')?.split_once(')')?;
    Some(word)
}
