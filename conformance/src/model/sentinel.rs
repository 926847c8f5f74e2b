//! What tells a corpus that is loaded from one that is not: `fixtures/<contract>/corpus/sentinel.json`.

use super::Walk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Looks for the documents of a corpus.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentinelFile {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What is looked at, and why that suffices.
    pub about: String,
    /// The looks. A corpus of which none shows anything is not there. Where one shows nothing and another shows the corpus, the target
    /// contradicts itself.
    pub looks: Vec<Look>,
}

/// Calls that show documents of one file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct Look {
    /// What other looks call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The file of documents beside this one, a JSON object on each line.
    pub of: String,
    /// What a document is called in reports: a JSON Pointer into it.
    pub name: String,
    /// Only documents whose name this regular expression matches; all when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// What is looked for in answers, JSON Pointers into the document. One that is found suffices. Documents that are the
    /// same in it have to be found as often as they stand in the file.
    pub marks: Vec<String>,
    /// The operation.
    pub call: String,
    /// Its arguments. `{"$of": "/pointer"}` takes the value from the document: then there is a call for each that differs.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// Follow pages until an empty one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk: Option<Walk>,
    /// Whether it shows only some of the documents, so that the others are not missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub some: bool,
    /// What is violated where it finds nothing at all, and another look shows some of the documents. The first that applies counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violates: Vec<Contradiction>,
    /// What is violated where a seed has put the documents in, and some of them are not found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// Whether a refusal says that the document is not there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused_is_missing: bool,
}

/// Another look, and what a look violates that finds nothing where the other one shows documents.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// The other look, by its id.
    pub unlike: String,
    /// The requirement, which binds.
    pub requirement: String,
}
