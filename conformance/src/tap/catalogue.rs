//! What a request may be: the operations of the contracts, by their paths and tools.

use crate::load::{ContractSuite, Suite, takes};
use crate::model::{ContractKey, HttpArguments, HttpBinding, McpBinding, Operation};
use crate::targets::{recognise, shown_by_tools};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The operations that are listened for.
#[derive(Debug)]
pub(super) struct Catalogue {
    pub(super) suite: Arc<Suite>,
    /// The contracts that were named.
    named: Vec<String>,
    /// The revisions that were asked for: what a server shows of itself changes nothing then.
    pinned: Vec<ContractKey>,
}

/// A contract at the revision that it is judged by.
#[derive(Debug, Clone)]
struct Heard<'c> {
    /// The contract at that revision, by position.
    at: usize,
    contract: &'c ContractSuite,
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
    pub(super) fn new(suite: Arc<Suite>, named: &[String], pinned: &[ContractKey]) -> Self {
        Self { suite, named: named.to_vec(), pinned: pinned.to_vec() }
    }

    /// The contracts that are listened for, each at the revision that these tools show, else at the first one.
    fn contracts(&self, tools: Option<&[Value]>) -> impl Iterator<Item = Heard<'_>> {
        let all = self.suite.contracts.iter().enumerate().filter(|(_, one)| self.is_wanted(&one.contract.name));
        all.map(move |(at, first)| {
            let at =
                self.shown(&first.contract.name, tools).and_then(|(key, _)| self.suite.position(&key)).unwrap_or(at);
            Heard { at, contract: self.suite.nth(at).unwrap_or(first) }
        })
    }

    /// The revision of a contract that a list of tools shows, with its signs; nothing where one was asked for.
    fn shown(&self, contract: &str, tools: Option<&[Value]>) -> Option<(ContractKey, Vec<String>)> {
        let is_pinned = self.pinned.iter().any(|key| key.name() == contract);
        shown_by_tools(&self.suite, contract, tools.filter(|_| !is_pinned)?)
    }

    /// By what a list of tools shows the revision that the contract at this position has; nothing where it shows none.
    pub(super) fn signs(&self, at: usize, tools: Option<&[Value]>) -> Vec<String> {
        let name = self.suite.nth(at).map_or("", |one| one.contract.name.as_str());
        self.shown(name, tools).map_or_else(Vec::new, |(_, signs)| signs)
    }

    fn operations(&self, tools: Option<&[Value]>) -> impl Iterator<Item = Known<'_>> {
        self.contracts(tools).flat_map(|Heard { at, contract }| {
            let operations = contract.contract.operations.iter();
            operations.map(move |(name, operation)| Known { contract: at, name, operation })
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
        let bound = self.operations(None).filter_map(|known| Some((known, known.operation.http.as_ref()?)));
        bound
            .filter(move |(_, http)| http.method == method && !http.path.starts_with('{') && path.ends_with(&http.path))
    }

    /// The operations whose path is the value of an argument, with its name.
    pub(super) fn by_address<'c>(&'c self, method: &'c str) -> impl Iterator<Item = (Known<'c>, &'c str)> {
        let bound = self.operations(None).filter_map(|known| Some((known, known.operation.http.as_ref()?)));
        bound.filter(move |(_, http)| http.method == method).filter_map(|(known, http)| {
            let argument = http.path.strip_prefix('{')?.strip_suffix('}')?;
            Some((known, argument))
        })
    }

    /// The operations that list the tools, of the contracts that these tools are of.
    pub(super) fn listings(&self, tools: Option<&[Value]>) -> Vec<Known<'_>> {
        let spoken = self.spoken(tools.unwrap_or_default());
        let lists = |known: &Known<'_>| known.operation.mcp.as_ref().is_some_and(|mcp| mcp.tool.is_none());
        self.operations(tools).filter(lists).filter(|known| spoken.contains(&known.contract)).collect()
    }

    /// The contracts that are named, or else those that the tools look like.
    fn spoken(&self, tools: &[Value]) -> Vec<usize> {
        let alike = recognise::by_tools(&self.suite, tools);
        let is_spoken = |name: &str| match self.named.is_empty() {
            true => alike.contains(&name),
            false => self.is_wanted(name),
        };
        let contracts = self.contracts(Some(tools));
        contracts.filter(|one| is_spoken(&one.contract.contract.name)).map(|one| one.at).collect()
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
        for known in self.operations(tools) {
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
/// is not an object.
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
