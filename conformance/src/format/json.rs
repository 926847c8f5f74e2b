//! A text that should be one JSON value.

use super::Parsed;
use super::grammar::problem;
use serde_json::Value;

/// Reads JSON; the problem says where it stops being JSON.
pub(super) fn parse(lines: &[&str]) -> Parsed {
    match serde_json::from_str(&lines.join("\n")) {
        Ok(value) => Parsed { value, problems: Vec::new() },
        Err(error) => Parsed {
            value: Value::Null,
            problems: vec![problem("json", error.line(), error.column(), error.to_string())],
        },
    }
}
