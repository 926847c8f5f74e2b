//! Edits of JSON values.

use super::received::Root;
use crate::path::ValuePath;
use crate::text::pointer::split;
use regex::Regex;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Values that a path finds.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) root: Root,
    pub(super) path: ValuePath,
    pub(super) when: Option<Condition>,
}

/// What is done to each value that a path finds.
#[derive(Debug, Clone)]
pub(super) enum ValueEdit {
    Rename { from: String, to: String },
    Remove,
    Replace { pattern: Option<Regex>, value: Value },
    Wrap(String),
    Unwrap(String),
    Add { key: Option<String>, value: Value, first: bool },
    Map(fn(&mut Value)),
}

/// Which of the values are changed.
#[derive(Debug, Clone)]
pub(super) enum Condition {
    Equals(Value),
    Matches(Regex),
    Valid(Arc<jsonschema::Validator>),
}

impl ValueEdit {
    pub(super) fn rename(from: &str, to: &str) -> Self {
        Self::Rename { from: from.to_owned(), to: to.to_owned() }
    }
}

impl Condition {
    fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Equals(expected) => value == expected,
            Self::Matches(pattern) => value.as_str().is_some_and(|text| pattern.is_match(text)),
            Self::Valid(validator) => validator.is_valid(value),
        }
    }
}

/// The JSON Pointers of the values at a place.
pub(super) fn found(root: &Value, place: &Place) -> Vec<String> {
    let found = place.path.find(root).into_iter();
    let meant = found.filter(|node| place.when.as_ref().is_none_or(|when| when.holds(node.value)));
    meant.map(|node| node.pointer).collect()
}

/// Edits the values at a place; whether there are any.
pub(super) fn edit(root: &mut Value, place: &Place, edit: &ValueEdit) -> bool {
    let found = found(root, place);
    let is_there = !found.is_empty();
    // The last one first: what is taken out of a list moves only what follows it.
    for pointer in found.into_iter().rev() {
        match edit {
            ValueEdit::Remove => remove(root, &pointer),
            other => {
                if let Some(value) = root.pointer_mut(&pointer) {
                    change(value, other);
                }
            }
        }
    }
    is_there
}

fn remove(root: &mut Value, pointer: &str) {
    let Some((parent, name)) = split(pointer) else { return };
    match root.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.shift_remove(&name);
        }
        Some(Value::Array(elements)) => {
            if let Some(at) = name.parse().ok().filter(|at: &usize| *at < elements.len()) {
                elements.remove(at);
            }
        }
        _ => {}
    }
}

fn change(value: &mut Value, edit: &ValueEdit) {
    match (edit, value) {
        (ValueEdit::Rename { from, to }, Value::Object(members)) if members.contains_key(from) => {
            let renamed = std::mem::take(members).into_iter();
            *members = renamed.map(|(key, value)| (if key == *from { to.clone() } else { key }, value)).collect();
        }
        (ValueEdit::Replace { pattern: None, value: fresh }, value) => *value = fresh.clone(),
        (ValueEdit::Replace { pattern: Some(pattern), value: fresh }, Value::String(text)) => {
            let with = fresh.as_str().map_or_else(|| fresh.to_string(), str::to_owned);
            *text = pattern.replace_all(text, with.as_str()).into_owned();
        }
        (ValueEdit::Wrap(under), value) => *value = json!({ under.as_str(): value.take() }),
        (ValueEdit::Unwrap(key), value) => {
            if let Some(member) = value.get_mut(key) {
                *value = member.take();
            }
        }
        (ValueEdit::Add { key: Some(key), value: fresh, first }, Value::Object(members))
            if !members.contains_key(key) =>
        {
            let mut all = Map::new();
            let old = std::mem::take(members);
            if *first {
                all.insert(key.clone(), fresh.clone());
            }
            all.extend(old);
            all.entry(key.clone()).or_insert_with(|| fresh.clone());
            *members = all;
        }
        (ValueEdit::Add { key: None, value: fresh, first }, Value::Array(elements)) => {
            elements.insert(if *first { 0 } else { elements.len() }, fresh.clone());
        }
        (ValueEdit::Map(function), value) => function(value),
        _ => {}
    }
}
