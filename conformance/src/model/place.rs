//! Which contract something is about, and where it happened.

use super::Channel;
use crate::text::listed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Names a contract at a revision in files, logs and reports. Its written form is one text: `memory` for the first revision, and
/// `memory@2` for a later one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
#[schemars(inline)]
pub struct ContractKey {
    name: Arc<str>,
    revision: u32,
}

impl ContractKey {
    /// The revision that a contract is judged by where nothing says another one: that of the document it began with.
    pub const FIRST: u32 = 1;

    /// The contract of this name, at its first revision.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), revision: Self::FIRST }
    }

    /// The same contract at another revision.
    pub fn at(&self, revision: u32) -> Self {
        Self { name: Arc::clone(&self.name), revision }
    }

    /// The name of the contract, which is the name of its folders.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its revision, from 1.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// The words that name it on a command line: `memory`, or `memory --revision memory@2`.
    pub fn words(&self) -> String {
        match self.revision {
            Self::FIRST => self.name.to_string(),
            _ => format!("{} --revision {}", self.name, self.full()),
        }
    }

    /// The contract with its revision, the first one too: `memory@1`.
    pub fn full(&self) -> String {
        format!("{}@{}", self.name, self.revision)
    }
}

impl fmt::Display for ContractKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.revision {
            Self::FIRST => f.pad(&self.name),
            _ => f.pad(&self.full()),
        }
    }
}

impl From<&str> for ContractKey {
    fn from(text: &str) -> Self {
        let revision = |number: &str| number.parse().ok().filter(|revision| *revision >= Self::FIRST);
        // What has no such end is a name, and that of no contract is refused where it is looked up.
        match text.rsplit_once('@').and_then(|(name, number)| Some((name, revision(number)?))) {
            Some((name, revision)) => Self { name: name.into(), revision },
            None => Self::new(text),
        }
    }
}

impl From<String> for ContractKey {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<ContractKey> for String {
    fn from(key: ContractKey) -> Self {
        key.to_string()
    }
}

/// A contract at a transport: what reports know an endpoint by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    #[serde(flatten)]
    pub transport: Channel,
}

/// What an endpoint that speaks MCP was found to speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spoken {
    /// The endpoint.
    #[serde(flatten)]
    pub place: Place,
    /// The revision of the protocol that was agreed on; none where the server does not speak the era.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Whether it was asked for the protocol alone, since the contract is judged in the other era.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// Whether the server is known not to speak the other era.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
}

/// The revision of a contract that an endpoint speaks. The key of its place names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Speaks {
    /// The endpoint.
    #[serde(flatten)]
    pub place: Place,
    /// What the users of the contract call the revision.
    pub name: String,
    /// How it is known.
    pub by: KnownBy,
    /// The signs that show it, where it was recognised; those that were seen, where it is undecided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<String>,
    /// Why it is undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How many revisions of the contract the suite can judge by.
    #[serde(default = "one")]
    pub supported: usize,
}

fn one() -> usize {
    1
}

impl Speaks {
    /// Whether there was another revision to take, so that a reader wants to know which one it is.
    pub fn is_a_choice(&self) -> bool {
        self.supported > 1 || matches!(self.by, KnownBy::Recognised | KnownBy::Undecided)
    }

    /// Whether whoever wants everything has to pin it.
    pub(crate) fn wants_a_pin(&self) -> bool {
        self.supported > 1 && matches!(self.by, KnownBy::Assumed | KnownBy::Recognised)
    }
}

/// So many signs show what was recognised; the others are in JSON.
const MOST_TOLD: usize = 3;

impl fmt::Display for Speaks {
    /// `memory@2 (ADR-020, recognised: search_memories says 25 entries)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {}", self.place.contract.full(), self.name, self.by)?;
        match self.by {
            KnownBy::Recognised if !self.signs.is_empty() => {
                let told = &self.signs[..self.signs.len().min(MOST_TOLD)];
                write!(f, ": {})", listed(told, self.signs.len()))
            }
            KnownBy::Undecided => f.write_str(", but the nearest)"),
            _ => f.write_str(")"),
        }
    }
}

/// How the revision of a contract is known that an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase")]
pub enum KnownBy {
    /// The target file or the command line says it.
    Pinned,
    /// The endpoint shows it.
    Recognised,
    /// Nothing shows any, so it is the first.
    Assumed,
    /// What it shows belongs to no revision that the suite can judge by: the key names the nearest, and nothing is judged.
    Undecided,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} over {}", self.contract, self.transport)
    }
}
