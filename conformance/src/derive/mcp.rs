//! JSON-RPC responses of an MCP server → what became of a call, and its answer.

use super::derived::Derived;
use super::modern;
use crate::format::codes::{
    INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, MISSING_CAPABILITY, PARSE_ERROR,
};
use crate::format::json::{copied, read_mending_surrogates, unread};
use crate::model::{Body, Failure, McpBinding, Operation, Otherwise, Problem, Status};
use crate::text::inert;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

/// How a tool was called.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) with: &'a Map<String, Value>,
    pub(super) sent: &'a Value,
    /// The HTTP status that came back.
    pub(super) status: Option<u16>,
}

impl Asked<'_> {
    /// Whether something of the message or its headers is not as the protocol has it, so that any error refuses it.
    fn is_otherwise(&self) -> bool {
        self.with.contains_key(Otherwise::ARGUMENT)
    }

    /// What was refused, though no JSON-RPC error says so.
    fn is_refused_without_error(&self, failure: Option<&Failure>) -> bool {
        let is_of_request = self.status.is_some_and(|status| (400..500).contains(&status));
        self.is_otherwise() && is_of_request && matches!(failure, Some(Failure::Broken(_)))
    }
}

/// The answer of a tool: the result or the error as it arrived, the schema that is advertised for it, and as `body` the
/// value that was meant.
pub(super) fn called(
    message: Option<&Body>,
    output_schema: &Value,
    failure: Option<Failure>,
    operation: &Operation,
    asked: Asked<'_>,
) -> Derived {
    let unbound = McpBinding::default();
    let binding = operation.mcp.as_ref().unwrap_or(&unbound);
    let (mut response, mut problems) = message.map(read).unwrap_or_default();
    let (result, error) = (taken(&mut response, "result"), taken(&mut response, "error"));
    let (body, body_problems) = match operation.format {
        None => body(&result),
        Some(_) => (copied(&result["structuredContent"]), Vec::new()),
    };
    let (status, failure) = match failure.or_else(|| unread(&body_problems)) {
        failure if asked.is_refused_without_error(failure.as_ref()) => (Status::Refused, None),
        Some(failure) => (Status::Failed, Some(failure)),
        None if (asked.is_otherwise() || modern::is_unfit(asked.sent)) && error.is_object() => (Status::Refused, None),
        None => match modern::of_protocol(asked.sent, &result, &error) {
            Some(failure) => (Status::Failed, Some(failure)),
            // What asks for what is not there learns nothing of a tool that is listed.
            None if asked.is_otherwise() && result["isError"] == true => (Status::Refused, None),
            None => what_became(&result, &error, operation, binding),
        },
    };
    let text = operation.format.as_ref().and_then(|_| whole_text(&result));
    if status == Status::Accepted {
        problems.extend(body_problems);
    }
    let mut answer = Map::new();
    answer.extend(
        [("result", result), ("error", error)]
            .into_iter()
            .filter_map(|(name, value)| (!value.is_null()).then(|| (name.to_owned(), value))),
    );
    answer.insert("body".to_owned(), body);
    answer.insert("outputSchema".to_owned(), output_schema.clone());
    // What is served has the status of what is served.
    let is_missing = answer.get("error").is_some_and(|error| error["code"] == MISSING_CAPABILITY);
    let refused_by = asked.status.filter(|_| status == Status::Refused || is_missing);
    answer.extend(refused_by.map(|status| ("status".to_owned(), status.into())));
    Derived { status, failure, answer: answer.into(), text, problems }
}

/// The list of tools: every page as it arrived, and as `body` all tools at once.
pub(super) fn listed(initialize: Option<&Value>, messages: &[Body], failure: Option<Failure>) -> Derived {
    let (mut pages, mut tools, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    // The last response, where it is no page.
    let mut other = if messages.is_empty() { Some(Value::Null) } else { None };
    for message in messages {
        let (mut response, found) = read(message);
        problems.extend(found);
        match response["result"]["tools"].as_array() {
            Some(page) => {
                tools.extend(page.iter().cloned());
                pages.push(taken(&mut response, "result"));
            }
            None => other = Some(response),
        }
    }
    let failure = failure.or_else(|| {
        let why = |response| format!("tools/list gives no list of tools: {}", start(response));
        other.as_ref().map(|response| Failure::Broken(why(response)))
    });
    let mut answer = Map::new();
    answer.extend(initialize.map(|result| ("initialize".to_owned(), result.clone())));
    answer.insert("pages".to_owned(), pages.into());
    if let Some(result) = other.as_ref().and_then(|response| response.get("result")) {
        answer.insert("instead".to_owned(), json!({ "result": result }));
    }
    answer.insert("error".to_owned(), other.map_or(Value::Null, |mut response| taken(&mut response, "error")));
    let (status, body) = match failure {
        None => (Status::Accepted, json!({ "tools": tools })),
        Some(_) => (Status::Failed, Value::Null),
    };
    answer.insert("body".to_owned(), body);
    Derived { status, failure, answer: answer.into(), text: None, problems }
}

/// A message, and what is wrong with its JSON.
fn read(message: &Body) -> (Value, Vec<Problem>) {
    read_mending_surrogates(&message.text())
}

fn taken(response: &mut Value, name: &str) -> Value {
    response.get_mut(name).map(Value::take).unwrap_or_default()
}

/// The value that was meant: structured content, else the first text that is JSON. A text may be there for people alone.
///
/// A library may wrap a text in an object of its own: then the text is what was meant.
fn body(result: &Value) -> (Value, Vec<Problem>) {
    let is_wrapper = only_text(&result["structuredContent"]).is_some_and(|text| texts(result).any(|one| one == text));
    if !result["structuredContent"].is_null() && !is_wrapper {
        return (copied(&result["structuredContent"]), Vec::new());
    }
    let is_json =
        |(_, problems): &(Value, Vec<Problem>)| problems.iter().all(|problem| problem.code != Problem::NO_JSON);
    let mut read: Vec<_> = texts(result).map(read_mending_surrogates).collect();
    match (read.iter().position(is_json), read.is_empty()) {
        (Some(at), _) => read.swap_remove(at),
        (None, false) => read.swap_remove(0),
        (None, true) => {
            let why = "there is no JSON: neither structured content nor a block of text".to_owned();
            (Value::Null, vec![Problem { code: Problem::NO_JSON.to_owned(), line: 1, column: 1, message: why }])
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
        if let Some(failure) = Failure::not_connected(message) {
            return (Status::Failed, Some(failure));
        }
        return match is_about_arguments(error["code"].as_i64(), message, operation, binding) {
            true => (Status::Refused, None),
            false => broken(format!("the error {} that speaks of no argument: {message}", error["code"])),
        };
    }
    match (result.is_object(), result["isError"] == true) {
        (false, _) => broken(format!("the result is not an object: {}", start(result))),
        (true, false) => (Status::Accepted, None),
        (true, true) => match texts(result).find(|text| says_unknown_tool(text, binding)) {
            Some(text) => broken(format!("the server lists the tool, and says: {text}")),
            None => match texts(result).find_map(Failure::not_connected) {
                Some(failure) => (Status::Failed, Some(failure)),
                None => (Status::Refused, None),
            },
        },
    }
}

/// Whether a JSON-RPC error turns down the arguments, not the message, the method, the tool or the moment.
fn is_about_arguments(code: Option<i64>, message: &str, operation: &Operation, binding: &McpBinding) -> bool {
    let lower = message.to_lowercase();
    let words: Vec<&str> = lower.split(|character: char| !character.is_alphanumeric() && character != '_').collect();
    match code {
        Some(INVALID_PARAMS) => !says_unknown_tool(message, binding),
        Some(PARSE_ERROR | INVALID_REQUEST | METHOD_NOT_FOUND) => false,
        // A code of the server's own, as MCP has one for a resource that is not found.
        Some(code) if code != INTERNAL_ERROR && says_not_there(&lower) => !says_unknown_tool(message, binding),
        // Some servers let the error through that their own check of the arguments throws.
        _ => {
            const TURNED_DOWN: [&str; 13] = [
                "invalid",
                "required",
                "expected",
                "must",
                "unrecognized",
                "too_small",
                "too_big",
                "range",
                "between",
                "least",
                "most",
                "minimum",
                "maximum",
            ];
            let is_named = |name: &String| {
                [name, binding.theirs(name)].iter().any(|name| words.contains(&name.to_lowercase().as_str()))
            };
            // An error of validation is about arguments, unless it is the server's own answer that it finds invalid.
            words.contains(&"validation") && !words.contains(&"output")
                || operation.arguments.iter().any(is_named) && words.iter().any(|word| TURNED_DOWN.contains(word))
        }
    }
}

/// Whether a message, in small letters, denies what an argument names. A session that is not there concerns the moment.
fn says_not_there(message: &str) -> bool {
    !message.contains("session")
        && ["not found", "no such", "does not exist", "unknown"].iter().any(|words| message.contains(words))
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

/// The text of an answer that is text: its blocks one below the other, but for those that are JSON beside it. Without a
/// block, the only text of the structured content.
fn whole_text(result: &Value) -> Option<String> {
    let blocks = result["content"].as_array().map_or(&[][..], Vec::as_slice);
    let text_of = |block: &'_ Value| match block["type"].as_str() {
        Some("text") => block["text"].as_str().map(str::to_owned),
        Some("resource") => block["resource"]["text"].as_str().map(str::to_owned),
        _ => None,
    };
    let texts: Vec<String> = blocks.iter().filter_map(text_of).collect();
    let mut outlines = texts.iter().filter(|text| !is_json(text));
    let Some(first) = outlines.next() else {
        return texts.into_iter().next().or_else(|| only_text(&result["structuredContent"]).map(str::to_owned));
    };
    Some(outlines.fold(first.clone(), |above, text| {
        let gap = if above.is_empty() || above.ends_with('\n') { "" } else { "\n" };
        above + gap + text
    }))
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '"']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The text in an object that holds nothing else.
fn only_text(value: &Value) -> Option<&str> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    object.values().next()?.as_str()
}

/// The start of a value, for a message.
pub(crate) fn start(value: &Value) -> String {
    inert::short(&value.to_string(), 200)
}
