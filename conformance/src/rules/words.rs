//! What a text for readers says, by its words: how it says it is free.

use super::{Input, Outcome, brief};
use crate::model::Detail;
use serde_json::Value;

/// The values, read as one text, have of each list at least one: a word, a number, several words in a row. `time*` stands
/// for every word that begins so. Case is free.
pub(super) fn says(input: &Input<'_, '_>) -> Outcome {
    let values = input.all("value");
    if values.is_empty() {
        return Outcome::fail(Detail::new("there is no text"));
    }
    let mut words = Vec::new();
    values.iter().for_each(|node| read(node.value, &mut words));
    let wanted = input.list("all");
    let missing = wanted.iter().filter(|one_of| {
        let mut phrases = one_of.as_array().into_iter().flatten().filter_map(Value::as_str);
        !phrases.any(|phrase| stands_in(phrase, &words))
    });
    let details = missing.map(|one_of| {
        let parent = values[0].pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        Detail::new(format!("the text has none of {}", brief(one_of))).at(parent)
    });
    Outcome::of(wanted.len(), details.collect())
}

/// The word stands in at least one of the values.
pub(super) fn mentioned(input: &Input<'_, '_>) -> Outcome {
    let (values, word) = (input.all("value"), input.text("word"));
    let is_there = values.iter().any(|node| node.value.to_string().contains(word));
    match (values.first(), is_there) {
        (None, _) => Outcome::skip("no values to look into"),
        (_, true) => Outcome::pass(1),
        (Some(first), _) => {
            Outcome::fail(Detail::new(format!("{} does not mention {word}", brief(first.value))).at(&first.pointer))
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
