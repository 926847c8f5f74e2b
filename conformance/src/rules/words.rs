//! What a text for readers says, by its words: how it says it is free.

use super::{Input, Ruling, brief};
use crate::model::Detail;
use crate::text::pointer::parent;
use serde::Deserialize;
use serde_json::Value;

/// Lists of phrases that mean the same.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phrases {
    all: Vec<Vec<String>>,
}

/// A word that is to be there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Word {
    word: String,
}

/// The values, read as one text, have of each list at least one: a word, a number, several words in a row. `time*` stands
/// for every word that begins so. Case is free.
pub(super) fn says(args: &Phrases, input: &Input<'_, '_>) -> Ruling {
    let values = input.all("value");
    if values.is_empty() {
        return Ruling::incomplete(Detail::new("there is no text"));
    }
    let mut words = Vec::new();
    values.iter().for_each(|node| read(node.value, &mut words));
    let missing = args.all.iter().filter(|one_of| !one_of.iter().any(|phrase| stands_in(phrase, &words)));
    let details = missing.map(|one_of| {
        let place = parent(&values[0].pointer);
        Detail::new(format!("the text has none of {}", brief(&one_of.as_slice().into()))).at(place)
    });
    Ruling::of(args.all.len(), details.collect())
}

/// Words that say no more than that something was wrong.
const EMPTY_WORDS: [&str; 10] =
    ["bad", "request", "error", "errors", "fail", "failed", "failure", "invalid", "status", "http"];

/// Texts, however deep in the value, say what was wrong: a word of three letters that is not just another word for an error. The
/// names of fields do not count.
pub(super) fn explains(input: &Input<'_, '_>) -> Ruling {
    let values = input.all("value");
    let (mut ahead, mut says) = (values.iter().map(|node| node.value).collect::<Vec<_>>(), false);
    while let Some(value) = ahead.pop() {
        match value {
            Value::String(text) => {
                let mut words = text.split(|character: char| !character.is_alphabetic()).map(str::to_lowercase);
                says |= words.any(|word| word.chars().count() >= 3 && !EMPTY_WORDS.contains(&word.as_str()));
            }
            Value::Array(inner) => ahead.extend(inner),
            Value::Object(fields) => ahead.extend(fields.values()),
            _ => {}
        }
    }
    match (values.first(), says) {
        (_, true) => Ruling::pass(1),
        (Some(first), false) => Ruling::fail(Detail::new("says no more than that it is an error").at(&first.pointer)),
        (None, false) => Ruling::skip("there is no text"),
    }
}

/// The word stands in at least one of the values.
pub(super) fn mentioned(args: &Word, input: &Input<'_, '_>) -> Ruling {
    let (values, word) = (input.all("value"), &args.word);
    let is_there = values.iter().any(|node| node.value.to_string().contains(word.as_str()));
    match (values.first(), is_there) {
        (None, _) => Ruling::skip("no values to look into"),
        (_, true) => Ruling::pass(1),
        (Some(first), _) => {
            Ruling::fail(Detail::new(format!("{} does not mention {word}", brief(first.value))).at(&first.pointer))
        }
    }
}

/// The words of a value in lower case: of its texts, its numbers and its keys.
fn read(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) => split(text, words),
        Value::Number(number) => split(&number.to_string(), words),
        Value::Array(values) => values.iter().for_each(|value| read(value, words)),
        Value::Object(fields) => {
            for (key, value) in fields {
                split(key, words);
                read(value, words);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn split(text: &str, words: &mut Vec<String>) {
    let parts = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.extend(parts.filter(|word| !word.is_empty()).map(str::to_lowercase));
}

/// Whether the words of a phrase stand next to each other.
fn stands_in(phrase: &str, words: &[String]) -> bool {
    let phrase: Vec<String> = phrase.split_whitespace().map(str::to_lowercase).collect();
    let is_it = |(wanted, word): (&String, &String)| match wanted.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => wanted == word,
    };
    words.windows(phrase.len().max(1)).any(|row| phrase.iter().zip(row).all(is_it))
}
