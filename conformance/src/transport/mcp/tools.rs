//! Which of the tools that a server lists is called for an operation.

use crate::model::{Failure, McpBinding, Names, Operation};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The binding with the names of the tool that is listed; why it cannot be called.
pub(super) fn called<'b>(
    tool: &str,
    operation: &Operation,
    binding: &'b McpBinding,
    with: &Map<String, Value>,
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
    if let Some(why) = not_offered(tool, listed, with, &found) {
        return Err(Failure::NotOffered(why));
    }
    match other_revision(tool, listed, operation, &found) {
        Some(why) => Err(Failure::NotAsked(why)),
        None => Ok(found),
    }
}

/// Why a call asks for what the server need not have: it sends an argument that the tool does not list.
fn not_offered(tool: &str, listed: &Value, with: &Map<String, Value>, binding: &McpBinding) -> Option<String> {
    let is_listed = |name: &str| listed["inputSchema"]["properties"].get(binding.theirs(name)).is_some();
    let lacking = binding.optional.iter().find(|name| with.contains_key(*name) && !is_listed(name))?;
    Some(format!("the tool `{tool}` takes no `{}`, which the document leaves to the server", binding.theirs(lacking)))
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
    let is_optional = |theirs: &str| binding.optional.iter().any(|name| binding.theirs(name) == theirs);
    let lacking: Vec<&str> =
        known.iter().filter(|name| !takes.contains_key(**name) && !is_optional(name)).copied().collect();
    let others: Vec<&str> = takes.keys().map(String::as_str).filter(|name| !known.contains(name)).collect();
    (!lacking.is_empty() && !others.is_empty()).then(|| {
        format!(
            "the tool `{tool}` speaks another revision of the contract: it lacks {}, and takes {}",
            lacking.join(", "),
            others.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn binding() -> McpBinding {
        serde_json::from_value(json!({ "tool": "list", "rename": { "format": "form" }, "optional": ["format"] }))
            .unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_a_document_leaves_to_the_server_is_asked_only_where_it_is_listed() {
        let with = |with: Value| with.as_object().cloned().unwrap_or_default();
        let tool = |properties: Value| json!({ "inputSchema": { "properties": properties } });
        let json = with(json!({ "format": "json" }));
        let said = not_offered("list", &tool(json!({ "limit": {} })), &json, &binding());
        assert_eq!(said.as_deref(), Some("the tool `list` takes no `form`, which the document leaves to the server"));
        assert_eq!(not_offered("list", &tool(json!({ "form": {} })), &json, &binding()), None);
        assert_eq!(not_offered("list", &json!({}), &with(json!({})), &binding()), None);
    }
}
