//! Which contracts a list of tools looks like. Pure.

use crate::load::{ContractSuite, Suite};
use crate::model::Operation;
use serde_json::Value;
use std::collections::BTreeSet;

/// The contracts whose tools a server lists, as they are in the suite's first place.
pub(crate) fn by_tools<'s>(suite: &'s Suite, tools: &[Value]) -> Vec<&'s str> {
    let contracts = suite.contracts.iter().filter(|contract| is_of(contract, tools));
    contracts.map(|contract| contract.contract.name.as_str()).collect()
}

/// The contracts whose tools a server lists, at whatever revision.
pub fn by_tools_of_any<'s>(suite: &'s Suite, tools: &[Value]) -> Vec<&'s str> {
    let is_later = |contract: &ContractSuite| {
        let key = contract.contract.key();
        // Only a revision that calls something otherwise has other tools, and reading one takes its time.
        let others = suite.revisions(key.name()).iter().skip(1).filter(|one| !one.operations.is_empty());
        others.filter_map(|one| suite.keyed(&key.at(one.revision))).any(|view| is_of(view, tools))
    };
    let contracts = suite.contracts.iter().filter(|contract| is_of(contract, tools) || is_later(contract));
    contracts.map(|contract| contract.contract.name.as_str()).collect()
}

/// Whether a server lists at least half of the tools of a contract.
fn is_of(contract: &ContractSuite, tools: &[Value]) -> bool {
    let names: BTreeSet<&str> = operations(contract).filter_map(tool).collect();
    let there = names.iter().filter(|name| is_listed(contract, name, tools)).count();
    there > 0 && there * 2 >= names.len()
}

/// Whether a tool of this name is listed, and takes an argument that the contract has: others may have a tool of the name.
fn is_listed(contract: &ContractSuite, name: &str, tools: &[Value]) -> bool {
    let mut bindings = operations(contract).filter_map(|operation| operation.mcp.as_ref());
    if bindings.any(|binding| binding.tool.as_deref() == Some(name) && tools.iter().any(|tool| binding.fits(tool))) {
        return true;
    }
    let Some(listed) = tools.iter().find(|listed| listed["name"] == *name) else { return false };
    let takes = listed["inputSchema"]["properties"].as_object();
    let of_tool = || operations(contract).filter(|operation| tool(operation) == Some(name));
    let known: BTreeSet<&str> = of_tool().flat_map(theirs).collect();
    takes.is_none_or(|takes| {
        takes.is_empty() || known.is_empty() || takes.keys().any(|name| known.contains(name.as_str()))
    })
}

/// The arguments of an operation as its tool calls them.
fn theirs(operation: &Operation) -> impl Iterator<Item = &str> {
    let binding = operation.mcp.as_ref();
    operation.arguments.iter().map(move |name| binding.map_or(name.as_str(), |binding| binding.theirs(name)))
}

fn operations(contract: &ContractSuite) -> impl Iterator<Item = &Operation> {
    contract.contract.operations.values()
}

fn tool(operation: &Operation) -> Option<&str> {
    operation.mcp.as_ref()?.tool.as_deref()
}
