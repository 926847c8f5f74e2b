//! A format of text answers, and what its parser makes of a text.

use crate::model::Problem;
use serde_json::{Value, json};

/// A format of text answers.
#[derive(Debug)]
pub struct Format {
    /// What a contract calls it.
    pub name: &'static str,
    /// Reads the lines of a text (split at LF, so a text that ends with LF has a last, empty line). It never fails: what it
    /// cannot read is a problem.
    pub parse: fn(&[&str]) -> Parsed,
}

/// What a parser made of a text.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The text as JSON; shapes are described by the output schemas of the contract.
    pub value: Value,
    /// What is wrong with its form, in the order of lines.
    pub problems: Vec<Problem>,
}

impl Format {
    /// Makes `parsed` and `problems` of an exchange again from its `lines`, after a patch.
    pub fn parse_again(&self, exchange: &mut Value) {
        let Some(lines) = exchange["lines"].as_array() else {
            return;
        };
        let lines: Vec<String> =
            lines.iter().map(|line| line.as_str().map_or_else(|| line.to_string(), str::to_owned)).collect();
        let parsed = (self.parse)(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        exchange["parsed"] = parsed.value;
        exchange["problems"] = parsed
            .problems
            .into_iter()
            .map(|problem| {
                json!({ "code": problem.code, "line": problem.line, "column": problem.column, "message": problem.message })
            })
            .collect();
    }
}
