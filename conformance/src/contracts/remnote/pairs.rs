//! Which outlines are compared: one with one, or those of the same Rem.

use super::lines::lines;
use crate::path::{Located, field};
use crate::rules::{Names, whole};
use serde::Deserialize;
use serde_json::Value;

/// The nodes of a note that shows none.
static NOTHING: Value = Value::Array(Vec::new());

/// The key that both sides have, and the fields that are compared. A name that begins with `/` is a JSON Pointer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct By {
    key: Names,
    fields: Names,
    /// Where the right side says that it is not all: then nothing is compared.
    unless: Option<String>,
    /// Where both sides say how many lines they have. Where that is not what can be read, a headline is printed with its line
    /// breaks, and nothing is compared.
    counted: Option<String>,
    /// A note without `contentStructured` has an empty one.
    #[serde(default)]
    absent_is_empty: bool,
}

/// The values of two selections that belong together: in the order of the selections, or by a key.
pub(super) fn pairs<'e>(
    by: Option<&By>,
    left: &[Located<'e>],
    right: &[Located<'e>],
) -> Vec<(Located<'e>, Located<'e>)> {
    let Some(By { key, fields, unless, counted, absent_is_empty }) = by else {
        return left.iter().cloned().zip(right.iter().cloned()).collect();
    };
    let (left_key, right_key) = key.both();
    let (left_field, right_field) = fields.both();
    let mut pairs = Vec::new();
    for left in left {
        let Some(key) = field(left.value, left_key) else { continue };
        for right in right.iter().filter(|right| field(right.value, right_key) == Some(key)) {
            let is_all = unless.as_deref().is_none_or(|name| field(right.value, name) != Some(&Value::Bool(true)));
            let inside = |node: &Located<'e>, name: &str| {
                let is_empty = *absent_is_empty && name == "contentStructured";
                let value = field(node.value, name).or(is_empty.then_some(&NOTHING))?;
                let is_read = counted
                    .as_deref()
                    .and_then(|name| field(node.value, name))
                    .is_none_or(|count| lines(value).is_some_and(|lines| whole(count) == Some(lines.len() as u64)));
                is_read.then(|| Located { pointer: below(&node.pointer, name), value })
            };
            let pair = inside(left, left_field).zip(inside(right, right_field));
            pairs.extend(pair.filter(|_| is_all));
        }
    }
    pairs
}

fn below(pointer: &str, name: &str) -> String {
    if name.starts_with('/') { format!("{pointer}{name}") } else { format!("{pointer}/{name}") }
}
