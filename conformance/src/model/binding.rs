//! How an operation is called over each protocol.

use super::{Operation, Protocol};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How an operation is called over one protocol.
#[derive(Debug, Clone, Copy)]
pub enum Binding<'o> {
    /// As an HTTP request.
    Http(&'o HttpBinding),
    /// As a tool of an MCP server.
    Mcp(&'o McpBinding),
    /// As a command line.
    Cli(&'o CliBinding),
}

impl Operation {
    /// How it is called over a protocol; nothing when it is not.
    pub fn binding(&self, over: Protocol) -> Option<Binding<'_>> {
        match over {
            Protocol::Http => self.http.as_ref().map(Binding::Http),
            Protocol::Mcp => self.mcp.as_ref().map(Binding::Mcp),
            Protocol::Cli => self.cli.as_ref().map(Binding::Cli),
        }
    }

    /// Whether its arguments travel as JSON over a protocol, so that their types arrive.
    pub fn carries_json_over(&self, over: Protocol) -> bool {
        self.binding(over).is_some_and(Binding::carries_json)
    }
}

impl Binding<'_> {
    fn carries_json(self) -> bool {
        match self {
            Self::Http(http) => http.arguments == HttpArguments::Body,
            Self::Mcp(_) => true,
            Self::Cli(_) => false,
        }
    }
}

/// A command line: `argv`, then positional arguments, flags and switches for the arguments that were given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CliBinding {
    /// What every call begins with, after the program.
    pub argv: Vec<String>,
    /// Arguments that stand by themselves, in this order.
    #[serde(default)]
    pub positional: Vec<String>,
    /// Arguments that take a value, by their flag. A list repeats the flag.
    #[serde(default)]
    pub flags: BTreeMap<String, String>,
    /// Arguments that are true or false: the switch is there or not.
    #[serde(default)]
    pub switches: BTreeMap<String, String>,
    /// The argument that names the folder to run in, relative to the corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// An HTTP request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpBinding {
    /// The method, upper case.
    pub method: String,
    /// The path below the endpoint's address, or `{name}` for an argument that holds a whole path.
    pub path: String,
    /// Where the arguments go.
    pub arguments: HttpArguments,
    /// Where the items of the answer are, as a JSON Pointer; a target file may say otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<String>,
}

/// Where the arguments of an HTTP request go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HttpArguments {
    /// Into the query string.
    Query,
    /// Into a JSON body.
    Body,
    /// Into the path alone.
    Path,
}

/// A call of an MCP server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpBinding {
    /// The tool that is called; without one, the operation lists the tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Arguments that the tool calls by another name: ours, then its.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rename: BTreeMap<String, String>,
    /// Where the items of the answer are, as a JSON Pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<String>,
}

impl McpBinding {
    /// What the tool calls one of our arguments.
    pub fn theirs<'n>(&'n self, ours: &'n str) -> &'n str {
        self.rename.get(ours).map_or(ours, String::as_str)
    }
}
