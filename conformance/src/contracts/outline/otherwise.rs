//! Headers in another form than that of the document, found by the records that a full answer lists. "Encoding Rules".
//!
//! A line that is no header to the reader is text of the record above it. That it was meant as a header shows where it begins
//! with the id of a record that no header shows. So it is with a line that was meant as one of a summary.

use super::ids::is_plain;
use super::pairs::{Pairs, text};
use super::texts::words;
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;

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
    /// The form where not every record is expected, and lines may show any text: a line is meant as a header where it has the id, the
    /// state and the title of a record and nothing else.
    Alone,
    /// Levels of spaces, where the form is right.
    Indent,
    /// The word in parentheses, where the form is right.
    State,
    /// The further lines of a summary, which are deeper than its header.
    Continuations,
}

/// A shorter line may be part of another text.
const TELLING: usize = 8;

/// No line that begins with the id of a record, and holds its title, is anything but a header.
pub(super) fn headers_in_form(args: &Headers, input: &Input<'_, '_>) -> Ruling {
    let (Some(outline), Some(lines)) = (input.one("outline"), input.one("lines")) else {
        return Ruling::skip("no outline was received");
    };
    let pairs = Pairs::of(outline, input.all("full"));
    if args.of == Of::Continuations {
        return continuations(&pairs, lines);
    }
    if args.of == Of::Alone {
        return alone(&pairs, lines);
    }
    let mut details = Vec::new();
    let mut exercised = 0;
    for pair in pairs.all.iter().filter(|pair| is_plain(pair.id)) {
        exercised += 1;
        let title = text(pair.full, "title").trim();
        if pair.shown.is_some() || title.is_empty() {
            continue;
        }
        let is_meant =
            |line: &str| begins_with(line, pair.id) && line.contains(title) || is_header_of(line, pair.id, pair.full);
        let meant = of_lines(lines).find(|(_, line)| is_meant(line));
        let Some((at, line)) = meant else { continue };
        let word = word_in_parentheses(line, pair.id);
        let is_state = word.is_some_and(|word| names_state(word.split('+').next().unwrap_or(word), pair.full));
        let detail = match (&args.of, word) {
            (Of::Form, None) => format!("line {}: expected a header of {}, received {line:?}", at + 1, pair.id),
            (Of::State, Some(word)) if !is_state => format!("line {}: ({word}) is no state of {}", at + 1, pair.id),
            (Of::Indent, Some(_)) if is_state && !line.trim_start_matches([' ', '\t']).starts_with('[') => {
                format!("line {}: expected two spaces for each level before {}, received {line:?}", at + 1, pair.id)
            }
            _ => continue,
        };
        details.push(Detail::new(detail).at(format!("{}/{at}", lines.pointer)));
    }
    match exercised {
        0 => Ruling::skip("no record has a plain id"),
        _ => Ruling::of(exercised, details),
    }
}

/// No line is a header in another form. What stands in a title or a summary of a record is its text, and so is what a snippet quotes;
/// where headers are read, what has their form behind other characters is quoted too.
fn alone(pairs: &Pairs<'_>, lines: &Located<'_>) -> Ruling {
    let texts = pairs.all.iter().flat_map(|pair| ["title", "summary"].map(|key| text(pair.full, key)));
    let known: HashSet<&str> = texts.flat_map(str::lines).map(str::trim).collect();
    let unread: Vec<(usize, &str)> =
        of_lines(lines).filter(|(_, line)| !line.trim().starts_with('>') && !known.contains(line.trim())).collect();
    let (mut exercised, mut details) = (0, Vec::new());
    for pair in pairs.all.iter().filter(|pair| is_plain(pair.id)) {
        if pair.shown.is_some() {
            exercised += 1;
            continue;
        }
        let is_quoted = |line: &str| {
            let right = line.find(&format!("[{}]", pair.id)).and_then(|at| word_in_parentheses(&line[at..], pair.id));
            right.is_some() && !pairs.records.is_empty()
        };
        let meant = unread.iter().find(|(_, line)| is_header_of(line, pair.id, pair.full) && !is_quoted(line));
        if let Some((at, line)) = meant {
            exercised += 1;
            let message = format!("line {}: expected a header of {}, received {line:?}", at + 1, pair.id);
            details.push(Detail::new(message).at(format!("{}/{at}", lines.pointer)));
        }
    }
    match exercised {
        0 => Ruling::skip("no record of a plain id is shown"),
        _ => Ruling::of(exercised, details),
    }
}

/// Whether a line has the id, the state and the title of a record, in any order, and nothing else but what a header may have.
fn is_header_of(line: &str, id: &str, full: &Value) -> bool {
    if !line.contains(id) {
        return false;
    }
    let (line, title) = (words(&line.replace("**", "")), words(&text(full, "title").replace("**", "")));
    let Some((before, behind)) = line.rsplit_once(title.as_str()).filter(|_| !title.is_empty()) else { return false };
    let kind = words(text(full, "type"));
    let (mut ids, mut states, mut others) = (0, 0, 0);
    for word in [before, behind].into_iter().flat_map(|part| part.split(|one: char| !one.is_alphanumeric())) {
        match word {
            word if word == id => ids += 1,
            word if names_state(word, full) => states += 1,
            "" | "open" | "body" => {}
            word if word == kind || word.chars().all(|one| one.is_ascii_digit()) => {}
            _ => others += 1,
        }
    }
    (ids, others) == (1, 0) && states > 0
}

/// Whether a word is the state of a record, or its letter.
fn names_state(word: &str, full: &Value) -> bool {
    let state = text(full, "state");
    word.eq_ignore_ascii_case(state) || state.get(..1).is_some_and(|letter| letter.eq_ignore_ascii_case(word))
}

/// No further line of a summary, between the header of its record and the next header, is as shallow as that header.
fn continuations(pairs: &Pairs<'_>, lines: &Located<'_>) -> Ruling {
    let line_of = |record: &Value| record["line"].as_u64().unwrap_or_default() as usize;
    let (mut exercised, mut details) = (0, Vec::new());
    for pair in &pairs.all {
        let Some((at, shown)) = pair.shown else { continue };
        let summary = text(pair.full, "summary").lines().map(str::trim).filter(|line| !line.is_empty());
        let further: Vec<&str> = summary.skip(1).filter(|line| line.chars().count() >= TELLING).collect();
        if further.is_empty() {
            continue;
        }
        exercised += 1;
        let (from, to) = (line_of(shown), pairs.records.get(at + 1).map_or(usize::MAX, line_of));
        let header = shown["indent"].as_u64().unwrap_or_default() as usize;
        let own = of_lines(lines).filter(|(at, _)| (from..to.saturating_sub(1)).contains(at));
        let is_shallow = |line: &str| line.len() - line.trim_start().len() <= header && further.contains(&line.trim());
        details.extend(own.filter(|(_, line)| is_shallow(line)).map(|(at, line)| {
            let message =
                format!("line {}: {line:?} of the summary of {} is not deeper than its header", at + 1, pair.id);
            Detail::new(message).at(format!("{}/{at}", lines.pointer))
        }));
    }
    match exercised {
        0 => Ruling::skip("no summary has several lines"),
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
