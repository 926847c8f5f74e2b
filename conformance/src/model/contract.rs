//! A contract as data: `schemas/<contract>/contract.json`.

use super::{CliBinding, Client, ContractKey, Era, Freedom, HttpBinding, McpBinding};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// One contract: what can be called, what is promised, and what no check can tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The name of the contract, which is the name of its folders: `records`.
    pub name: String,
    /// What the contract is about, in one line.
    pub title: String,
    /// The revision at which it is looked at, from 1: see `revisions.json`. Files of earlier suites have a number of their own here.
    #[serde(default = "first_revision", skip_serializing)]
    #[schemars(skip)]
    pub revision: u32,
    /// The document that is the authority, with its date or version.
    pub document: String,
    /// The sections of the document, in its order: each has requirements or an exclusion.
    pub sections: Vec<String>,
    /// What can be called, by name.
    pub operations: BTreeMap<String, Operation>,
    /// What is promised: one obligation each.
    pub requirements: Vec<Requirement>,
    /// Sentences that nothing can check, each with its reason.
    #[serde(default)]
    pub excluded: Vec<Exclusion>,
    /// What the document leaves free. Each has a legal answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub freedoms: Vec<Freedom>,
}

/// The revision of a contract that does not say any.
pub(crate) fn first_revision() -> u32 {
    ContractKey::FIRST
}

impl Contract {
    /// The requirement with this id.
    pub(crate) fn requirement(&self, id: &str) -> Option<&Requirement> {
        self.requirements.iter().find(|one| one.id == id)
    }

    /// Whether a key names it, at its revision.
    pub(crate) fn is_at(&self, key: &ContractKey) -> bool {
        self.name == key.name() && self.revision == key.revision()
    }

    /// What names it in logs and reports.
    pub fn key(&self) -> ContractKey {
        ContractKey::new(&self.name).at(self.revision)
    }
}

/// Something that can be called, and how it is called over each transport.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// What it does, in one sentence.
    pub about: String,
    /// The JSON Schema of its arguments, a file beside the contract.
    pub input: String,
    /// The JSON Schema of its answer, or of what is parsed from it: a file beside the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The JSON Schema of one item of its answer, a file beside the contract. The document leaves open what is around the
    /// items, so they are found by the fields that this schema requires. Where it is `output` itself, the answer is one item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Arguments that name data of the target's own, such as an id. A target that does not hold the corpus has to give
    /// them before a case can ask for `$given`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// How a text answer is read: the name of a format that the suite can parse, such as `json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Called as a command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cli: Option<CliBinding>,
    /// Called as an HTTP request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpBinding>,
    /// Called as a tool of an MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp: Option<McpBinding>,
    /// The names of its arguments, from its input schema.
    #[serde(skip)]
    pub arguments: Vec<String>,
    /// A sound call: the first of the `examples` of its input schema.
    #[serde(skip)]
    pub example: Map<String, Value>,
    /// Its input schema itself.
    #[serde(skip)]
    pub takes: Value,
    /// How the items of its answer are found, from `item`.
    #[serde(skip)]
    pub found_by: Option<Item>,
}

impl Operation {
    /// Where the items of its answers are by its bindings, as a JSON Pointer; nothing where no binding speaks of items.
    pub(crate) fn results(&self) -> Option<&str> {
        let of_http = || self.http.as_ref()?.results.as_deref();
        of_http().or_else(|| self.mcp.as_ref()?.results.as_deref())
    }
}

/// What tells an item of an answer from what is around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The fields that every item has.
    pub fields: Vec<String>,
    /// The answer is one item, not a list of them.
    pub alone: bool,
}

/// One normative sentence, in our own words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct Requirement {
    /// `<contract>.<words>`, stable for ever.
    pub id: String,
    /// What it was called before. Who names it so is told the new id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formerly: Vec<String>,
    /// How strongly it binds.
    pub level: Level,
    /// Where it comes from.
    pub origin: Origin,
    /// The era of MCP that it is about; both where it is left out, and where it is about no MCP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<Era>,
    /// It speaks of what a target need not have, so that not having seen it is no lack, even where everything has to be exercised.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub conditional: bool,
    /// The section of the document that says it.
    pub section: String,
    /// One sentence, one obligation.
    pub text: String,
    /// Why no legal answer contradicts it, where it was decided by the suite and nothing else shows that it only advises.
    #[serde(rename = "no-opposite", default, skip_serializing_if = "Option::is_none")]
    pub no_opposite: Option<String>,
    /// The operations that the sentence is general over. Something judges it at each of them, or `unjudged` says why not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<String>,
    /// Why nothing judges it at some of these operations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unjudged: BTreeMap<String, String>,
    /// The clients that refuse what is otherwise, where it comes from clients.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clients: Vec<Client>,
}

impl Requirement {
    /// The contract that it belongs to, or the transport: what its id begins with.
    pub fn owner(&self) -> &str {
        self.id.split('.').next().unwrap_or_default()
    }

    /// Whether a failure makes a target non-conformant; everything else is advice.
    pub fn binds(&self) -> bool {
        self.level == Level::Must && !matches!(self.origin, Origin::Decided | Origin::Clients)
    }

    /// Whether a failure makes a target non-conformant that is perhaps held to advice too. To what clients refuse, no target is held.
    pub fn binds_if(&self, strict: bool) -> bool {
        self.binds() || strict && !self.is_of_clients()
    }

    /// Whether no document asks for it: a failure is advice of its own kind, which nobody can be held to.
    pub fn is_of_clients(&self) -> bool {
        self.origin == Origin::Clients
    }

    /// Whether not having seen it is no lack, even where everything has to be exercised.
    pub(crate) fn may_stay_unseen(&self) -> bool {
        self.conditional || self.is_of_clients()
    }
}

/// The levels of RFC 2119, lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    /// A failure makes the target non-conformant.
    Must,
    /// A failure is advice.
    Should,
    /// A failure is advice.
    May,
}

/// Where a requirement comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Origin {
    /// A sentence of the document says it.
    Stated,
    /// It follows from stated sentences without a choice.
    Derived,
    /// The document is silent or contradicts itself; the suite chose, so it is advice.
    Decided,
    /// The document allows what is otherwise, and clients refuse it all the same.
    Clients,
}

/// A sentence of the document that nothing can check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct Exclusion {
    /// The section that it stands in.
    pub section: String,
    /// What the sentence is about.
    pub sentence: String,
    /// Why nothing can check it.
    pub reason: String,
}
