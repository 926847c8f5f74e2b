//! The tools of the remnote contract.

use super::{Answer, Contract, ToolText, schema};
use crate::remnote::arguments::{ByTag, Read, Refusal, Search, Unknown};
use crate::remnote::corpus::Corpus;
use crate::remnote::search::{read_note, search, search_by_tag};
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::{Value, json};

const SEARCH: &str = "remnote_search";
const BY_TAG: &str = "remnote_search_by_tag";
const READ: &str = "remnote_read_note";

/// The contract over its knowledge base.
pub(crate) struct Remnote(pub(crate) Corpus);

impl Contract for Remnote {
    fn tools(&self) -> Vec<ToolText> {
        vec![
            ToolText {
                name: SEARCH,
                title: "Search notes",
                description: "Finds Rems by their text: documents and concepts first, daily documents, portals, descriptors \
                              and plain text after them. Ask for includeContent to get what stands below each.",
                input: schema(include_str!("../../../schemas/remnote/search.input.schema.json")),
                output: Some(results_schema()),
            },
            ToolText {
                name: BY_TAG,
                title: "Search notes by tag",
                description: "Finds what a tag stands for: for each tagged Rem the nearest document above it, else the Rem \
                              directly above it, else itself. Results are those of remnote_search.",
                input: schema(include_str!("../../../schemas/remnote/search-by-tag.input.schema.json")),
                output: Some(results_schema()),
            },
            ToolText {
                name: READ,
                title: "Read a note",
                description: "Reads one Rem by its id, with what stands below it as indented markdown.",
                input: schema(include_str!("../../../schemas/remnote/read-note.input.schema.json")),
                output: Some(note_schema()),
            },
        ]
    }

    fn call(&self, tool: &str, arguments: &JsonObject) -> Result<Answer, String> {
        let Self(corpus) = self;
        let answer = match tool {
            SEARCH => Search::parse(arguments, Unknown::Refused).map(|asked| json(search(corpus, &asked))),
            BY_TAG => ByTag::parse(arguments, Unknown::Refused).map(|asked| json(search_by_tag(corpus, &asked))),
            _ => Read::parse(arguments, Unknown::Refused).and_then(|asked| read_note(corpus, &asked).map(json)),
        };
        answer.map(Answer::Json).map_err(|refusal: Refusal| refusal.to_string())
    }
}

fn json(answer: impl Serialize) -> Value {
    serde_json::to_value(answer).expect("answers have names for keys and nothing that JSON lacks")
}

/// What a read answers with.
fn note_schema() -> JsonObject {
    schema(include_str!("remnote_note.schema.json"))
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
    let schema = json!({
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
    });
    match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}
