//! An endpoint in a target file: one contract at one address.

use crate::model::{ContractKey, Era, Eras, Names, Protocol, TransportKind};
use crate::transport::{Mcp, Transport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Where a target is, by the transport that reaches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A program and its leading arguments, called anew for each call.
    Cli(Vec<String>),
    /// The URL of an HTTP server.
    Http(String),
    /// An MCP server on its standard streams: the program and its arguments.
    McpStdio(Vec<String>),
    /// The URL of an MCP server (streamable HTTP).
    McpHttp(String),
}

impl Address {
    /// The transport.
    pub fn kind(&self) -> TransportKind {
        match self {
            Self::Cli(_) => TransportKind::Cli,
            Self::Http(_) => TransportKind::Http,
            Self::McpStdio(_) => TransportKind::McpStdio,
            Self::McpHttp(_) => TransportKind::McpHttp,
        }
    }

    /// The URL of a server; nothing for a program that the suite starts.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Http(url) | Self::McpHttp(url) => Some(url),
            Self::Cli(_) | Self::McpStdio(_) => None,
        }
    }

    /// The program and its arguments that the suite starts; nothing for a server.
    pub fn command(&self) -> Option<&[String]> {
        match self {
            Self::Cli(words) | Self::McpStdio(words) => Some(words),
            Self::Http(_) | Self::McpHttp(_) => None,
        }
    }

    /// The URL or the command, for people to read.
    pub fn written(&self) -> String {
        match self {
            Self::Cli(words) | Self::McpStdio(words) => words.join(" "),
            Self::Http(url) | Self::McpHttp(url) => url.clone(),
        }
    }

    /// The same address with every text of it changed.
    pub fn map(&self, mut change: impl FnMut(&str) -> String) -> Self {
        match self {
            Self::Cli(words) => Self::Cli(words.iter().map(|word| change(word)).collect()),
            Self::Http(url) => Self::Http(change(url)),
            Self::McpStdio(words) => Self::McpStdio(words.iter().map(|word| change(word)).collect()),
            Self::McpHttp(url) => Self::McpHttp(change(url)),
        }
    }
}

/// One contract at one transport of a target.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "EndpointKeys", into = "EndpointKeys")]
pub struct EndpointFile {
    /// The contract, at the revision that is pinned, or else at its first.
    pub contract: ContractKey,
    /// Whether the revision is pinned. Else what the endpoint shows decides.
    pub is_pinned: bool,
    /// Where it is.
    pub address: Address,
    /// Headers of every HTTP request.
    pub headers: BTreeMap<String, String>,
    /// Where the items of an answer are, as a JSON Pointer; looked for when it is left out.
    pub results: Option<String>,
    /// Values for arguments that name data of the target's own.
    pub arguments: BTreeMap<String, Value>,
    /// What it calls the things that the document gives no name.
    pub names: Names,
    /// The eras of MCP in which it is judged.
    pub eras: Eras,
}

impl EndpointFile {
    /// A contract at an address, with nothing more to say about it. A key of a later revision, `memory@2`, pins that one.
    pub fn new(contract: impl Into<ContractKey>, address: Address) -> Self {
        let (headers, arguments, contract) = (BTreeMap::new(), BTreeMap::new(), contract.into());
        Self {
            is_pinned: contract.revision() > ContractKey::FIRST,
            contract,
            address,
            headers,
            results: None,
            arguments,
            names: Names::default(),
            eras: Eras::Auto,
        }
    }
}

/// One contract at one transport of a target.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "EndpointFile")]
struct EndpointKeys {
    /// The contract.
    contract: String,
    /// The revision of the contract that it speaks; recognised by what it shows when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revision: Option<u32>,
    /// A command line: the program and its leading arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cli: Option<Vec<String>>,
    /// The address of an HTTP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    http: Option<String>,
    /// An MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mcp: Option<McpFile>,
    /// Headers of every HTTP request.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    headers: BTreeMap<String, String>,
    /// Where the items of an answer are, as a JSON Pointer; looked for when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    results: Option<String>,
    /// Values for arguments that name data of the target's own, such as an id: what cases ask for that need no corpus.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    arguments: BTreeMap<String, Value>,
    /// The method of its HTTP requests, where the document gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    /// The path below its address, where the document gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Its MCP tool, where the document gives none; found by its arguments when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// The eras of MCP in which it is judged; found out when it is left out.
    #[serde(default, skip_serializing_if = "is_auto")]
    era: Eras,
}

fn is_auto(eras: &Eras) -> bool {
    *eras == Eras::Auto
}

/// How an MCP server is reached.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum McpFile {
    /// Streamable HTTP at this address.
    Url(String),
    /// The standard streams of a program: its name and arguments.
    Command(Vec<String>),
}

impl TryFrom<EndpointKeys> for EndpointFile {
    type Error = String;

    fn try_from(keys: EndpointKeys) -> Result<Self, String> {
        let mcp = keys.mcp.map(|mcp| match mcp {
            McpFile::Url(url) => Address::McpHttp(url),
            McpFile::Command(words) => Address::McpStdio(words),
        });
        let mut addresses = [keys.cli.map(Address::Cli), keys.http.map(Address::Http), mcp].into_iter().flatten();
        let (Some(address), None) = (addresses.next(), addresses.next()) else {
            return Err(format!("the endpoint of {} has exactly one of `cli`, `http` and `mcp`", keys.contract));
        };
        if keys.era != Eras::Auto && address.kind().protocol() != Protocol::Mcp {
            return Err(format!("the endpoint of {} speaks no MCP, so `era` says nothing", keys.contract));
        }
        let EndpointKeys { contract, revision, headers, results, arguments, method, path, tool, era: eras, .. } = keys;
        if contract.contains('@') {
            return Err(format!("`{contract}` names a revision: write it as `revision`, a key of its own"));
        }
        if revision == Some(0) {
            return Err(format!("the endpoint of {contract} has the revision 0, and revisions begin with 1"));
        }
        let contract = ContractKey::new(&contract).at(revision.unwrap_or(ContractKey::FIRST));
        let (is_pinned, names) = (revision.is_some(), Names { method, path, tool });
        Ok(Self { contract, is_pinned, address, headers, results, arguments, names, eras })
    }
}

impl From<EndpointFile> for EndpointKeys {
    fn from(endpoint: EndpointFile) -> Self {
        let EndpointFile { contract, is_pinned, address, headers, results, arguments, names, eras: era } = endpoint;
        let Names { method, path, tool } = names;
        let (cli, http, mcp) = (None, None, None);
        let revision = is_pinned.then(|| contract.revision());
        let contract = contract.name().to_owned();
        let mut keys =
            Self { contract, revision, cli, http, mcp, headers, results, arguments, method, path, tool, era };
        match address {
            Address::Cli(words) => keys.cli = Some(words),
            Address::Http(url) => keys.http = Some(url),
            Address::McpStdio(words) => keys.mcp = Some(McpFile::Command(words)),
            Address::McpHttp(url) => keys.mcp = Some(McpFile::Url(url)),
        }
        keys
    }
}

/// The ways to reach a server of MCP that a target file asks for, as far as is known before it is asked.
pub(super) fn in_eras(mcp: Mcp, eras: Eras) -> Vec<Box<dyn Transport>> {
    match eras {
        Eras::Auto => vec![Box::new(mcp)],
        Eras::Legacy => vec![Box::new(mcp.in_era(Era::Legacy))],
        Eras::Modern => vec![Box::new(mcp.in_era(Era::Modern))],
        Eras::Both => vec![Box::new(mcp.clone().in_era(Era::Modern)), Box::new(mcp.in_era(Era::Legacy))],
    }
}
