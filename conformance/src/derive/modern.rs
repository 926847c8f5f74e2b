//! What MCP 2026-07-28 has a result say of itself, and what a result that is not the answer comes to.

use crate::format::codes::{HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION};
use crate::format::declared::{Declared, undeclared};
use crate::format::mirrored;
use crate::model::{Era, Failure, Otherwise, Problem, Request};
use serde_json::Value;

/// Whether a value of a call cannot be mirrored in its header, so that the server may call that a mismatch.
pub(super) fn is_unfit(sent: &Value) -> bool {
    sent["unfit"] == true
}

/// What is wrong with the answer to a modern request beside its schema.
pub(super) fn problems(request: &Request, sent: &Value, answer: &Value) -> Vec<Problem> {
    if !Era::Modern.is_of(sent) {
        return Vec::new();
    }
    let client = Declared::with(&sent["message"], &Value::Null);
    let mut problems = Vec::new();
    let is_call = sent["message"]["method"] == "tools/call";
    if let Some(result) = answer.get("result") {
        problems.extend(of_result(result, is_call, &client));
    }
    let pages = answer["pages"].as_array().into_iter().flatten();
    for result in pages.chain(answer["discover"].get("result")).chain(answer["instead"].get("result")) {
        problems.extend(of_result(result, false, &client));
    }
    let is_odd = request.with.contains_key(Otherwise::ARGUMENT) || is_unfit(sent);
    let tools = answer["body"]["tools"].as_array().into_iter().flatten().filter(|_| !is_call);
    for tool in tools {
        let wrong =
            |(_, why): (String, String)| Problem::of("header-annotation", format!("the tool {}: {why}", tool["name"]));
        problems.extend(mirrored::look(&tool["inputSchema"]).into_iter().map(wrong));
    }
    let code = answer["error"]["code"].as_i64().filter(|_| !is_odd);
    if let Some(code @ (HEADER_MISMATCH | UNSUPPORTED_VERSION)) = code {
        let said = match code {
            HEADER_MISMATCH => "that the headers do not match the body, and they do",
            _ => "that the version is not supported, which the server had agreed to",
        };
        problems.push(Problem::of("error-code", format!("the error {code} says {said}")));
    }
    problems
}

fn of_result(result: &Value, is_call: bool, client: &Declared) -> Vec<Problem> {
    let mut problems = Vec::new();
    match result.get("resultType") {
        None => problems.push(Problem::of("result-type", "the result has no `resultType`".to_owned())),
        Some(Value::String(kind)) if kind == "complete" => {}
        Some(Value::String(kind)) if kind == "input_required" => problems.extend(of_input(result, is_call, client)),
        Some(Value::String(_)) if client.has_extensions() => {}
        Some(other) => {
            problems.push(Problem::of(
                "result-type",
                format!("the `resultType` is {other}, and the client knows complete and input_required"),
            ));
        }
    }
    problems
}

/// What is wrong with a result that asks for input.
fn of_input(result: &Value, is_call: bool, client: &Declared) -> Vec<Problem> {
    let wrong = |what: &str| Problem::of("input-required", what.to_owned());
    let mut problems = Vec::new();
    if !is_call {
        problems.push(wrong("the result asks for input, which only the answer to a call may"));
    }
    let inputs = &result["inputRequests"];
    if inputs.is_null() && result["requestState"].is_null() {
        problems.push(wrong("the result asks for input and has neither `inputRequests` nor `requestState`"));
    }
    if !inputs.is_null() && !inputs.is_object() {
        problems.push(wrong("the `inputRequests` are no object that maps names to requests"));
    }
    if !result["requestState"].is_null() && !result["requestState"].is_string() {
        problems.push(wrong("the `requestState` is not text"));
    }
    for (_, input) in inputs.as_object().into_iter().flatten() {
        match input["method"].as_str().filter(|method| Declared::KNOWN.contains(method)) {
            Some(method) if client.has(method) => {}
            Some(method) => problems.push(undeclared(method)),
            None => {
                let known = Declared::KNOWN.join(", ");
                problems.push(wrong(&format!("the result asks for {}, and may ask for {known}", input["method"])));
            }
        }
    }
    problems
}

/// Why an answer to a call is one of the protocol alone: it asks for more than the client can give, or refuses how it was asked.
pub(super) fn of_protocol(sent: &Value, result: &Value, error: &Value) -> Option<Failure> {
    if !Era::Modern.is_of(sent) {
        return None;
    }
    match error["code"].as_i64() {
        Some(MISSING_CAPABILITY) => {
            let what = format!("the server needs a capability of the client: {}", error["message"]);
            return Some(Failure::OfProtocol(what));
        }
        Some(code @ (HEADER_MISMATCH | UNSUPPORTED_VERSION)) => {
            let what = format!("the error {code}, which speaks of the protocol: {}", error["message"]);
            return Some(Failure::OfProtocol(what));
        }
        _ => {}
    }
    match result["resultType"].as_str()? {
        "complete" => None,
        "input_required" => {
            let inputs = result["inputRequests"].as_object().into_iter().flatten();
            let methods: Vec<&str> = inputs.filter_map(|(_, input)| input["method"].as_str()).collect();
            let what = if methods.is_empty() { String::new() } else { format!(": {}", methods.join(", ")) };
            Some(Failure::OfProtocol(format!("the server asks for input{what}")))
        }
        other => Some(Failure::OfProtocol(format!("the server answers by a result of the type `{other}`"))),
    }
}
