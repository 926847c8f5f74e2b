//! The eras of MCP, and a transport in one of them.

use super::{Protocol, TransportFamily, TransportKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;

/// How the revisions of MCP open a conversation (2026-07-28, basic/versioning, Terminology).
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
pub enum Era {
    /// By `initialize`: revisions up to 2025-11-25.
    Legacy,
    /// Each request says everything by itself: revisions from 2026-07-28 on.
    Modern,
}

impl Era {
    /// The revision that our client offers in it.
    pub fn revision(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }

    /// Whether a request went out in it, by what evidence keeps of how it was sent.
    pub(crate) fn is_of(self, sent: &Value) -> bool {
        sent["era"] == json!(self)
    }
}

/// The eras in which an endpoint that speaks MCP is judged.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumString,
    strum::VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Eras {
    /// What the server speaks is found out. The contract of one that speaks both is judged as modern, and the protocol in both.
    #[default]
    Auto,
    /// Legacy alone.
    Legacy,
    /// Modern alone.
    Modern,
    /// Everything in both. A server that speaks one of them leaves the other incomplete.
    Both,
}

/// A transport, in one era where MCP is spoken over it: what an endpoint is known by beside its contract.
///
/// It is written as two members, `transport` and `era`. MCP without an era is legacy, as in logs from before eras were told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Written", into = "Written")]
#[schemars(with = "Members")]
pub struct Channel {
    kind: TransportKind,
    era: Option<Era>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Members(Members),
    /// As the evidence of such logs names it.
    Name(TransportKind),
}

/// The members of whatever is at an endpoint.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Members {
    /// The transport.
    transport: TransportKind,
    /// The era, where MCP is spoken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    era: Option<Era>,
}

impl From<Written> for Channel {
    fn from(written: Written) -> Self {
        match written {
            Written::Members(Members { transport, era }) => Self::new(transport, era),
            Written::Name(transport) => Self::new(transport, None),
        }
    }
}

impl From<Channel> for Written {
    fn from(Channel { kind, era }: Channel) -> Self {
        Self::Members(Members { transport: kind, era })
    }
}

impl Channel {
    /// A transport in this era; where no MCP is spoken there is none, and MCP is legacy where none is given.
    pub fn new(kind: TransportKind, era: Option<Era>) -> Self {
        let era = match kind.protocol() {
            Protocol::Mcp => Some(era.unwrap_or(Era::Legacy)),
            Protocol::Http | Protocol::Cli => None,
        };
        Self { kind, era }
    }

    /// The transport.
    pub fn kind(self) -> TransportKind {
        self.kind
    }

    /// The era, where MCP is spoken.
    pub fn era(self) -> Option<Era> {
        self.era
    }

    /// What is spoken over it.
    pub fn protocol(self) -> Protocol {
        self.kind.protocol()
    }

    /// The families whose requirements apply to it, the wider one first.
    pub fn families(self) -> [TransportFamily; 2] {
        self.kind.families()
    }

    /// Whether something that is said of an era, or of none in particular, is said of this one.
    pub fn is_in(self, era: Option<Era>) -> bool {
        era.is_none() || era == self.era
    }

    /// One word for names of files, tests and places in a page.
    pub fn word(self) -> String {
        match self.era {
            Some(era) => format!("{}-{era}", self.kind),
            None => self.kind.to_string(),
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.era {
            Some(era) => f.pad(&format!("{} ({era})", self.kind)),
            None => f.pad(&self.kind.to_string()),
        }
    }
}
