//! Which of the tools that a server lists is called for an operation.

use crate::model::{Failure, McpBinding, Names, Operation};
use serde_json::Value;
use std::borrow::Cow;

/// The binding with the names of the tool that is listed; why it cannot be called.
pub(super) fn called<'b>(
    tool: &str,
    operation: &Operation,
    binding: &'b McpBinding,
    names: &Names,
    tools: &[Value],
) -> Result<Cow<'b, McpBinding>, Failure> {
    let Some((found, listed)) = binding.listed(names, tools) else {
        if binding.known_by.is_empty() {
            return Err(Failure::NoSuchTool(tool.to_owned()));
        }
        let arguments: Vec<String> = binding.known_by.iter().map(|names| names.join(" or ")).collect();
        return Err(Failure::NotAsked(match &names.tool {
            Some(tool) => format!("the server lists no tool `{tool}`, which the target file names"),
            None => format!(
                "the server lists no tool that takes {}: say in the target file which one it is, tool = \"…\"",
                arguments.join(", ")
            ),
        }));
    };
    match other_revision(tool, listed, operation, &found) {
        Some(why) => Err(Failure::NotAsked(why)),
        None => Ok(found),
    }
}

/// Why a tool speaks another revision of the contract: it lacks arguments that the contract has, and takes others.
pub(crate) fn other_revision(
    tool: &str,
    advertised: &Value,
    operation: &Operation,
    binding: &McpBinding,
) -> Option<String> {
    let takes = advertised["inputSchema"]["properties"].as_object()?;
    let known: Vec<&str> = operation.arguments.iter().map(|name| binding.theirs(name)).collect();
    let lacking: Vec<&str> = known.iter().filter(|name| !takes.contains_key(**name)).copied().collect();
    let others: Vec<&str> = takes.keys().map(String::as_str).filter(|name| !known.contains(name)).collect();
    (!lacking.is_empty() && !others.is_empty()).then(|| {
        format!(
            "the tool `{tool}` speaks another revision of the contract: it lacks {}, and takes {}",
            lacking.join(", "),
            others.join(", ")
        )
    })
}
