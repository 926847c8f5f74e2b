//! The order of record lines. "Edge inclusion control" and the examples of the records document.

use super::{Input, Outcome, brief};
use crate::model::Detail;
use serde_json::Value;

/// A record of one kind comes after the note that it names, when that note is printed at all.
pub(super) fn after_its_note(input: &Input<'_, '_>) -> Outcome {
    let (kind, key) = (input.text("kind"), input.text("key"));
    let mut exercised = 0;
    let mut details = Vec::new();
    for node in input.all("value") {
        let records = node.value.as_array().map_or(&[][..], Vec::as_slice);
        for (at, record) in records.iter().enumerate().filter(|(_, record)| record["kind"] == kind) {
            let is_note = |other: &&Value| other["kind"] == "N" && other["id"] == record[key];
            let Some(note) = records.iter().find(is_note) else {
                continue;
            };
            exercised += 1;
            if note["line"].as_u64() > record["line"].as_u64() {
                let message = format!("line {} comes before the N line of {}, line {}", record["line"], brief(&record[key]), note["line"]);
                details.push(Detail::new(message).at(format!("{}/{at}", node.pointer)));
            }
        }
    }
    match exercised {
        0 => Outcome::skip(format!("no {kind} line names a note that is printed")),
        _ => Outcome::of(exercised, details),
    }
}
