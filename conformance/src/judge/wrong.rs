//! What is wrong with one value, in words.

use crate::model::{Detail, cut};
use crate::path::Located;
use crate::rules::brief;
use crate::text::plural;
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

/// At most this many alternatives of a schema are named.
const MOST_ALTERNATIVES: usize = 3;

/// A value that is not equal to the expected one.
pub(super) fn unequal(node: &Located<'_>, expected: &Value) -> Detail {
    let failed = node.value == "failed" && node.pointer.ends_with("/status");
    let message = if failed { "the call failed" } else { Detail::UNEQUAL };
    Detail::new(message).at(&node.pointer).compare(expected.clone(), cut::copy(node.value))
}

/// A value that a schema refuses.
pub(super) fn invalid(node: &Located<'_>, error: &ValidationError<'_>) -> Detail {
    let at = format!("{}{}", node.pointer, error.instance_path());
    if let ValidationErrorKind::Constant { expected_value } = error.kind() {
        return Detail::new(Detail::UNEQUAL).at(at).compare((**expected_value).clone(), cut::copy(error.instance()));
    }
    // What was received is beside the message, so a message need not quote it.
    Detail { message: said(error), at: Some(at), expected: None, found: Some(cut::copy(error.instance())) }
}

fn said(error: &ValidationError<'_>) -> String {
    let found = error.instance().as_ref();
    let has = |what: &str| plural(length(found), what);
    match error.kind() {
        ValidationErrorKind::MinItems { limit: 1 } => "it is empty; at least 1 item was expected".to_owned(),
        ValidationErrorKind::MinItems { limit } => format!("it has {}; at least {limit} were expected", has("item")),
        ValidationErrorKind::MaxItems { limit } => format!("it has {}; at most {limit} were expected", has("item")),
        ValidationErrorKind::MinLength { limit } => {
            format!("it has {}; at least {limit} were expected", has("character"))
        }
        ValidationErrorKind::MaxLength { limit } => {
            format!("it has {}; at most {limit} were expected", has("character"))
        }
        ValidationErrorKind::Minimum { limit } => format!("{} is less than {limit}", brief(found)),
        ValidationErrorKind::Maximum { limit } => format!("{} is more than {limit}", brief(found)),
        ValidationErrorKind::Constant { expected_value } => {
            format!("{} was received; {} was expected", brief(found), brief(expected_value))
        }
        ValidationErrorKind::Required { property } => format!("the field {} is missing", brief(property)),
        ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => {
            format!("{} is not of the type {kind}", brief(found))
        }
        ValidationErrorKind::Format { format } if format == "date-time" => time(found),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            alternatives(context)
        }
        _ => match found {
            Value::Array(_) | Value::Object(_) => error.masked_with("it").to_string(),
            _ => error.to_string(),
        },
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::String(text) => text.chars().count(),
        _ => 0,
    }
}

/// What a time lacks that has to be one by RFC 3339.
fn time(found: &Value) -> String {
    let text = found.as_str().unwrap_or_default();
    let time = text.split_once(['T', 't', ' ']).map(|(_, time)| time);
    let lacks = match time {
        None => ": it has no time of day and no offset",
        Some(time) if !time.ends_with(['Z', 'z']) && !time.contains(['+', '-']) => ": it has no offset",
        Some(_) => "",
    };
    format!("{} is not an RFC 3339 time{lacks}", brief(found))
}

/// What is wrong by each alternative, where none of them holds.
fn alternatives(context: &[Vec<ValidationError<'static>>]) -> String {
    let of_one = |errors: &Vec<ValidationError<'static>>| {
        let error = errors.first()?;
        let place = error.instance_path().to_string();
        Some(if place.is_empty() { said(error) } else { format!("{}: {}", place.trim_start_matches('/'), said(error)) })
    };
    let mut said: Vec<String> = context.iter().filter_map(of_one).collect();
    said.dedup();
    said.truncate(MOST_ALTERNATIVES);
    match said.as_slice() {
        [one] => one.clone(),
        several => format!("none of the allowed answers: {}", several.join("; or ")),
    }
}
