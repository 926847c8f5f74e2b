//! The revisions of a contract: `schemas/<contract>/revisions.json`.
//!
//! All revisions share the files of a contract. What belongs to some of them alone has a span, `since` and `until`, which is never
//! seen by whoever reads a view: the contract at one revision.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The revisions of a contract, in order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisionsFile {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The revisions, from the first one on, without a gap.
    pub revisions: Vec<Revision>,
}

/// One revision of a contract's document. What it does not say is as in the revision before it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Revision {
    /// Its number, from 1.
    pub revision: u32,
    /// What its users call it: a release, or the number of a decision.
    pub name: String,
    /// The document that is the authority, with its version; that of the contract where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The day of the document, as in 2025-01-08.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What changed, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Sections of its document that the contract file does not list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// Sections that its document calls otherwise than the contract file does, and those that are gone: null. What the contract file
    /// says of a section that is gone has a span, or belongs to another section.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headings: BTreeMap<String, Option<String>>,
    /// Schemas and grammars that are other ones from here on: the file that operations and references name, and the file in its place.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub schemas: BTreeMap<String, String>,
    /// What is called otherwise from here on: a JSON Merge Patch (RFC 7396) of the contract's `operations`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub operations: Map<String, Value>,
    /// What shows that a server speaks it, or a later one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<Sign>,
    /// Why the suite cannot judge by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsupported: Option<String>,
    /// Why it departs from the revision before it as it does, where others published it as a whole: what they published. It is the
    /// reason of each change that `changes.md` does not name, and counts once the revision is frozen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    /// Whether it was shipped, so that `frozen/<revision>.json` pins what it promises.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
}

impl Revision {
    /// The one revision of a contract that has no list of them.
    pub(crate) fn only() -> Self {
        Self { revision: 1, name: "1".to_owned(), ..Self::default() }
    }
}

/// Something that a server shows, and that only some revisions permit: those from its own on, up to `last`. That a request was accepted
/// is no sign, since a server may accept more than it has to. A sign is seen in a tool (`tool`, `says`) or in an answer (`probe`, `shows`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sign {
    /// What is seen, for people: `{tool} takes contentMode`. `{tool}` is the name of the tool as the server lists it.
    pub about: String,
    /// The operation that shows it.
    pub operation: String,
    /// The last revision that permits it; later ones do too when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
    /// Its tool, as the server lists it, is valid by this JSON Schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<Value>,
    /// The description and the input schema of its tool, read together, pass each of these rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub says: Vec<Says>,
    /// A call with these arguments is made, where the target gives what it needs, and its exchange is valid by `shows`. As in a case,
    /// `{"$given": "…"}` takes a value from the target file or from the example of the input schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Map<String, Value>>,
    /// The JSON Schema of the exchange of a probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Value>,
}

/// A rule over the description and the input schema of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Says {
    /// Its name.
    pub rule: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

/// Adds the span of an item to its schema. A view has applied it before anything of Rust reads the item.
pub(crate) fn spanned(schema: &mut Schema) {
    let bound = |which: &str| json!({ "description": format!("The {which} revision that has it."), "type": "integer", "minimum": 1 });
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("since".to_owned(), bound("first"));
        properties.insert("until".to_owned(), bound("last"));
    }
}
