//! What a revision that has shipped promises: `schemas/<contract>/frozen/<revision>.json`.

use super::{CliBinding, Era, HttpBinding, Level, McpBinding, Origin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The list of a revision, made from the files of its contract. Cases and checks are no part of it: they belong to the version of the
/// suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenFile {
    /// The schema of this file.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// The contract.
    pub contract: String,
    /// The revision.
    pub revision: u32,
    /// What can be called, by name.
    pub operations: BTreeMap<String, FrozenOperation>,
    /// What is promised, in the order of the contract.
    pub requirements: Vec<FrozenRequirement>,
    /// The JSON Schemas by the names that operations use, without what explains them.
    pub schemas: BTreeMap<String, Value>,
    /// The grammars, without comments.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grammars: BTreeMap<String, String>,
}

/// How an operation is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenOperation {
    /// The JSON Schema of its arguments.
    pub input: String,
    /// The JSON Schema of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// How a text answer is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// As a command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cli: Option<CliBinding>,
    /// As an HTTP request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpBinding>,
    /// As a tool of an MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp: Option<McpBinding>,
}

/// A requirement as far as it binds or advises.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenRequirement {
    /// Its id.
    pub id: String,
    /// How strongly it binds.
    pub level: Level,
    /// Where it comes from.
    pub origin: Origin,
    /// The era of MCP that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<Era>,
    /// Its sentence, with its numbers.
    pub text: String,
}
