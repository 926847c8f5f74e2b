//! What legal answers of remnote do to values.

use crate::contracts::{Function, NamedFunction};
use serde_json::{Value, json};

pub(super) const FUNCTIONS: &[NamedFunction] = &[
    ("in-a-list", Function::Value(in_a_list)),
    ("other-bullets", Function::Value(other_bullets)),
    ("reverse-within-type", Function::Value(reverse_within_type)),
    ("without-content", Function::Value(without_content)),
    ("without-direction", Function::Value(without_direction)),
];

/// A list of the value alone.
fn in_a_list(value: &mut Value) {
    *value = json!([value.take()]);
}

/// Stars in place of dashes, and a tab for each level.
fn other_bullets(value: &mut Value) {
    let Some(text) = value.as_str() else { return };
    let line = |line: &str| {
        let inner = line.trim_start_matches(' ');
        let tabs = "\t".repeat((line.len() - inner.len()) / 2);
        let inner = inner.strip_prefix("- ").map_or_else(|| inner.to_owned(), |rest| format!("* {rest}"));
        format!("{tabs}{inner}")
    };
    *value = text.split('\n').map(line).collect::<Vec<_>>().join("\n").into();
}

/// Neighbours of one type, from the last to the first.
fn reverse_within_type(value: &mut Value) {
    let Some(results) = value.as_array_mut() else { return };
    results.chunk_by_mut(|one, next| one["remType"] == next["remType"]).for_each(<[Value]>::reverse);
}

/// A note without `content` and its properties.
fn without_content(value: &mut Value) {
    without(value, &["content", "contentProperties"]);
}

/// A note without a direction.
fn without_direction(value: &mut Value) {
    without(value, &["cardDirection"]);
}

fn without(value: &mut Value, names: &[&str]) {
    let Some(fields) = value.as_object_mut() else { return };
    for name in names {
        fields.shift_remove(*name);
    }
}
