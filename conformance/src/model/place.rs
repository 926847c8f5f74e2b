//! Which contract something is about, and where it happened.

use super::Channel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Names a contract in files, logs and reports. Its written form is one text; what it consists of is known here alone, so
/// that it can name a revision too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
#[schemars(inline)]
pub struct ContractKey {
    name: Arc<str>,
}

impl ContractKey {
    /// The contract of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.into() }
    }

    /// The name of the contract, which is the name of its folders.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for ContractKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

impl From<&str> for ContractKey {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<String> for ContractKey {
    fn from(text: String) -> Self {
        Self::new(&text)
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

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} over {}", self.contract, self.transport)
    }
}
