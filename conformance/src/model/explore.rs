//! What a document fixes of any call over any corpus, as data: `fixtures/<contract>/explore.json`.

use super::Select;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What of an answer is compared with the reference's when random calls are made over random corpora.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExploreFile {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What is compared, and what is left free.
    pub about: String,
    /// Calls that are made a second time without one of their arguments, so that what the argument changes can be compared:
    /// `$[1][0]` is the second exchange then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
    /// The comparisons.
    pub fixed: Vec<FixedFile>,
}

/// Calls that are made again without an argument that they give.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct Beside {
    /// The operations.
    pub of: Vec<String>,
    /// The argument.
    pub without: String,
}

/// One thing that is fixed: the values that a path selects from the reference's answer are due.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct FixedFile {
    /// The requirement that fixes it: one that binds.
    pub requirement: String,
    /// The operations that it speaks of.
    pub of: Vec<String>,
    /// Only calls that give these arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// Only calls that give none of these arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Only calls in which these arguments have these values.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub with: Map<String, Value>,
    /// Only walks over pages, or only single calls; both when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk: Option<bool>,
    /// Only calls that nothing before this in the file speaks of.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub otherwise: bool,
    /// What is compared: a JSONPath into the evidence of the call, `$[0][*]…`.
    pub select: Select,
    /// Nothing is compared where the path finds nothing in the reference's answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub some: bool,
    /// The fields of each selected object that are compared; all of them when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Vec<String>>,
    /// Only so many of the values are due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// Compare as a set.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unordered: bool,
    /// Compare by a rule; without one, like a golden: in order, or as a set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What else the rule needs to know.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
    /// The argument of the rule that takes what is due. A rule without one compares nothing with the reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
}
