//! The folder of memories: what is wrong with it is told with its place.

use crate::support::{corpus, refused};
use rstest::rstest;

const MEMORY: &str = r#"{"memoryId":"m","title":"M"}"#;
const ENTRY: &str =
    r#"{"memoryId":"m","entryId":"e","creationTime":"2025-01-04T12:00:00Z","summary":"S","rawEntry":"R"}"#;
const CONTEXT: &str = r#"{"memoryId":"m","contextId":"c","timestamp":"2025-01-04T12:00:00Z","context":"C"}"#;

#[rstest]
#[case::no_json("entries.ndjson", "{", "line 1 of")]
#[case::an_unknown_field("contexts.ndjson", &CONTEXT.replace("contextId", "id"), "unknown field `id`")]
#[case::a_memory_that_is_not_there("entries.ndjson", &ENTRY.replace(r#""m""#, r#""n""#), "the memory \"n\"")]
#[case::no_time("contexts.ndjson", &CONTEXT.replace("T12:00:00Z", ""), "\"2025-01-04\", which is not RFC 3339")]
#[case::an_id_twice("entries.ndjson", &format!("{ENTRY}\n{ENTRY}"), "UNIQUE constraint failed: entries.entry_id; each id must be there once")]
fn what_is_wrong_is_told_with_its_place(#[case] file: &str, #[case] text: &str, #[case] words: &str) {
    let files = [("memories.ndjson", MEMORY), ("entries.ndjson", ENTRY), ("contexts.ndjson", CONTEXT)];
    let files = files.map(|(name, line)| (name, if name == file { text } else { line }));
    let message = loading(&files);
    assert!(message.contains(words) && message.contains(file), "{message}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    assert!(loading(&[]).contains("memory/corpus/memories.ndjson"));
}

/// What the program says of files that it cannot load.
fn loading(files: &[(&str, &str)]) -> String {
    refused(&["mcp"], &corpus("memory", files))
}
