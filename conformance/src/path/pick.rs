//! Picks: pure functions that take values for arguments from earlier evidence.

use crate::model::Pick;
use crate::path::Located;
use serde_json::Value;
use std::collections::BTreeSet;

/// The picks that a case can name.
pub(crate) const NAMES: &[&str] = &["value", "record-ends", "line-ends", "a-word", "a-part"];

/// The pick in place of a value, when there is one.
pub(crate) fn read(value: &Value) -> Result<Option<Pick>, String> {
    match value.get("$pick") {
        Some(_) => serde_json::from_value(value.clone()).map(Some).map_err(|error| format!("is no pick: {error}")),
        None => Ok(None),
    }
}

/// The values that a pick yields; an error says what the evidence lacks.
pub(crate) fn apply(pick: &Pick, nodes: &[Located<'_>]) -> Result<Vec<Value>, String> {
    let values: Vec<Value> = match pick.name.as_str() {
        "record-ends" => nodes.first().map(|node| record_ends(node.value, &pick.args)).unwrap_or_default(),
        "line-ends" => nodes.iter().find_map(|node| line_ends(node.value.as_str()?, &pick.args)).unwrap_or_default(),
        "a-word" => nodes.iter().find_map(|node| a_word(node.value.as_str()?)).into_iter().collect(),
        "a-part" => nodes.iter().find_map(|node| a_part(node.value.as_str()?)).into_iter().collect(),
        _ => nodes.iter().filter(|node| !node.value.is_null()).map(|node| value(node.value, &pick.args)).collect(),
    };
    match values.is_empty() {
        true => Err(format!("`{}` finds nothing at {}", pick.name, pick.from)),
        false => Ok(values),
    }
}

/// What is selected, as it is; a text perhaps with something `before` it.
fn value(value: &Value, args: &serde_json::Map<String, Value>) -> Value {
    match (args.get("before").and_then(Value::as_str), value) {
        (Some(before), Value::String(text)) => format!("{before}{text}").into(),
        _ => value.clone(),
    }
}

/// A word of plain letters with white space on both sides, long enough to be no stop word.
fn a_word(text: &str) -> Option<Value> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // The first and the last may be cut.
    let whole = words.get(1..words.len().saturating_sub(1))?;
    let plain = |word: &&&str| word.len() >= 6 && word.chars().all(|character| character.is_ascii_alphabetic());
    whole.iter().find(plain).map(|word| Value::from(*word))
}

/// The middle of a text: a substring that is neither its beginning nor its end.
fn a_part(text: &str) -> Option<Value> {
    let characters: Vec<char> = text.chars().collect();
    let middle = characters.get(1..characters.len().saturating_sub(1)).filter(|middle| middle.len() >= 2)?;
    let part: String = middle.iter().take(12).collect();
    (part.trim() == part).then(|| Value::from(part))
}

/// Budgets around the end of each record of an exchange, and in the middle of each body: `around` says how far from it.
fn record_ends(exchange: &Value, args: &serde_json::Map<String, Value>) -> Vec<Value> {
    let mut ends = vec![0];
    for line in exchange["lines"].as_array().into_iter().flatten() {
        let length = line.as_str().map_or(0, |line| line.chars().count() as i64) + 1;
        ends.push(ends.last().copied().unwrap_or(0) + length);
    }
    let at = |line: usize| ends.get(line).copied().unwrap_or(0);
    let mut places = BTreeSet::from([at(1)]);
    for record in exchange["parsed"]["records"].as_array().into_iter().flatten() {
        let first = record["line"].as_u64().unwrap_or(1) as usize - 1;
        let lines = record["lines"].as_u64().unwrap_or(1) as usize;
        places.insert(at(first + lines));
        if lines > 1 {
            places.insert((at(first) + at(first + lines)) / 2);
        }
    }
    let around: Vec<i64> = match args.get("around").and_then(Value::as_array) {
        Some(around) => around.iter().filter_map(Value::as_i64).collect(),
        None => vec![0],
    };
    let budgets: BTreeSet<i64> = places.iter().flat_map(|place| around.iter().map(move |step| place + step)).collect();
    budgets.into_iter().filter(|budget| *budget >= 0).map(Value::from).collect()
}

/// Lengths around the ends of lines of a text, in characters: `around` says how far from each, `least` the smallest that is
/// asked for, `most` how many ends are looked at, evenly spread, the last one among them.
fn line_ends(text: &str, args: &serde_json::Map<String, Value>) -> Option<Vec<Value>> {
    let number = |name: &str, otherwise: i64| args.get(name).and_then(Value::as_i64).unwrap_or(otherwise);
    let least = number("least", 1);
    let mut end = 0;
    let ends = text.split_inclusive('\n').map(|line| {
        end += line.chars().count() as i64;
        end
    });
    let ends: Vec<i64> = ends.filter(|end| *end > least).collect();
    let count = (number("most", 1000).max(1) as usize).min(ends.len());
    let places = (1..=count).map(|at| ends[at * ends.len() / count - 1]);
    let around: Vec<i64> = match args.get("around").and_then(Value::as_array) {
        Some(around) => around.iter().filter_map(Value::as_i64).collect(),
        None => vec![0],
    };
    let lengths: BTreeSet<i64> = places.flat_map(|place| around.iter().map(move |step| place + step)).collect();
    let lengths: Vec<Value> = lengths.into_iter().filter(|length| *length >= least).map(Value::from).collect();
    (!lengths.is_empty()).then_some(lengths)
}
