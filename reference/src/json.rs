//! JSON values as arguments have them, and as messages repeat them.

use crate::quote::shortened;
use serde_json::{Map, Value};

pub(crate) type JsonObject = Map<String, Value>;

/// The object of a `json!({ … })`.
pub(crate) fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// An integer as JSON Schema defines it: 5.0 is one. One that is too large for the type becomes its largest, which is outside
/// every range of ours.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    let number = value.as_f64()?;
    value.as_i64().or((number.fract() == 0.0).then_some(number as i64))
}

/// A value as JSON, and not all of a very long one.
pub(crate) fn shown(value: &Value) -> String {
    shortened(&value.to_string())
}
