//! What a text for readers says, by its words: how it says it is free.

use super::{Input, Ruling, brief};
use crate::model::Detail;
use serde::Deserialize;
use serde_json::Value;

/// A word that is to be there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Word {
    word: String,
}

/// Words that say no more than that something was wrong.
const EMPTY_WORDS: [&str; 15] = [
    "bad",
    "request",
    "error",
    "errors",
    "fail",
    "failed",
    "failure",
    "invalid",
    "status",
    "http",
    "null",
    "none",
    "undefined",
    "true",
    "false",
];

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
