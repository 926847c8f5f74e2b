//! What became of a call of a tool.

use super::rpc::{Came, problem};
use crate::format::json::{MOST_VALUES, TOO_MANY, read_mending_surrogates};
use crate::model::{Failure, McpBinding, Operation, Problem, Raw, Status};
use crate::transport::Reply;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// JSON-RPC: the parameters are not as they should be.
const INVALID_PARAMS: i64 = -32602;
/// JSON-RPC: there is no such method.
const METHOD_NOT_FOUND: i64 = -32601;
/// JSON-RPC: the message is no request.
const INVALID_REQUEST: i64 = -32600;
/// JSON-RPC: the message is no JSON.
const PARSE_ERROR: i64 = -32700;

/// No call was made, for this reason.
pub(crate) fn not_asked(why: &str) -> Reply {
    failed(Failure::NotAsked(why.to_owned()))
}

/// No call was made, or nothing came of it.
pub(crate) fn failed(failure: Failure) -> Reply {
    of(Value::Null, Came::failed(failure))
}

/// What came, before anything is said of it: failed.
pub(crate) fn of(sent: Value, came: Came) -> Reply {
    let Came { bytes, failure, not_utf8_at, retried, .. } = came;
    let raw = Raw { bytes, failure, not_utf8_at, retried };
    Reply { problems: came.problems, ..Reply::failed(sent, raw, Duration::ZERO) }
}

/// What became of a call: `answer` keeps the result or the error as it came, the schema that was advertised for it, and
/// as `body` the value that was meant.
pub(crate) fn of_call(
    sent: Value,
    came: Came,
    output_schema: &Value,
    operation: &Operation,
    binding: &McpBinding,
) -> Reply {
    let (result, error) = (came.response["result"].clone(), came.response["error"].clone());
    let (body, problems) = match operation.format {
        None => body(&result),
        Some(_) => (result["structuredContent"].clone(), Vec::new()),
    };
    let too_many = problems.iter().any(|problem| problem.code == TOO_MANY).then_some(Failure::TooMany(MOST_VALUES));
    let (status, failure) = match came.failure.clone().or(too_many) {
        Some(failure) => (Status::Failed, Some(failure)),
        None => what_became(&result, &error, operation, binding),
    };
    let text = operation.format.as_ref().and_then(|_| texts(&result).next().map(str::to_owned));
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
    if status == Status::Accepted {
        reply.problems.extend(problems);
    }
    Reply { status, answer: json!(answer), text, items, ..reply }
}

/// What a list of tools consists of.
pub(crate) struct List<'l> {
    /// The answer to `initialize`, where it is known.
    pub(crate) initialize: Option<&'l Value>,
    /// The results as they came.
    pub(crate) pages: Vec<Value>,
    /// The tools of all pages; nothing when one page was none.
    pub(crate) tools: Option<Vec<Value>>,
}

/// What became of listing the tools: `answer` keeps every page, and as `body` all tools at once.
pub(crate) fn of_list(sent: Value, came: Came, list: List<'_>) -> Reply {
    let failure = came.failure.clone().or_else(|| match list.tools {
        Some(_) => None,
        None => Some(Failure::Broken(format!("tools/list gives no list of tools: {}", start(&came.response)))),
    });
    let mut answer = Map::new();
    if let Some(initialize) = list.initialize {
        answer.insert("initialize".to_owned(), initialize.clone());
    }
    answer.insert("pages".to_owned(), list.pages.into());
    answer.insert("error".to_owned(), came.response["error"].clone());
    answer.insert("body".to_owned(), list.tools.map_or(Value::Null, |tools| json!({ "tools": tools })));
    let status = if failure.is_some() { Status::Failed } else { Status::Accepted };
    Reply { answer: json!(answer), status, ..of(sent, Came { failure, ..came }) }
}

/// The value that was meant: structured content, else the first text that is JSON. A text may be there for people alone.
fn body(result: &Value) -> (Value, Vec<Problem>) {
    if !result["structuredContent"].is_null() {
        return (result["structuredContent"].clone(), Vec::new());
    }
    let is_json = |(_, problems): &(Value, Vec<Problem>)| problems.iter().all(|problem| problem.code != "json");
    let mut read: Vec<_> = texts(result).map(read_mending_surrogates).collect();
    match (read.iter().position(is_json), read.is_empty()) {
        (Some(at), _) => read.swap_remove(at),
        (None, false) => read.swap_remove(0),
        (None, true) => {
            let why = "there is no JSON: neither structured content nor a block of text".to_owned();
            (Value::Null, vec![problem("json", why)])
        }
    }
}

/// Whether a call was accepted, refused for its arguments, or failed.
fn what_became(
    result: &Value,
    error: &Value,
    operation: &Operation,
    binding: &McpBinding,
) -> (Status, Option<Failure>) {
    let broken = |why: String| (Status::Failed, Some(Failure::Broken(why)));
    if error.is_object() {
        let message = error["message"].as_str().unwrap_or_default();
        return match is_about_arguments(error["code"].as_i64(), message, operation, binding) {
            true => (Status::Refused, None),
            false => broken(format!("the error {} that speaks of no argument: {message}", error["code"])),
        };
    }
    match (result.is_object(), result["isError"] == true) {
        (false, _) => broken(format!("the result is no object: {}", start(result))),
        (true, false) => (Status::Accepted, None),
        (true, true) => match texts(result).find(|text| says_unknown_tool(text, binding)) {
            Some(text) => broken(format!("the server lists the tool, and says: {text}")),
            None => (Status::Refused, None),
        },
    }
}

/// Whether a JSON-RPC error turns down the arguments, not the message, the method, the tool or the moment.
fn is_about_arguments(code: Option<i64>, message: &str, operation: &Operation, binding: &McpBinding) -> bool {
    let lower = message.to_lowercase();
    let mut words = lower.split(|character: char| !character.is_alphanumeric() && character != '_');
    match code {
        Some(INVALID_PARAMS) => !says_unknown_tool(message, binding),
        Some(PARSE_ERROR | INVALID_REQUEST | METHOD_NOT_FOUND) => false,
        // Some servers let the error through that their own check of the arguments throws.
        _ => {
            let turned_down = ["invalid", "required", "expected", "must", "unrecognized", "too_small", "too_big"];
            let is_named = |name: &String| {
                [name, binding.theirs(name)].iter().any(|name| words.clone().any(|word| word == name.to_lowercase()))
            };
            operation.arguments.iter().any(is_named) && words.any(|word| turned_down.contains(&word))
        }
    }
}

/// Whether a message denies the tool itself. That something else was not found, while the tool ran, does not.
fn says_unknown_tool(message: &str, binding: &McpBinding) -> bool {
    let plain: String = message.to_lowercase().chars().filter(|character| !"\"'`".contains(*character)).collect();
    let tool = binding.tool.as_deref().unwrap_or_default().to_lowercase();
    let denied = ["not found", "is not found", "was not found", "does not exist", "is unknown", "is not registered"];
    ["unknown tool", "no such tool", "tool not found"].iter().any(|words| plain.contains(words))
        || denied.iter().any(|words| plain.contains(&format!("tool {tool} {words}")))
}

/// The texts of a result.
fn texts(result: &Value) -> impl Iterator<Item = &str> {
    let blocks = result["content"].as_array().map_or(&[][..], Vec::as_slice);
    blocks.iter().filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str())
}

/// The start of a value, for a message.
pub(crate) fn start(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}
