//! How rules and checks compare values, and show them.

use crate::model::Detail;
use crate::path::Located;
use serde_json::Value;

/// JSON equality in which `5` and `5.0` are the same number.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => left == right,
    }
}

/// A whole number from 0, also one that is written as `5.0`.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(number);
    value.as_u64().or_else(|| value.as_f64().filter(is_whole).map(|number| number as u64))
}

/// Equality in which an expected object may leave out keys, so that further fields stay free.
pub(crate) fn fits(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().all(|(key, expected)| found.get(key).is_some_and(|found| fits(expected, found)))
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(expected, found)| fits(expected, found))
        }
        _ => equal(expected, found),
    }
}

/// The fields of a value that the expected one has, so that a difference shows nothing else.
pub(crate) fn common(expected: &Value, found: &Value) -> Value {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.keys().map(|key| (key.clone(), found.get(key).cloned().unwrap_or_default())).collect()
        }
        _ => found.clone(),
    }
}

/// The end of a message about a value, short enough for a line.
pub(crate) fn brief(value: &Value) -> String {
    short(value.to_string())
}

/// That a value was received which nobody expected.
pub(super) fn unexpected(node: &Located<'_>) -> Detail {
    Detail::new(format!("{} was received, and not expected", brief(node.value))).at(&node.pointer)
}

/// A text, short enough for a line.
pub(crate) fn short(text: String) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
