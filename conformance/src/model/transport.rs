//! How a target is reached: one enum, with everything in which transports differ as its methods.
//!
//! A new transport is a variant of [`TransportKind`]; CONTRIBUTING.md lists the places that it touches. No `match` on
//! these enums has a catch-all arm, so the compiler leads to each of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a target is reached.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum TransportKind {
    /// A command line.
    Cli,
    /// HTTP.
    Http,
    /// MCP over the standard streams of a program.
    McpStdio,
    /// MCP over streamable HTTP.
    McpHttp,
}

/// What is spoken over a transport: an operation has one binding for each protocol, under its name.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Protocol {
    /// Plain HTTP.
    Http,
    /// MCP, over any of its transports.
    Mcp,
    /// Command lines.
    Cli,
}

/// The transports that a requirement or a step is about: all of one protocol, or one alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TransportFamily {
    /// All transports of a protocol.
    Protocol(Protocol),
    /// One transport alone.
    Alone(TransportKind),
}

impl TransportKind {
    /// What is spoken over it.
    pub fn protocol(self) -> Protocol {
        match self {
            Self::Cli => Protocol::Cli,
            Self::Http => Protocol::Http,
            Self::McpStdio | Self::McpHttp => Protocol::Mcp,
        }
    }

    /// The families whose requirements apply to it, the wider one first.
    pub fn families(self) -> [TransportFamily; 2] {
        [TransportFamily::Protocol(self.protocol()), TransportFamily::Alone(self)]
    }

    /// Whether each case gets a fresh copy of the corpus, because each of its calls starts a process.
    pub fn brings_corpus(self) -> bool {
        match self {
            Self::Cli => true,
            Self::Http | Self::McpStdio | Self::McpHttp => false,
        }
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Cli => "a command line",
            Self::Http => "HTTP",
            Self::McpStdio => "MCP on standard streams",
            Self::McpHttp => "MCP over HTTP",
        }
    }
}

impl TransportFamily {
    /// What is spoken over its transports.
    pub fn protocol(self) -> Protocol {
        match self {
            Self::Protocol(protocol) => protocol,
            Self::Alone(kind) => kind.protocol(),
        }
    }

    /// Whether a transport belongs to it.
    pub fn covers(self, kind: TransportKind) -> bool {
        match self {
            Self::Protocol(protocol) => protocol == kind.protocol(),
            Self::Alone(alone) => alone == kind,
        }
    }
}

impl fmt::Display for TransportFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Protocol(protocol) => protocol.fmt(f),
            Self::Alone(kind) => kind.fmt(f),
        }
    }
}
