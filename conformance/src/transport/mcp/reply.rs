//! What became of a call of a tool.

use super::rpc::Came;
use crate::format::json::read_noticing_duplicates;
use crate::model::{Failure, McpBinding, Operation, Raw, Status};
use crate::transport::Reply;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// JSON-RPC: the parameters are not as they should be.
const INVALID_PARAMS: i64 = -32602;
/// JSON-RPC: what some servers answer when their own check of the arguments throws.
const INTERNAL_ERROR: i64 = -32603;

/// No call was made, for this reason.
pub(super) fn not_asked(why: &str) -> Reply {
    failed(Failure::NotAsked(why.to_owned()))
}

/// No call was made, or nothing came of it.
pub(super) fn failed(failure: Failure) -> Reply {
    of(Value::Null, Came::failed(failure))
}

/// What came, before anything is said of it: failed.
pub(super) fn of(sent: Value, came: Came) -> Reply {
    Reply {
        sent,
        status: Status::Failed,
        answer: Value::Null,
        text: None,
        items: None,
        problems: came.problems,
        raw: Raw { bytes: came.bytes, failure: came.failure, not_utf8_at: came.not_utf8_at },
        elapsed: Duration::ZERO,
    }
}

/// What became of a call: `answer` keeps the result or the error as it came, the schema that was advertised for it, and
/// as `body` the value that was meant.
pub(super) fn of_call(
    sent: Value,
    came: Came,
    output_schema: &Value,
    operation: &Operation,
    binding: &McpBinding,
) -> Reply {
    let (result, error) = (came.response["result"].clone(), came.response["error"].clone());
    let text = text(&result);
    let (body, mut problems) = match (&result["structuredContent"], &text) {
        (Value::Null, Some(text)) if operation.format.is_none() => read_noticing_duplicates(text),
        (Value::Null, _) => (Value::Null, Vec::new()),
        (structured, _) => (structured.clone(), Vec::new()),
    };
    let (status, failure) = match came.failure.clone() {
        Some(failure) => (Status::Failed, Some(failure)),
        None => what_became(&result, &error, operation),
    };
    if status != Status::Accepted {
        problems.clear();
    }
    let items = binding.results.as_deref().and_then(|pointer| body.pointer(pointer)).filter(|items| items.is_array());
    let items = items.filter(|_| status == Status::Accepted).cloned();
    let mut answer = Map::new();
    for (name, value) in [("result", result), ("error", error)] {
        if !value.is_null() {
            answer.insert(name.to_owned(), value);
        }
    }
    answer.insert("body".to_owned(), body);
    answer.insert("outputSchema".to_owned(), output_schema.clone());
    let mut reply = of(sent, Came { failure, ..came });
    reply.problems.append(&mut problems);
    Reply { status, answer: json!(answer), text: text.filter(|_| operation.format.is_some()), items, ..reply }
}

/// Whether a call was accepted, refused for its arguments, or failed.
fn what_became(result: &Value, error: &Value, operation: &Operation) -> (Status, Option<Failure>) {
    let broken = |why: String| (Status::Failed, Some(Failure::Broken(why)));
    if error.is_object() {
        let message = error["message"].as_str().unwrap_or_default();
        return match is_about_arguments(error["code"].as_i64(), message, operation) {
            true => (Status::Refused, None),
            false => broken(format!("the error {} that speaks of no argument: {message}", error["code"])),
        };
    }
    match (result.is_object(), result["isError"] == true) {
        (false, _) => broken(format!("the result is no object: {}", start(result))),
        (true, false) => (Status::Accepted, None),
        (true, true) => match text(result) {
            Some(text) if says_unknown_tool(&text) => broken(format!("the server lists the tool, and says: {text}")),
            _ => (Status::Refused, None),
        },
    }
}

/// Whether a JSON-RPC error turns down the arguments, not the method, the tool or the moment.
fn is_about_arguments(code: Option<i64>, message: &str, operation: &Operation) -> bool {
    let lower = message.to_lowercase();
    let words = || lower.split(|character: char| !character.is_alphanumeric() && character != '_');
    match code {
        Some(INVALID_PARAMS) => !says_unknown_tool(message),
        Some(INTERNAL_ERROR) => {
            let names = operation.arguments.iter().any(|name| words().any(|word| word == name.to_lowercase()));
            let turned_down = ["invalid", "required", "expected", "must", "unrecognized", "too_small", "too_big"];
            names && words().any(|word| turned_down.contains(&word))
        }
        _ => false,
    }
}

fn says_unknown_tool(message: &str) -> bool {
    let lower = message.to_lowercase();
    ["unknown tool", "no such tool", "tool not found"].iter().any(|words| lower.contains(words))
        || lower.contains("tool")
            && lower.trim_end_matches(['.', '\'', '"', '`']).ends_with("not found")
            && lower.contains("tool ")
            && !lower.contains("argument")
}

/// The text of the first block that is one.
fn text(result: &Value) -> Option<String> {
    let blocks = result["content"].as_array()?;
    blocks.iter().find(|block| block["type"] == "text")?["text"].as_str().map(str::to_owned)
}

/// The start of a value, for a message.
pub(super) fn start(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}
