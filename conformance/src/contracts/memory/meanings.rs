//! Whether the description of a tool says what fields mean and why time matters.

use super::words::{all_texts, clauses, nothing_to_read, said_by, texts_outside_arguments};
use crate::model::Detail;
use crate::rules::{Input, Ruling};
use crate::text::pointer::parent;
use serde::Deserialize;

/// So many words say something.
const ENOUGH: usize = 2;

/// Names of fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fields {
    fields: Vec<String>,
}

/// Each field is named. What counts something, "how many contexts", or does without, "no entries", names no field.
pub(super) fn names_fields(args: &Fields, input: &Input<'_, '_>) -> Ruling {
    let Some(first) = input.one("value") else { return nothing_to_read() };
    let mut texts = Vec::new();
    input.all("value").iter().for_each(|node| texts_outside_arguments(node.value, &mut texts));
    let clauses: Vec<Vec<String>> = texts.into_iter().flat_map(clauses).collect();
    let is_named = |name: &String| {
        let name = name.to_lowercase();
        clauses.iter().any(|clause| (0..clause.len()).any(|at| clause[at] == name && !is_counted(clause, at)))
    };
    let place = parent(&first.pointer);
    let missing = args.fields.iter().filter(|name| !is_named(name));
    let details = missing.map(|name| Detail::new(format!("`{name}` is not named")).at(place)).collect();
    Ruling::of(args.fields.len(), details)
}

/// Whether a word is only what is counted, or what something does: "it may count".
fn is_counted(clause: &[String], at: usize) -> bool {
    let before = |steps: usize| at.checked_sub(steps).map_or("", |at| clause[at].as_str());
    ["many", "no", "may", "will", "can"].contains(&before(1)) || before(1) == "of" && before(2) == "number"
}

/// Where a field is named, further words follow before the next one is named: what it is.
pub(super) fn explains_fields(args: &Fields, input: &Input<'_, '_>) -> Ruling {
    let Some(first) = input.one("value") else { return nothing_to_read() };
    let names: Vec<String> = args.fields.iter().map(|name| name.to_lowercase()).collect();
    let mut texts = Vec::new();
    input.all("value").iter().for_each(|node| all_texts(node.value, &mut texts));
    let (mut named, mut explained) = (Vec::new(), Vec::new());
    for text in texts {
        let words: Vec<String> = clauses(text).into_iter().flatten().collect();
        let places: Vec<usize> = (0..words.len()).filter(|&at| names.contains(&words[at])).collect();
        for (index, &at) in places.iter().enumerate() {
            // "entries: the entries found" names one field twice.
            let next = places[index + 1..].iter().copied().find(|next| words[*next] != words[at]);
            let next = next.unwrap_or(words.len());
            let of_field = if next - at > ENOUGH { &mut explained } else { &mut named };
            of_field.push(words[at].clone());
        }
    }
    let bare = names.iter().filter(|name| named.contains(name) && !explained.contains(name));
    let place = parent(&first.pointer);
    let details = bare.map(|name| Detail::new(format!("`{name}` is named, and not explained")).at(place)).collect();
    match named.is_empty() && explained.is_empty() {
        true => Ruling::skip("no field is named"),
        false => Ruling::of(names.len(), details),
    }
}

/// Some clause tells why time matters: what is newer counts more, or what is older may be out of date.
pub(super) fn says_why_time(input: &Input<'_, '_>) -> Ruling {
    let starts = ["chang", "evol", "contradict", "supersed", "stale", "outdat", "current", "recen", "obsolet"];
    let words = ["newer", "older", "newest", "oldest", "latest", "progress", "trend", "trends"];
    said_by(input, "why time matters", |clause| {
        clause.iter().any(|word| words.contains(&word.as_str()) || starts.iter().any(|start| word.starts_with(start)))
    })
}
