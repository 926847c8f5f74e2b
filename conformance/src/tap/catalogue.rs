//! What a request may be: the operations of the contracts, by their paths and tools.

use crate::load::{Suite, takes};
use crate::model::{HttpArguments, HttpBinding, McpBinding, Operation};
use crate::targets::recognise;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The operations that are listened for.
#[derive(Debug)]
pub(super) struct Catalogue {
    pub(super) suite: Arc<Suite>,
    /// The contracts that were named.
    named: Vec<String>,
}

/// An operation of a contract.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'c> {
    /// The contract, by position.
    pub(super) contract: usize,
    pub(super) name: &'c str,
    pub(super) operation: &'c Operation,
}

impl Catalogue {
    pub(super) fn new(suite: Arc<Suite>, named: &[String]) -> Self {
        Self { suite, named: named.to_vec() }
    }

    fn operations(&self) -> impl Iterator<Item = Known<'_>> {
        let contracts = self.suite.contracts.iter().enumerate();
        contracts.filter(|(_, one)| self.is_wanted(&one.contract.name)).flat_map(|(contract, one)| {
            let operations = one.contract.operations.iter();
            operations.map(move |(name, operation)| Known { contract, name, operation })
        })
    }

    fn is_wanted(&self, contract: &str) -> bool {
        self.named.is_empty() || self.named.iter().any(|named| named == contract)
    }

    /// The operations that are called at a path, and below any other one: a server may stand below a path of its own.
    pub(super) fn at<'c>(
        &'c self,
        method: &'c str,
        path: &'c str,
    ) -> impl Iterator<Item = (Known<'c>, &'c HttpBinding)> {
        let bound = self.operations().filter_map(|known| Some((known, known.operation.http.as_ref()?)));
        bound
            .filter(move |(_, http)| http.method == method && !http.path.starts_with('{') && path.ends_with(&http.path))
    }

    /// The operations whose path is the value of an argument, with its name.
    pub(super) fn by_address<'c>(&'c self, method: &'c str) -> impl Iterator<Item = (Known<'c>, &'c str)> {
        let bound = self.operations().filter_map(|known| Some((known, known.operation.http.as_ref()?)));
        bound.filter(move |(_, http)| http.method == method).filter_map(|(known, http)| {
            let argument = http.path.strip_prefix('{')?.strip_suffix('}')?;
            Some((known, argument))
        })
    }

    /// The operations that list the tools, of the contracts that these tools are of.
    pub(super) fn listings(&self, tools: Option<&[Value]>) -> Vec<Known<'_>> {
        let spoken = self.spoken(tools.unwrap_or_default());
        let lists = |known: &Known<'_>| known.operation.mcp.as_ref().is_some_and(|mcp| mcp.tool.is_none());
        self.operations().filter(lists).filter(|known| spoken.contains(&known.contract)).collect()
    }

    /// The contracts that are named, or else those that the tools look like.
    fn spoken(&self, tools: &[Value]) -> Vec<usize> {
        let alike = recognise::by_tools(&self.suite, tools);
        let contracts = self.suite.contracts.iter().enumerate();
        let is_spoken = |name: &str| match self.named.is_empty() {
            true => alike.contains(&name),
            false => self.is_wanted(name),
        };
        contracts.filter(|(_, one)| is_spoken(&one.contract.name)).map(|(at, _)| at).collect()
    }

    /// The operations that a call of a tool may be of, with its arguments as the contract calls them: one of each contract.
    pub(super) fn called<'c>(
        &'c self,
        tool: &str,
        tools: Option<&[Value]>,
        arguments: &Map<String, Value>,
    ) -> Vec<(Known<'c>, &'c McpBinding, Map<String, Value>)> {
        let spoken = tools.map(|tools| self.spoken(tools));
        let mut called: Vec<(Known<'_>, &McpBinding, Map<String, Value>)> = Vec::new();
        for known in self.operations() {
            let Some(binding) = known.operation.mcp.as_ref().filter(|mcp| mcp.tool.as_deref() == Some(tool)) else {
                continue;
            };
            if spoken.as_ref().is_some_and(|spoken| !spoken.contains(&known.contract)) {
                continue;
            }
            let with = ours(binding, known.operation, arguments);
            let fits = |operation: &Operation, with: &Map<String, Value>| {
                (!takes(&operation.takes, with), operation.takes["required"].as_array().map_or(0, Vec::len))
            };
            match called.iter_mut().find(|(other, ..)| other.contract == known.contract) {
                // A tool may stand for several operations: the one that takes these arguments, else the one that asks least.
                Some(other) if fits(known.operation, &with) < fits(other.0.operation, &other.2) => {
                    *other = (known, binding, with);
                }
                Some(_) => {}
                None => called.push((known, binding, with)),
            }
        }
        called
    }
}

/// Arguments of a tool by our names.
fn ours(binding: &McpBinding, operation: &Operation, arguments: &Map<String, Value>) -> Map<String, Value> {
    let name = |theirs: &String| {
        let known = operation.arguments.iter().find(|ours| binding.theirs(ours) == theirs);
        known.unwrap_or(theirs).clone()
    };
    arguments.iter().map(|(theirs, value)| (name(theirs), value.clone())).collect()
}

/// The arguments of a request over HTTP: the query as the input schema has its types, or the body; nothing where the body
/// is no object.
pub(super) fn arguments(
    operation: &Operation,
    binding: &HttpBinding,
    query: &[(String, String)],
    body: &[u8],
) -> Option<Map<String, Value>> {
    match binding.arguments {
        HttpArguments::Path => Some(Map::new()),
        HttpArguments::Body => serde_json::from_slice(body).ok(),
        HttpArguments::Query => {
            let mut with: Map<String, Value> = Map::new();
            for (name, text) in query {
                let property = &operation.takes["properties"][name];
                let value = typed(property, text);
                match with.get_mut(name) {
                    Some(Value::Array(values)) => values.push(value),
                    Some(first) => *first = Value::Array(vec![first.take(), value]),
                    None => _ = with.insert(name.clone(), value),
                }
            }
            Some(with)
        }
    }
}

/// A text of a query as the value that it stands for.
fn typed(property: &Value, text: &str) -> Value {
    let is_number = matches!(property["type"].as_str(), Some("number" | "integer"));
    match property["type"].as_str() {
        Some("number" | "integer" | "boolean") => match serde_json::from_str::<Value>(text) {
            Ok(value) if is_number && value.is_number() || !is_number && value.is_boolean() => value,
            _ => text.into(),
        },
        _ => text.into(),
    }
}
