//! What clients of MCP refuse although the protocol allows it, each with who says so.

use super::{AlwaysCheck, Requirement};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A client that refuses something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Its name, or that of the API that it hands the tools on to.
    pub name: String,
    /// What it does, as the rest of a sentence that begins with its name.
    pub does: String,
    /// The version or the month in which that was seen; it may have begun earlier and be over by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// The address of who says so.
    pub source: String,
}

impl Client {
    /// What the id of every requirement of clients begins with.
    pub const PREFIX: &str = "client.";

    /// What it does and who says so, as a line of text.
    pub fn cited(&self) -> String {
        format!("{self}: {}", self.source)
    }
}

impl fmt::Display for Client {
    /// `Claude Code leaves the tool out (seen in 2.1)`, without the source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.does)?;
        self.seen.iter().try_for_each(|seen| write!(f, " (seen in {seen})"))
    }
}

/// `schemas/suite/clients.json`: what clients make of the list of tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientsFile {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The requirements, `client.*`.
    pub requirements: Vec<Requirement>,
    /// Their checks. They apply to MCP.
    pub checks: Vec<AlwaysCheck>,
}
