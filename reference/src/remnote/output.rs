//! The output schemas of the tools, at each revision.

use super::revision::Revision;
use crate::json::{JsonObject, object};
use crate::tool::schema;
use serde_json::{Value, json};

/// The fields that nodes share with notes.
const OF_NODES: [&str; 6] = ["remId", "title", "headline", "remType", "aliases", "cardDirection"];

/// What both searches answer with.
pub(super) fn results(_revision: Revision) -> JsonObject {
    let note = base();
    object(json!({
        "type": "object",
        "required": ["results"],
        "properties": {
            "results": {
                "description": "What was found, the better types first.",
                "type": "array",
                "items": { "$ref": "#/$defs/note" }
            }
        },
        "additionalProperties": false,
        "$defs": { "node": node(&note), "note": with_nodes(note) }
    }))
}

/// What a read answers with.
pub(super) fn note(revision: Revision) -> JsonObject {
    let note = base();
    if !revision.reads_nodes() {
        return object(note);
    }
    let node = node(&note);
    let mut note = with_nodes(note);
    note["$defs"] = json!({ "node": node });
    object(note)
}

/// A note with the fields that every mode and revision has.
fn base() -> Value {
    Value::Object(schema(include_str!("note.schema.json")))
}

/// A note that may have structured content instead.
fn with_nodes(mut note: Value) -> Value {
    note["properties"]["contentStructured"] = nodes("The child subtree as nodes; with includeContent \"structured\".");
    note
}

/// A node, which shares most fields with a note.
fn node(note: &Value) -> Value {
    let shared = OF_NODES.iter().map(|name| ((*name).to_owned(), note["properties"][name].clone()));
    let mut fields: JsonObject = shared.collect();
    fields.insert("children".to_owned(), nodes("The children of this child, absent where none are rendered."));
    json!({
        "type": "object",
        "required": ["remId", "title", "headline", "remType"],
        "properties": fields,
        "additionalProperties": false
    })
}

fn nodes(description: &str) -> Value {
    json!({ "description": description, "type": "array", "items": { "$ref": "#/$defs/node" } })
}
