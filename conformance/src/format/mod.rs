//! Text answers: pure parsers that turn lines into JSON, with the place of every problem.
//!
//! The grammars are the published ones of `schemas/`. A parser never fails: what it cannot read is a problem.

mod grammar;
pub(crate) mod json;
mod outline;
mod pack;
mod records;

use crate::model::{Format, Problem};
use serde_json::Value;

/// What a parser made of a text.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The text as JSON; shapes are described by the output schemas of the contract.
    pub value: Value,
    /// What is wrong with its form, in the order of lines.
    pub problems: Vec<Problem>,
}

/// Reads the lines of a text (split at LF, so a text that ends with LF has a last, empty line).
pub fn parse(format: Format, lines: &[&str]) -> Parsed {
    match format {
        Format::Records => records::parse(lines),
        Format::Pack => pack::parse(lines),
        Format::Outline => outline::parse(lines),
        Format::Json => json::parse(lines),
    }
}

/// Makes `parsed` and `problems` of an exchange again from its `lines`, after a patch.
pub fn parse_again(format: Format, exchange: &mut Value) {
    let Some(lines) = exchange["lines"].as_array() else {
        return;
    };
    let lines: Vec<String> =
        lines.iter().map(|line| line.as_str().map_or_else(|| line.to_string(), str::to_owned)).collect();
    let parsed = parse(format, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    exchange["parsed"] = parsed.value;
    exchange["problems"] = parsed
        .problems
        .into_iter()
        .map(|problem| {
            serde_json::json!({ "code": problem.code, "line": problem.line, "column": problem.column,
                                "message": problem.message })
        })
        .collect();
}
