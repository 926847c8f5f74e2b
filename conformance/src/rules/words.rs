//! What a text for readers says, by its words: how it says it is free.

use super::values::Of;
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
        return Ruling::fail(Detail::new("there is no text"));
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

/// Each text, when it is not empty, shares a word with the listed one at the same place.
pub(super) fn shares_a_word(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let (values, texts) = (input.all("value"), &args.of);
    let words = |text: &str| -> Vec<String> {
        let bare = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
        bare.map(str::to_lowercase).collect()
    };
    let pairs = values.iter().zip(texts).filter_map(|(node, text)| Some((node, node.value.as_str()?, text.as_str()?)));
    let pairs: Vec<_> = pairs.filter(|(_, shown, _)| !words(shown).is_empty()).collect();
    if pairs.is_empty() {
        return Ruling::skip("no texts to compare");
    }
    let foreign = pairs.iter().filter(|(_, shown, text)| {
        let own = words(text);
        !words(shown).iter().any(|word| own.contains(word))
    });
    let details = foreign.map(|(node, shown, _)| {
        Detail::new(format!("{} has no word of its own text", brief(&Value::from(*shown)))).at(&node.pointer)
    });
    Ruling::of(pairs.len(), details.collect())
}

/// The word stands somewhere in each value.
pub(super) fn mentions(args: &Word, input: &Input<'_, '_>) -> Ruling {
    let values = input.all("value");
    if values.is_empty() {
        return Ruling::skip("no values to look into");
    }
    let word = &args.word;
    let without = values.iter().filter(|node| !node.value.to_string().contains(word.as_str()));
    let details =
        without.map(|node| Detail::new(format!("{} does not mention {word}", brief(node.value))).at(&node.pointer));
    Ruling::of(values.len(), details.collect())
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
