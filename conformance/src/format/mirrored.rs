//! The annotation `x-mcp-header`, by which arguments of a tool are mirrored in headers (MCP 2026-07-28, server/tools).

use crate::text::pointer::escaped;
use serde_json::Value;
use std::collections::BTreeSet;

/// The annotation of such an argument in a schema.
pub(crate) const ANNOTATION: &str = "x-mcp-header";

/// What is wrong with the annotations of an input schema, each with its place.
pub(crate) fn look(schema: &Value) -> Vec<(String, String)> {
    let mut found = Found::default();
    found.look(schema, "", true);
    found.wrong
}

/// What a schema says of its values that makes them other than integers, texts and truth values. A value that may be null too has no
/// header then (2026-07-28, streamable-http, Server Behavior for Custom Headers); one that other keywords describe may be any of them.
fn other_kind(schema: &Value) -> Option<String> {
    const DESCRIBED: [&str; 8] = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "enum"];
    let is_primitive = |name: &Value| matches!(name.as_str(), Some("integer" | "string" | "boolean"));
    match &schema["type"] {
        Value::Array(types) if types.iter().any(is_primitive) => {
            let other = types.iter().find(|name| !is_primitive(name) && **name != "null")?;
            Some(format!("the type {other}"))
        }
        Value::Null => {
            let listed = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
            let is_described =
                schema.get("const").is_some() || DESCRIBED.iter().any(|name| schema.get(*name).is_some());
            let is_other = |value: &&Value| value.is_array() || value.is_object() || value.is_f64() && !is_whole(value);
            match listed.into_iter().find(is_other) {
                Some(value) => Some(format!("its own, {value}")),
                None => (!is_described).then(|| "any type".to_owned()),
            }
        }
        name => (!is_primitive(name)).then(|| format!("the type {name}")),
    }
}

/// A number without a fraction, also where it is written with one: 42.0 is an integer of JSON Schema.
pub(crate) fn is_whole(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// What was found in a schema.
#[derive(Default)]
struct Found {
    names: BTreeSet<String>,
    /// The places of what is wrong, and why.
    wrong: Vec<(String, String)>,
}

impl Found {
    /// Looks at a schema and what is in it. `is_reachable` says whether only `properties` lead to it.
    fn look(&mut self, schema: &Value, place: &str, is_reachable: bool) {
        let annotation = schema.get(ANNOTATION);
        if let Some(why) = annotation.and_then(|name| self.fault(name, schema, is_reachable && !place.is_empty())) {
            self.wrong.push((place.to_owned(), why));
        }
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            match (keyword.as_str(), value) {
                // What stands there is data, and no schema.
                ("const" | "enum" | "default" | "examples", _) => {}
                ("properties", Value::Object(properties)) => {
                    for (name, property) in properties {
                        self.look(property, &format!("{place}/properties/{}", escaped(name)), is_reachable);
                    }
                }
                ("$defs" | "definitions" | "patternProperties" | "dependentSchemas", Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        self.look(schema, &format!("{place}/{keyword}/{}", escaped(name)), false);
                    }
                }
                (_, Value::Object(_)) => self.look(value, &format!("{place}/{}", escaped(keyword)), false),
                (_, Value::Array(schemas)) => {
                    for (at, schema) in schemas.iter().enumerate() {
                        self.look(schema, &format!("{place}/{}/{at}", escaped(keyword)), false);
                    }
                }
                _ => {}
            }
        }
    }

    fn fault(&mut self, name: &Value, schema: &Value, is_reachable: bool) -> Option<String> {
        let is_token = |text: &str| {
            let is_of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            !text.is_empty() && text.bytes().all(is_of_token)
        };
        let Some(text) = name.as_str().filter(|text| is_token(text)) else {
            return Some(format!("`{ANNOTATION}` is {name}, which is not a header name"));
        };
        if !is_reachable {
            return Some(format!("`{ANNOTATION}` is {name} at a value that not only `properties` lead to"));
        }
        if let Some(other) = other_kind(schema) {
            return Some(format!(
                "`{ANNOTATION}` is {name} at a value of {other}; a header has an integer, a string or a boolean"
            ));
        }
        (!self.names.insert(text.to_ascii_lowercase())).then(|| format!("two arguments are mirrored as {name}"))
    }
}
