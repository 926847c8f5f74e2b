//! Comparing what came with a golden: in order, or as a set.

use crate::load::Matching;
use crate::model::{Detail, cut};
use crate::path::Located;
use crate::rules::{Ruling, brief, common, fits};
use crate::text::listed;
use serde_json::{Map, Value};

/// The selected values are those of the golden.
pub(super) fn golden(values: &[Located<'_>], expected: &[Value], matching: &Matching) -> Ruling {
    match matching {
        Matching::InOrder => in_order(values, expected),
        Matching::AnyOrder => in_any_order(values, expected),
        Matching::By(key) => by_key(values, expected, key),
    }
}

fn place(values: &[Located<'_>], at: usize) -> String {
    values.get(at).or(values.last()).map_or_else(String::new, |node| node.pointer.clone())
}

fn in_order(values: &[Located<'_>], expected: &[Value]) -> Ruling {
    let differing = (0..expected.len().max(values.len())).find(|at| match (expected.get(*at), values.get(*at)) {
        (Some(expected), Some(node)) => !fits(expected, node.value),
        _ => true,
    });
    match differing {
        None => Ruling::pass(values.len()),
        Some(at) => Ruling::fail(
            Detail::new(format!("value {} differs from the expected answer", at + 1)).at(place(values, at)).compare(
                expected.get(at).cloned().unwrap_or_default(),
                values
                    .get(at)
                    .map(|node| common(expected.get(at).unwrap_or(node.value), node.value))
                    .unwrap_or_default(),
            ),
        ),
    }
}

fn in_any_order(values: &[Located<'_>], expected: &[Value]) -> Ruling {
    let mut left: Vec<&Value> = expected.iter().collect();
    let mut details = Vec::new();
    let mut strangers = Vec::new();
    for node in values {
        match left.iter().position(|expected| fits(expected, node.value)) {
            Some(at) => {
                left.swap_remove(at);
            }
            None => strangers.push(node),
        }
    }
    for node in &strangers {
        // The nearest relative of a stranger is the one that names the same thing.
        let twin = left.iter().position(|expected| names_the_same(expected, node.value)).map(|at| left.swap_remove(at));
        let detail = match twin {
            Some(expected) => other(expected, node.value),
            None => Detail {
                found: Some(cut::copy(node.value)),
                ..Detail::new(format!("{} was received, and not expected", name(node.value)))
            },
        };
        details.push(detail.at(&node.pointer));
    }
    let missing = left.into_iter().map(|expected| {
        let detail = Detail::new(format!("{} is missing", name(expected))).at(place(values, values.len()));
        Detail { expected: Some(expected.clone()), ..detail }
    });
    details.extend(missing);
    Ruling::of(values.len(), details)
}

/// Objects that the golden names by `key` are as there. Those that it does not name are free.
fn by_key(values: &[Located<'_>], expected: &[Value], key: &str) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for node in values {
        let named = |due: &&Value| due.get(key).is_some() && due.get(key) == node.value.get(key);
        let mut of_key = expected.iter().filter(named).peekable();
        let Some(first) = of_key.peek().copied() else { continue };
        exercised += 1;
        if !of_key.any(|due| fits(due, node.value)) {
            details.push(other(first, node.value).at(&node.pointer));
        }
    }
    match exercised {
        0 => Ruling::skip("nothing of the golden was received"),
        _ => Ruling::of(exercised, details),
    }
}

/// What a value is called in a sentence: by what names it, else by its beginning.
fn name(value: &Value) -> String {
    let text = |key: &str| value.get(key)?.as_str();
    match (text("id").or_else(|| text("path")), text("from"), text("to")) {
        (Some(id), ..) => id.to_owned(),
        (None, Some(from), Some(to)) => format!("the link from {from} to {to}"),
        _ => brief(value),
    }
}

/// That a value has other fields than the expected one, and which. The others are left out.
fn other(expected: &Value, found: &Value) -> Detail {
    let found = common(expected, found);
    let (Some(all), Some(received)) = (expected.as_object(), found.as_object()) else {
        return Detail::new("not the expected value").compare(expected.clone(), found);
    };
    let differs = |key: &&String| !received.get(*key).is_some_and(|found| fits(&all[*key], found));
    let fields: Vec<&String> = all.keys().filter(differs).collect();
    let part = |of: &Map<String, Value>| fields.iter().map(|key| ((*key).clone(), of[*key].clone())).collect::<Value>();
    let message = format!("{} was received with another {}", name(expected), listed(&fields, fields.len()));
    Detail::new(message).compare(part(all), part(received))
}

fn names_the_same(left: &Value, right: &Value) -> bool {
    let same = |key: &str| left.get(key).is_some() && left.get(key) == right.get(key);
    same("id") || same("path") || (same("from") && same("to"))
}
