//! The shapes of our own files, as JSON Schemas made from the types that read them.

use crate::diff::Diff;
use crate::model::{
    AlwaysFile, CaseFile, ClientsFile, Contract, ExploreFile, FrozenFile, Header, KnownFile, LegalFile, LogLine,
    RevisionsFile, SentinelFile, TransportsFile,
};
use crate::report::json::Report;
use crate::targets::TargetFile;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The file names below `schemas/suite/` and their schemas.
pub fn file_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("contract.schema.json", schema::<Contract>("contract.schema.json")),
        ("frozen.schema.json", schema::<FrozenFile>("frozen.schema.json")),
        ("revisions.schema.json", schema::<RevisionsFile>("revisions.schema.json")),
        ("case.schema.json", schema::<CaseFile>("case.schema.json")),
        ("always.schema.json", schema::<AlwaysFile>("always.schema.json")),
        ("explore.schema.json", schema::<ExploreFile>("explore.schema.json")),
        ("legal.schema.json", schema::<LegalFile>("legal.schema.json")),
        ("sentinel.schema.json", schema::<SentinelFile>("sentinel.schema.json")),
        ("transports.schema.json", schema::<TransportsFile>("transports.schema.json")),
        ("target.schema.json", schema::<TargetFile>("target.schema.json")),
        ("known-failures.schema.json", schema::<KnownFile>("known-failures.schema.json")),
        ("clients.schema.json", schema::<ClientsFile>("clients.schema.json")),
        ("run-log.schema.json", run_log()),
        ("report.schema.json", schema::<Report>("report.schema.json")),
        ("diff.schema.json", schema::<Diff>("diff.schema.json")),
    ]
}

/// A line of the run log: the first, or one of those that follow.
fn run_log() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let (header, line) = (generator.subschema_for::<Header>(), generator.subschema_for::<LogLine>());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://schemas.invalid/suite/run-log.schema.json",
        "title": "A line of the run log",
        "anyOf": [header, line],
        "$defs": generator.definitions(),
    })
}

fn schema<T: JsonSchema>(name: &str) -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value();
    schema["$id"] = json!(format!("https://schemas.invalid/suite/{name}"));
    schema
}
