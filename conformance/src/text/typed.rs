//! JSON → a type, and what is wrong with it in one sentence: where, and the nearest word that is known.

use super::suggest;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Why a value is not of its type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misread {
    /// Where in the value, as a JSON Pointer.
    pub(crate) at: String,
    pub(crate) message: String,
}

/// Reads named arguments.
pub(crate) fn arguments<T: DeserializeOwned>(given: &Map<String, Value>) -> Result<T, Misread> {
    serde_path_to_error::deserialize(Value::Object(given.clone())).map_err(|error| {
        let path = error.path().to_string().replace(['.', '['], "/").replace(']', "");
        let at = if matches!(path.as_str(), "/" | "?") { String::new() } else { format!("/{path}") };
        Misread { at, message: nearest(&error.inner().to_string()) }
    })
}

/// A message of serde about an unknown word, with the nearest known one in place of a long list.
pub(crate) fn nearest(message: &str) -> String {
    let is_of_words = message.starts_with("unknown field `") || message.starts_with("unknown variant `");
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (Some(found), true) = (quoted.next(), is_of_words) else { return message.to_owned() };
    let known: Vec<&str> = quoted.collect();
    if known.is_empty() {
        return message.replace("there are no fields", "it takes none");
    }
    match suggest::nearest(found, known.iter().copied()) {
        Some(near) => {
            let end = message.find(", ").unwrap_or(message.len());
            format!("{}; did you mean `{near}`?", &message[..end])
        }
        None => message.to_owned(),
    }
}
