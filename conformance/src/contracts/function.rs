//! Functions that legal answers name in `map`: what no general change can express.

use crate::model::RawReply;
use serde_json::Value;

/// What a function of a legal answer changes, and how.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    /// One value.
    Value(fn(&mut Value)),
    /// One line of a text.
    Line(fn(&str) -> String),
    /// All lines of a text, where one of them matches.
    Lines(fn(&mut Vec<String>)),
    /// The whole reply; its place is `$reply`.
    Reply(fn(&mut RawReply)),
}

/// A function and its name.
pub(crate) type NamedFunction = (&'static str, Function);

/// What several contracts use.
pub(super) const GENERAL: &[NamedFunction] = &[
    ("as-float", Function::Value(as_float)),
    ("as-text", Function::Value(as_text)),
    ("reverse", Function::Value(reverse)),
];

/// A number as a language writes it that has floating-point numbers alone.
fn as_float(value: &mut Value) {
    if let Some(number) = value.as_f64() {
        *value = number.into();
    }
}

/// A number or a flag as its text.
fn as_text(value: &mut Value) {
    if value.is_number() || value.is_boolean() {
        *value = value.to_string().into();
    }
}

/// A list from its end to its beginning.
fn reverse(value: &mut Value) {
    value.as_array_mut().into_iter().for_each(|elements| elements.reverse());
}
