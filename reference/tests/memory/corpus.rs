//! The corpus, read naively.

use crate::support::FIXTURES;
use serde_json::Value;
use std::fs;

/// The lines of a file that belong to a memory.
pub(crate) fn of(file: &str, memory: &str) -> Vec<Value> {
    let text = fs::read_to_string(format!("{FIXTURES}/memory/corpus/{file}")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["memoryId"] == memory).collect()
}
