//! The tools of the outline contract.

use super::answer::{activate, list_records, project_overview, search_records};
use super::arguments::{Listing, Refusal, Search, Takes, activated};
use super::store::Store;
use super::version::Version;
use crate::json::{JsonObject, object};
use crate::tool::{Answer, Tool, over};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn tools(store: &Arc<Store>) -> Vec<Tool> {
    let call = |answer: fn(&Store, &JsonObject) -> Result<Answer, Refusal>| over(store, answer);
    let takes = Takes::of(store);
    let listing = |more, required: &[&str]| listing(more, required, takes);
    let is_first = takes.version == Version::First;
    vec![
        Tool {
            name: "list_records",
            title: "List records",
            description: format!(
                "Lists every record as an indented outline: `[id] (state) title`, the summary below it. States are O \
                 open, L later, R resolved, D discarded; `+2` means two open children{}.",
                if is_first { ", `[+body]` more to read on activation" } else { "" }
            )
            .into(),
            input: listing(json!({}), &[]),
            // Text, unless JSON is asked for.
            output: None,
            call: call(|store, arguments| Ok(list_records(store, &Listing::parse(arguments, Takes::of(store))?))),
        },
        Tool {
            name: "get_project_overview",
            title: "Project overview",
            description: match takes.version {
                Version::First => {
                    "The records without a parent, those that are open, and those for later, as one outline of the \
                     sections ROOT, OPEN and LATER."
                }
                Version::Second => {
                    "The records that are open, those for later, and those that are resolved, as one outline of the \
                     sections OPEN, LATER and RESOLVED, each with the number of its records."
                }
            }
            .into(),
            input: listing(json!({}), &[]),
            output: None,
            call: call(|store, arguments| Ok(project_overview(store, &Listing::parse(arguments, Takes::of(store))?))),
        },
        Tool {
            name: "search_records",
            title: "Search records",
            description:
                "Finds records whose title, summary or body holds every word of the query, the best first, as \
                              an outline with the matching snippet after `>`."
                    .into(),
            input: listing(
                json!({ "query": { "type": "string", "pattern": "\\S", "description": "Words to look for." } }),
                &["query"],
            ),
            output: None,
            call: call(|store, arguments| search_records(store, &Search::parse(arguments, Takes::of(store))?)),
        },
        Tool {
            name: "activate",
            title: "Activate a record",
            description:
                "Opens a record to work with: the record, its parent and its open children in full, its other \
                              children and its grandchildren as outlines."
                    .into(),
            input: object(json!({
                "type": "object",
                "properties": { "id": { "type": "string", "description": "The id of a record." } },
                "required": ["id"],
                "additionalProperties": false
            })),
            output: Some(bundle()),
            call: call(|store, arguments| activate(store, activated(arguments)?)),
        },
    ]
}

/// The arguments that every listing takes, and more.
fn listing(more: Value, required: &[&str], takes: Takes) -> JsonObject {
    let mut properties = object(more);
    let format = match takes.version {
        Version::First => json!({
            "enum": ["full", "compact", "minimal"],
            "default": "compact",
            "description": "JSON; an outline with summaries; or an outline of ids, states and titles."
        }),
        Version::Second => json!({
            "enum": ["json", "outline"],
            "default": "outline",
            "description": "JSON, or an outline."
        }),
    };
    properties.extend(takes.format.then(|| ("format".to_owned(), format)));
    properties.extend(object(match takes.version {
        Version::First => json!({
            "session_id": { "type": "string", "description": "Repeated in the first line of an outline." },
            "summary_limit": {
                "type": "integer",
                "minimum": 4,
                "maximum": 1000,
                "description": "Cut summaries in an outline to so many characters."
            }
        }),
        Version::Second => json!({
            "session_id": { "type": "string", "description": "Repeated in the first line of an outline." },
            "tick": { "type": "integer", "minimum": 0, "description": "Repeated behind the session." }
        }),
    }));
    object(json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false
    }))
}

/// The schema of an answer of `activate`.
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
