//! The tools of the remnote contract.

use super::arguments::{ByTag, Read, Refusal, Search, Unknown};
use super::corpus::Corpus;
use super::search::{read_note, search, search_by_tag};
use crate::json::{JsonObject, object};
use crate::tool::{Answer, Tool, over, schema};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn tools(corpus: &Arc<Corpus>) -> Vec<Tool> {
    let call = |answer: fn(&Corpus, &JsonObject) -> Result<Answer, Refusal>| over(corpus, answer);
    vec![
        Tool {
            name: "remnote_search",
            title: "Search notes",
            description:
                "Finds Rems by their text: documents and concepts first, daily documents, portals, descriptors \
                              and plain text after them. Ask for includeContent to get what stands below each."
                    .into(),
            input: schema(include_str!("../../../schemas/remnote/search.input.schema.json")),
            output: Some(results_schema()),
            call: call(|corpus, arguments| Ok(json(search(corpus, &Search::parse(arguments, Unknown::Refused)?)))),
        },
        Tool {
            name: "remnote_search_by_tag",
            title: "Search notes by tag",
            description:
                "Finds what a tag stands for: for each tagged Rem the nearest document above it, else the Rem \
                              directly above it, else itself. Results are those of remnote_search."
                    .into(),
            input: schema(include_str!("../../../schemas/remnote/search-by-tag.input.schema.json")),
            output: Some(results_schema()),
            call: call(|corpus, arguments| {
                Ok(json(search_by_tag(corpus, &ByTag::parse(arguments, Unknown::Refused)?)))
            }),
        },
        Tool {
            name: "remnote_read_note",
            title: "Read a note",
            description: "Reads one Rem by its id, with what stands below it as indented markdown.".into(),
            input: schema(include_str!("../../../schemas/remnote/read-note.input.schema.json")),
            output: Some(note_schema()),
            call: call(|corpus, arguments| Ok(json(read_note(corpus, &Read::parse(arguments, Unknown::Refused)?)?))),
        },
    ]
}

fn json(answer: impl Serialize) -> Answer {
    Answer::Json(serde_json::to_value(answer).expect("answers have names for keys and nothing that JSON lacks"))
}

/// What a read answers with.
fn note_schema() -> JsonObject {
    schema(include_str!("note.schema.json"))
}

/// What both searches answer with: notes that may have structured content instead, nodes that share most fields with them.
fn results_schema() -> JsonObject {
    let mut note = Value::Object(note_schema());
    let shared = ["remId", "title", "headline", "remType", "aliases", "cardDirection"];
    let mut fields: JsonObject =
        shared.iter().map(|name| ((*name).to_owned(), note["properties"][name].clone())).collect();
    let nodes =
        |description| json!({ "description": description, "type": "array", "items": { "$ref": "#/$defs/node" } });
    fields.insert("children".to_owned(), nodes("The children of this child, absent where none are rendered."));
    note["properties"]["contentStructured"] = nodes("The child subtree as nodes; with includeContent \"structured\".");
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
        "$defs": {
            "note": note,
            "node": {
                "type": "object",
                "required": ["remId", "title", "headline", "remType"],
                "properties": fields,
                "additionalProperties": false
            }
        }
    }))
}
