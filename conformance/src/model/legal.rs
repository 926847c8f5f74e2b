//! Legal answers as data: `fixtures/<contract>/legal.json`, what a correct program may answer in place of the reference.

use super::Protocol;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What correct programs may answer besides what the reference answers. No binding check may fail because of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LegalFile {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The legal answers.
    pub legal: Vec<LegalAnswer>,
}

/// One way to answer that the document allows.
///
/// Either `rewrite` changes recorded replies of the reference, or `variant` names a server that decides otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct LegalAnswer {
    /// Its name, unique in its contract.
    pub id: String,
    /// How such a program answers.
    pub about: String,
    /// Why that is legal, in a sentence about the document.
    pub source: String,
    /// The operations whose answers differ. Each must differ at least once over each transport.
    pub of: Vec<String>,
    /// The protocols over which they differ; all of the contract's when it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<Protocol>,
    /// The freedom of the contract that it is an example of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freedom: Option<String>,
    /// Changes of recorded replies, applied in order before anything is derived from the replies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewrite: Vec<Rewrite>,
    /// The switch of the reference that serves such answers: `--variant NAME`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Advice that such a program does not follow: each of it fails at least once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
    /// Other advice that fails as a consequence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Binding requirements that such answers exercise less, each with the reason.
    #[serde(rename = "not-exercised", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_exercised: BTreeMap<String, String>,
    /// The cases that it applies to, as names with `*` for any text, and with `!` before it those that it does not; all of
    /// them when it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
    /// Leave out cases that send one of these arguments, such as a budget that the changed answers would exceed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

/// A change of recorded replies.
///
/// `at` is a JSONPath or `{ "lines": "regular expression" }`. A path from `$` leads into the JSON value that an answer means:
/// the body of an HTTP response, and over MCP the structured content and each text that is JSON, alike; of a list of tools,
/// its result. A path from `$result` leads into the result of an MCP call. Lines are those of a text answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("unevaluatedProperties" = false))]
#[schemars(transform = super::spanned)]
pub struct Rewrite {
    /// The operations whose replies it changes; those of the legal answer when it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<String>,
    /// Change only replies to calls whose arguments are valid by this JSON Schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Value>,
    /// Change only values that are this.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub when: Option<When>,
    /// The change.
    #[serde(flatten)]
    pub change: Change,
}

/// Keeps a `null` that is written apart from nothing at all.
fn present<'d, D: serde::Deserializer<'d>>(from: D) -> Result<Option<When>, D::Error> {
    When::deserialize(from).map(Some)
}

/// Which of the values at a place are changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum When {
    /// Those that are equal to a value.
    Equals(EqualTo),
    /// Texts that match a regular expression.
    Matches(Matching),
    /// Those that are valid by a JSON Schema.
    Valid(ValidBy),
    /// Those that are equal to this value.
    Value(Value),
}

/// `{ "equals": value }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EqualTo {
    /// The value.
    pub equals: Value,
}

/// `{ "matches": "regular expression" }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    /// The regular expression.
    pub matches: String,
}

/// `{ "valid": schema }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidBy {
    /// The JSON Schema.
    pub valid: Value,
}

/// Where a change is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum At {
    /// At each value that a JSONPath finds, from `$` or `$result`.
    Path(String),
    /// At each line of a text answer that matches.
    Lines(LinesAt),
}

/// `{ "lines": "regular expression" }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinesAt {
    /// What a line matches, somewhere unless it is anchored.
    pub lines: String,
}

/// What is changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Change {
    /// A key of objects has another name; in lines, a text is replaced by another one.
    Rename {
        /// The objects.
        at: At,
        /// The key.
        from: String,
        /// Its new name.
        to: String,
    },
    /// Values or lines are taken away.
    Remove {
        /// The values or lines.
        at: At,
    },
    /// Values are replaced; in lines, what matches. `$1` stands for the first group of a regular expression.
    Replace {
        /// The values or lines.
        at: At,
        /// Replace only what matches this regular expression, in texts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
        /// What stands there instead.
        value: Value,
    },
    /// Values move into objects of their own.
    Wrap {
        /// The values.
        at: At,
        /// The key in the new object.
        under: String,
    },
    /// Objects are replaced by one of their members.
    Unwrap {
        /// The objects.
        at: At,
        /// The member.
        key: String,
    },
    /// Objects get a member that they lack, arrays an element, and lines a line behind each of them.
    Add {
        /// The objects, arrays or lines.
        at: At,
        /// The key of the member.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// The member, the element, or the line.
        value: Value,
        /// Add it before everything else in the object or array, or before the line.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        first: bool,
    },
    /// The texts of an MCP result are split into several blocks.
    SplitText {
        /// Where.
        at: SplitAt,
    },
    /// Another answer is given in place of the whole reply.
    Answer {
        /// Give it only where this finds something.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<At>,
        /// What the answer says of the call.
        status: AnswerStatus,
        /// What it holds: a text is sent as text, everything else as JSON.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        body: Value,
    },
    /// A function of the judge makes something else of it.
    Map {
        /// The values or lines.
        at: At,
        /// The name of the function.
        with: String,
    },
}

/// Where a text is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SplitAt {
    /// In two halves, at the middle character.
    Middle,
    /// Behind each line.
    Lines,
}

/// What an answer says of its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AnswerStatus {
    /// An HTTP status, the exit code of a process, or the code of a JSON-RPC error.
    Code(i64),
    /// Accepted or refused, in the way of the transport.
    Named(AnswerWord),
}

/// Whether an answer accepts its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerWord {
    /// HTTP 200, an MCP result, or exit code 0 with the body on standard output.
    Accepted,
    /// HTTP 400, an MCP result that is an error, or exit code 2 with the body on standard error.
    Refused,
}

/// Something that the document leaves free.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct Freedom {
    /// Its name, unique in its contract.
    pub id: String,
    /// What is free.
    pub about: String,
    /// Why it is free, in a sentence about the document.
    pub source: String,
}

/// A call and what arrived, of a case that was recorded.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The operation.
    pub operation: String,
    /// The arguments, every pick resolved.
    pub with: Map<String, Value>,
    /// The transport, where the step went to another endpoint than its case.
    pub over: Option<super::Channel>,
    /// What arrived.
    pub reply: super::RawReply,
}
