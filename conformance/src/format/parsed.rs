//! A format of text answers, and what its parser makes of a text.

use crate::model::Problem;
use serde_json::Value;

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
