//! The parsers of text answers: what they make of the document's examples, of broken lines and of anything at all.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod anything;
mod examples;
mod outline;
mod outline_round_trip;
mod outline_second;
mod positions;
mod round_trip;

use conformance::contracts;
use conformance::format::Parsed;
use jsonschema::Validator;
use std::sync::LazyLock;

/// Reads a text as an answer that came over the wire.
fn read(format: &str, text: &str) -> Parsed {
    (contracts::format(format).unwrap().parse)(&text.split('\n').collect::<Vec<_>>())
}

/// Fails unless the value has the shape that is published for its format.
fn assert_shape(format: &str, parsed: &Parsed) {
    static RECORDS: LazyLock<Validator> = LazyLock::new(|| schema("records/records.schema.json"));
    static PACK: LazyLock<Validator> = LazyLock::new(|| schema("records/pack.schema.json"));
    static OUTLINE: LazyLock<Validator> = LazyLock::new(|| schema("outline/outline.schema.json"));
    static OUTLINE_2: LazyLock<Validator> = LazyLock::new(|| schema("outline/outline.2.schema.json"));
    let validator = match format {
        "records" => &RECORDS,
        "outline" => &OUTLINE,
        "outline-2" => &OUTLINE_2,
        _ => &PACK,
    };
    if let Err(error) = validator.validate(&parsed.value) {
        panic!("{error} at {}", error.instance_path());
    }
}

fn schema(name: &str) -> Validator {
    let file = testing::root().join("schemas").join(name);
    jsonschema::draft202012::new(&serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()).unwrap()
}
