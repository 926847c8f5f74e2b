//! What a request says in its headers too (MCP 2026-07-28, basic/transports/streamable-http, Request Metadata).

use crate::format::mirrored::{self as annotations, ANNOTATION};
use crate::model::Era;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// Where a tool has an argument mirrored, below its name.
const PARAMETER: &str = "Mcp-Param-";

/// Whether a call gives a mirrored argument a value of another type than its schema says. No header can say that, so the server may
/// call it a mismatch.
pub(super) fn is_unfit(message: &Value, tools: &[Value]) -> bool {
    let is_of = |name: &Value, value: &Value| match name.as_str() {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => annotations::is_whole(value),
        Some("null") => false,
        _ => true,
    };
    // No header says what is neither.
    let is_plain = |value: &Value| value.is_string() || value.is_boolean() || annotations::is_whole(value);
    let fits = |(property, value): (&Value, &Value)| match &property["type"] {
        Value::Array(types) => types.iter().any(|name| is_of(name, value)),
        Value::Null => is_plain(value),
        name => is_of(name, value),
    };
    let params = &message["params"];
    called(params, tools).is_some_and(|schema| !annotated(schema, &params["arguments"]).into_iter().all(fits))
}

/// The input schema of the tool that a call names, where it is listed.
fn called<'t>(params: &Value, tools: &'t [Value]) -> Option<&'t Value> {
    tools.iter().find(|tool| tool["name"] == params["name"]).map(|tool| &tool["inputSchema"])
}

/// The arguments that a schema has mirrored, each with its own schema. One that is left out or null has no header.
fn annotated<'a>(schema: &'a Value, arguments: &'a Value) -> Vec<(&'a Value, &'a Value)> {
    let mut found = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let value = &arguments[name];
        if !value.is_null() && property.get(ANNOTATION).is_some() {
            found.push((property, value));
        }
        if value.is_object() {
            found.extend(annotated(property, value));
        }
    }
    found
}

/// The headers of a message in an era: of a legacy one, its revision alone.
///
/// `tools` are those that the server lists, whose schemas say which arguments are mirrored.
pub(crate) fn headers(era: Era, revision: Option<&str>, message: &Value, tools: &[Value]) -> Map<String, Value> {
    let mut headers = Map::new();
    let mut add = |name: &str, value: String| _ = headers.insert(name.to_owned(), value.into());
    if let Some(revision) = revision {
        add("MCP-Protocol-Version", revision.to_owned());
    }
    let method = message["method"].as_str().filter(|_| era == Era::Modern);
    if let Some(method) = method {
        add("Mcp-Method", method.to_owned());
    }
    let tool = message["params"]["name"].as_str().filter(|_| method == Some("tools/call"));
    if let Some(tool) = tool {
        add("Mcp-Name", encoded(tool));
        // A tool with an annotation that is not valid is called without any: nobody could mirror its arguments as it means.
        let is_valid = |schema: &&Value| annotations::look(schema).is_empty();
        let schema = called(&message["params"], tools).filter(is_valid).unwrap_or(&Value::Null);
        for (name, value) in mirrored(schema, &message["params"]["arguments"]) {
            add(&format!("{PARAMETER}{name}"), encoded(&value));
        }
    }
    headers
}

/// The headers of the arguments that a schema has mirrored: the name of each, and its value as text. One of a type that may not be
/// mirrored has none.
fn mirrored(schema: &Value, arguments: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(truth) => Some(truth.to_string()),
        other => other.as_f64().filter(|_| annotations::is_whole(other)).map(|number| format!("{number:.0}")),
    };
    let header = |(property, value): (&Value, &Value)| Some((property[ANNOTATION].as_str()?.to_owned(), text(value)?));
    annotated(schema, arguments).into_iter().filter_map(header).collect()
}

/// A value as a header has it: in Base64 where it is not plain, or could be taken for that.
fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'))
        && text.trim_matches([' ', '\t']) == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if is_plain { text.to_owned() } else { in_base64(text) }
}

/// A value in the form for what is not plain.
pub(super) fn in_base64(text: &str) -> String {
    format!("=?base64?{}?=", STANDARD.encode(text))
}

/// Whether a header mirrors an argument of a tool.
pub(super) fn is_of_argument(header: &str) -> bool {
    header.starts_with(PARAMETER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case::plain("us-west1", "us-west1")]
    #[case::not_ascii("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?=")]
    #[case::padded(" padded ", "=?base64?IHBhZGRlZCA=?=")]
    #[case::two_lines("line1\nline2", "=?base64?bGluZTEKbGluZTI=?=")]
    #[case::like_an_encoded_one("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=")]
    fn a_value_is_encoded_as_the_specification_shows(#[case] value: &str, #[case] expected: &str) {
        assert_eq!(encoded(value), expected);
    }

    #[test]
    fn annotated_arguments_are_mirrored_at_their_own_place_alone() {
        let schema = json!({ "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "top": { "type": "integer", "x-mcp-header": "Top" },
            "absent": { "type": "string", "x-mcp-header": "Absent" },
            "nothing": { "type": "string", "x-mcp-header": "Nothing" },
            "inner": { "type": "object", "properties": { "deep": { "type": "boolean", "x-mcp-header": "Deep" } } },
            "query": { "type": "string" },
        } });
        let arguments =
            json!({ "region": "eu", "top": 42.0, "nothing": null, "inner": { "deep": true }, "query": "q" });
        let tools = [json!({ "name": "search", "inputSchema": schema })];
        let message = json!({ "method": "tools/call", "params": { "name": "search", "arguments": arguments } });
        let headers = headers(Era::Modern, Some("2026-07-28"), &message, &tools);
        let expected = json!({
            "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search",
            "Mcp-Param-Region": "eu", "Mcp-Param-Top": "42", "Mcp-Param-Deep": "true",
        });
        assert_eq!(Value::from(headers), expected);
    }
}
