//! How an operation is called over each protocol.

use super::{Operation, Protocol};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
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
    /// The document gives neither the method nor the path: these are our own, and a target file may say others.
    #[serde(rename = "free-path", default, skip_serializing_if = "std::ops::Not::not")]
    pub free_path: bool,
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
    /// The document gives the tool no name: it is a listed tool that takes one argument of each of these lists. `tool` is only
    /// preferred, and an argument may have our name or the one in `rename`.
    #[serde(rename = "known-by", default, skip_serializing_if = "Vec::is_empty")]
    pub known_by: Vec<Vec<String>>,
    /// Arguments that the tool calls by another name: ours, then its.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rename: BTreeMap<String, String>,
    /// Arguments, by our names, that the document leaves to the server: a call that sends one is made only where the tool lists it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<String>,
    /// Where the items of the answer are, as a JSON Pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<String>,
}

/// What a target calls the things that a document gives no name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The method of an HTTP request, upper case.
    pub method: Option<String>,
    /// The path below the address of an HTTP endpoint.
    pub path: Option<String>,
    /// The tool of an MCP server.
    pub tool: Option<String>,
}

impl HttpBinding {
    /// The binding with the names of a target, where the document gives none.
    pub fn named(&self, names: &Names) -> Cow<'_, Self> {
        if !self.free_path || names.method.is_none() && names.path.is_none() {
            return Cow::Borrowed(self);
        }
        let mut named = self.clone();
        named.method.clone_from(names.method.as_ref().unwrap_or(&self.method));
        named.path.clone_from(names.path.as_ref().unwrap_or(&self.path));
        Cow::Owned(named)
    }
}

impl McpBinding {
    /// The tool among those that a server lists, and the binding with its names; nothing where none is the one.
    pub fn listed<'b, 't>(&'b self, names: &Names, tools: &'t [Value]) -> Option<(Cow<'b, Self>, &'t Value)> {
        let of_name = |name: Option<&String>| tools.iter().find(|tool| name.is_some_and(|name| tool["name"] == *name));
        if self.known_by.is_empty() {
            return Some((Cow::Borrowed(self), of_name(self.tool.as_ref())?));
        }
        let found = match &names.tool {
            Some(name) => of_name(Some(name))?,
            None => of_name(self.tool.as_ref())
                .filter(|tool| self.fits(tool))
                .or_else(|| tools.iter().find(|tool| self.fits(tool)))
                // Its schema may say nothing of arguments.
                .or_else(|| of_name(self.tool.as_ref()))?,
        };
        let takes = |name: &str| found["inputSchema"]["properties"].get(name).is_some();
        let mut named = self.clone();
        named.tool = found["name"].as_str().map(str::to_owned);
        named.rename.retain(|ours, theirs| takes(theirs) || !takes(ours));
        Some((Cow::Owned(named), found))
    }

    /// Whether a tool takes one argument of each list that it is known by.
    pub fn fits(&self, tool: &Value) -> bool {
        let takes = |name: &String| tool["inputSchema"]["properties"].get(name).is_some();
        !self.known_by.is_empty() && self.known_by.iter().all(|names| names.iter().any(takes))
    }

    /// What the tool calls one of our arguments.
    pub fn theirs<'n>(&'n self, ours: &'n str) -> &'n str {
        self.rename.get(ours).map_or(ours, String::as_str)
    }
}
