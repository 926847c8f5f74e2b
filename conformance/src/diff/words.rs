//! Schemas in words, for people.

use super::shape::normal;
use serde_json::{Map, Value};

/// Which values a schema allows: `integer 0 to 10`, `string or null`, `"a" or "b"`. What has no short words comes as JSON.
pub fn values(schema: &Value) -> String {
    let normal = normal(schema).map_or_else(|| schema.clone(), |normal| normal.to_json_schema());
    let mut normal = match normal {
        Value::Object(members) => members,
        Value::Bool(true) => return "anything".to_owned(),
        other => return other.to_string(),
    };
    normal.remove("$schema");
    said(&normal).unwrap_or_else(|| Value::Object(normal).to_string())
}

fn said(schema: &Map<String, Value>) -> Option<String> {
    let mut left: Vec<&str> = schema.keys().map(String::as_str).collect();
    let mut take = |name: &str| {
        left.retain(|keyword| *keyword != name);
        schema.get(name)
    };
    if let Some(alternatives) = take("anyOf").and_then(Value::as_array) {
        let all = alternatives.iter().map(|one| said(one.as_object()?)).collect::<Option<Vec<String>>>()?;
        return left.is_empty().then(|| all.join(" or "));
    }
    if let Some(value) = take("const") {
        return Some(value.to_string());
    }
    if let Some(values) = take("enum").and_then(Value::as_array) {
        return Some(values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or "));
    }
    let named = match take("type") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(some)) => some.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ if schema.is_empty() => "anything".to_owned(),
        _ => return None,
    };
    let mut words = named;
    for (least, most, unit) in
        [("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " elements")]
    {
        match (take(least), take(most)) {
            (None, None) => {}
            (Some(least), None) => words += &format!(" from {least}{unit}"),
            (None, Some(most)) => words += &format!(" to {most}{unit}"),
            (Some(least), Some(most)) => words += &format!(" {least} to {most}{unit}"),
        }
    }
    if let Some(format) = take("format").and_then(Value::as_str) {
        words += &format!(" ({format})");
    }
    if let Some(pattern) = take("pattern").and_then(Value::as_str) {
        words += &format!(" matching {pattern}");
    }
    left.is_empty().then_some(words)
}
