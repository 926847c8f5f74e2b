//! The tools of the outline contract.

use super::{Answer, Contract, ToolText};
use crate::outline::answer::{self, activate, list_records, project_overview, search_records};
use crate::outline::arguments::{Listing, Search, activated};
use crate::outline::store::Store;
use rmcp::model::JsonObject;
use serde_json::{Value, json};

const LIST: &str = "list_records";
const OVERVIEW: &str = "get_project_overview";
const SEARCH: &str = "search_records";
const ACTIVATE: &str = "activate";

/// The contract over its records.
pub(crate) struct Outline(pub(crate) Store);

impl Contract for Outline {
    fn tools(&self) -> Vec<ToolText> {
        vec![
            ToolText {
                name: LIST,
                title: "List records",
                description: "Lists every record as an indented outline: `[id] (state) title`, the summary below it. \
                              States are O open, L later, R resolved, D discarded; `+2` means two open children, \
                              `[+body]` more to read on activation.",
                input: listing(json!({}), &[]),
                // Text, unless `full` is asked for.
                output: None,
            },
            ToolText {
                name: OVERVIEW,
                title: "Project overview",
                description: "The records without a parent, those that are open, and those for later, as one outline of \
                              the sections ROOT, OPEN and LATER.",
                input: listing(json!({}), &[]),
                output: None,
            },
            ToolText {
                name: SEARCH,
                title: "Search records",
                description: "Finds records whose title, summary or body holds every word of the query, the best first, as \
                              an outline with the matching snippet after `>`.",
                input: listing(
                    json!({ "query": { "type": "string", "pattern": "\\S", "description": "Words to look for." } }),
                    &["query"],
                ),
                output: None,
            },
            ToolText {
                name: ACTIVATE,
                title: "Activate a record",
                description: "Opens a record to work with: the record, its parent and its open children in full, its other \
                              children and its grandchildren as outlines.",
                input: object(json!({
                    "type": "object",
                    "properties": { "id": { "type": "string", "description": "The id of a record." } },
                    "required": ["id"],
                    "additionalProperties": false
                })),
                output: Some(bundle()),
            },
        ]
    }

    fn call(&self, tool: &str, arguments: &JsonObject) -> Result<Answer, String> {
        let Self(store) = self;
        let answer = match tool {
            LIST => Listing::parse(arguments).map(|asked| list_records(store, &asked)),
            OVERVIEW => Listing::parse(arguments).map(|asked| project_overview(store, &asked)),
            SEARCH => Search::parse(arguments).and_then(|asked| search_records(store, &asked)),
            _ => activated(arguments).and_then(|id| activate(store, id)),
        };
        match answer {
            Ok(answer::Answer::Json(value)) => Ok(Answer::Json(value)),
            Ok(answer::Answer::Outline(text)) => Ok(Answer::Text(text)),
            Err(refusal) => Err(refusal.to_string()),
        }
    }
}

/// The arguments that every listing takes, and more.
fn listing(more: Value, required: &[&str]) -> JsonObject {
    let mut properties = object(more);
    properties.extend(object(json!({
        "format": {
            "enum": ["full", "compact", "minimal"],
            "default": "compact",
            "description": "JSON; an outline with summaries; or an outline of ids, states and titles."
        },
        "session_id": { "type": "string", "description": "Repeated in the first line of an outline." },
        "summary_limit": {
            "type": "integer",
            "minimum": 4,
            "maximum": 1000,
            "description": "Cut summaries in an outline to so many characters."
        }
    })));
    object(json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false
    }))
}

/// What `activate` answers with.
fn bundle() -> JsonObject {
    let text = |description| json!({ "type": "string", "description": description });
    object(json!({
        "type": "object",
        "required": ["target", "parent", "children", "grandchildren"],
        "properties": {
            "target": { "$ref": "#/$defs/record" },
            "parent": { "anyOf": [{ "$ref": "#/$defs/record" }, { "type": "null" }] },
            "children": {
                "type": "object",
                "required": ["open", "other"],
                "properties": {
                    "open": { "type": "array", "items": { "$ref": "#/$defs/record" } },
                    "other": text("The children that are not open, as an outline.")
                },
                "additionalProperties": false
            },
            "grandchildren": text("The children of all children, as an outline.")
        },
        "additionalProperties": false,
        "$defs": {
            "record": {
                "type": "object",
                "required": [
                    "id", "type", "title", "summary", "state", "parent_id", "children_count", "open_children_count", "body"
                ],
                "properties": {
                    "id": { "type": "string" },
                    "type": { "type": "string" },
                    "title": { "type": "string" },
                    "summary": { "type": "string" },
                    "state": { "enum": ["OPEN", "LATER", "RESOLVED", "DISCARDED"] },
                    "parent_id": { "type": ["string", "null"] },
                    "children_count": { "type": "integer", "minimum": 0 },
                    "open_children_count": { "type": "integer", "minimum": 0 },
                    "body": { "type": "string", "description": "Empty where there is none." }
                },
                "additionalProperties": false
            }
        }
    }))
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
