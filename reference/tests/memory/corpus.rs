//! The corpus, read naively.

use serde_json::Value;
use std::fs;
use std::path::Path;

pub(crate) const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/memory/corpus");

/// The lines of a file that belong to a memory.
pub(crate) fn of(file: &str, memory: &str) -> Vec<Value> {
    let text = fs::read_to_string(Path::new(CORPUS).join(file)).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["memoryId"] == memory).collect()
}
