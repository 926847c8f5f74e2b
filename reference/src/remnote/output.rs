//! The output schemas of the tools, at each revision.

use super::revision::Revision;
use crate::json::{JsonObject, object};
use crate::tool::schema;
use serde_json::{Value, json};

/// The fields that nodes share with notes, as far as the revision has them.
const OF_NODES: [&str; 8] = ["remId", "title", "headline", "remType", "inlineRefs", "aliases", "tags", "cardDirection"];

/// What both searches answer with.
pub(super) fn results(revision: Revision) -> JsonObject {
    let note = base(revision);
    let node = node(&note);
    let mut item = with_nodes(note, revision);
    let mut answer = json!({
        "type": "object",
        "required": ["results"],
        "properties": {
            "results": {
                "description": "What was found, the better types first.",
                "type": "array",
                "items": { "$ref": "#/$defs/note" }
            }
        },
        "additionalProperties": false
    });
    if revision.has_pages() {
        answer["required"] = json!(["results", "hasMore", "truncated"]);
        add(&mut answer, paging());
        add(&mut item, of_tags());
    }
    answer["$defs"] = json!({ "node": node, "note": item });
    object(answer)
}

/// What a read answers with.
pub(super) fn note(revision: Revision) -> JsonObject {
    let note = base(revision);
    if !revision.reads_nodes() {
        return object(note);
    }
    let node = node(&note);
    let mut note = with_nodes(note, revision);
    note["$defs"] = json!({ "node": node });
    object(note)
}

/// A note with the fields that do not depend on what is asked for.
fn base(revision: Revision) -> Value {
    let text = include_str!("note.schema.json").replace("includeContent", revision.mode());
    let mut note = Value::Object(schema(&text));
    if revision.shows_tags() {
        let tag = match revision.tags_are_rems() {
            true => json!({
                "type": "object",
                "required": ["tagRemId", "name"],
                "properties": {
                    "tagRemId": { "description": "The id of the Rem that is the tag.", "type": "string" },
                    "name": { "description": "Its title.", "type": "string" }
                },
                "additionalProperties": false
            }),
            false => json!({ "type": "string" }),
        };
        let tags = "The tags of this Rem itself; absent where there are none.";
        add(&mut note, json!({ "tags": { "description": tags, "type": "array", "minItems": 1, "items": tag } }));
    }
    if revision.has_pages() {
        add(&mut note, of_pages());
    }
    note
}

/// A note that may have structured content instead.
fn with_nodes(mut note: Value, revision: Revision) -> Value {
    let about = format!("The child subtree as nodes; with {} \"structured\".", revision.mode());
    add(&mut note, json!({ "contentStructured": nodes(&about) }));
    note
}

/// A node, which shares most fields with a note.
fn node(note: &Value) -> Value {
    let shared = OF_NODES.iter().filter_map(|name| Some(((*name).to_owned(), note["properties"].get(name)?.clone())));
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

/// Adds fields to an object's schema.
fn add(to: &mut Value, fields: Value) {
    to["properties"].as_object_mut().into_iter().for_each(|properties| properties.extend(object(fields.clone())));
}

/// The fields of a Rem from 0.16 on.
fn of_pages() -> Value {
    json!({
        "inlineRefs": {
            "description": "The Rems that title and headline refer to; absent where there are none.",
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["text", "targetRemId", "kind"],
                "properties": {
                    "text": { "description": "What is shown of it.", "type": "string" },
                    "targetRemId": { "description": "Its id.", "type": "string" },
                    "kind": { "description": "What it refers to.", "const": "rem" }
                },
                "additionalProperties": false
            }
        },
        "ancestors": ancestors(),
        "ancestorsTruncated": { "description": "There are more Rems above than were asked for.", "type": "boolean" }
    })
}

fn ancestors() -> Value {
    json!({
        "description": "The Rems above, the parent first; with ancestorDepth above 0.",
        "type": "array",
        "items": named(&["remId", "title"])
    })
}

/// A Rem of which not much more than the name is said.
fn named(required: &[&str]) -> Value {
    json!({
        "type": "object",
        "required": required,
        "properties": {
            "remId": { "description": "Its id.", "type": "string" },
            "title": { "description": "Its title.", "type": "string" },
            "remType": { "description": "What kind of Rem it is.", "type": "string" }
        },
        "additionalProperties": false
    })
}

/// What a result of a search by tag says of tagged Rems.
fn of_tags() -> Value {
    let mut matched = named(&["remId", "title", "remType"]);
    let more = json!({ "description": "There are more Rems above.", "type": "boolean" });
    add(&mut matched, json!({ "ancestors": ancestors(), "ancestorsTruncated": more }));
    json!({
        "matchedRems": {
            "description": "The tagged Rems that led to this result; with resultMode \"context\".",
            "type": "array",
            "items": matched
        },
        "contextRemId": { "description": "What this Rem stands for; with resultMode \"tagged\".", "type": "string" },
        "contextTitle": { "description": "The title of that.", "type": "string" },
        "contextReason": {
            "description": "How that was found.",
            "enum": ["ancestor-document", "ancestor-concept", "ancestor-context", "self"]
        }
    })
}

/// What is said beside the results from 0.16 on.
fn paging() -> Value {
    json!({
        "hasMore": { "description": "Whether there is a page after this one.", "type": "boolean" },
        "nextCursor": { "description": "The cursor of that page.", "type": "string" },
        "truncated": { "description": "Whether there may be more hits than were looked at.", "type": "boolean" },
        "truncationReason": { "description": "Why.", "const": "cursor_snapshot_limit" }
    })
}
