//! What legal answers of recall do to values.

use crate::contracts::{Function, NamedFunction};
use crate::model::{RawReply, Received};
use serde_json::Value;

pub(super) const FUNCTIONS: &[NamedFunction] =
    &[("mark-words", Function::Value(mark_words)), ("repeat-a-key", Function::Reply(repeat_a_key))];

/// Marks each fourth word, as a search engine marks what it found, and shows that the text goes on at both ends.
fn mark_words(value: &mut Value) {
    let Some(text) = value.as_str() else { return };
    let mark = |(at, word): (usize, &str)| if at % 4 == 3 { format!("<b>{word}</b>") } else { word.to_owned() };
    let words: Vec<String> = text.split(' ').enumerate().map(mark).collect();
    *value = format!("… {} …", words.join(" ")).into();
}

/// An object whose first key stands in it twice, with the same value: a program that reads JSON takes either.
fn repeat_a_key(reply: &mut RawReply) {
    let Received::Response { body, headers, .. } = &mut reply.received else { return };
    let value: Value = serde_json::from_slice(&body.0).unwrap_or_default();
    let Some((key, first)) = value.as_object().and_then(|members| members.iter().next()) else { return };
    let text = format!("{{{}:{first},{}", Value::from(key.as_str()), body.text().trim_start().trim_start_matches('{'));
    body.0 = text.into_bytes();
    headers.shift_remove("content-length");
}
