//! Values that a schema allows, and values near them: where witnesses are looked for. What is made here proves nothing by
//! itself; both sides judge it.

use regex::Regex;
use serde_json::{Map, Value, json};

/// Texts to try where a pattern is due.
const TEXTS: [&str; 10] =
    ["x", "X", "1", "/x", "#x", "x-1", "2024-02-29", "2024-02-29T12:00:00Z", "https://example.org/", "x@example.org"];

/// So many references are followed into one another.
const DEPTH: usize = 8;

/// A value that fits a schema of a bundle, as far as can be told without solving it: with every member, or with those alone
/// that are due.
pub(super) fn whole(bundle: &Value, with_every_member: bool) -> Vec<Value> {
    Maker { bundle, full: with_every_member }.values(bundle, 0)
}

/// Values to try in one place: what its schema allows, what lies at its bounds, and one of each type.
pub(super) fn near(schema: &Value) -> Vec<Value> {
    let mut values = Maker { bundle: schema, full: false }.values(schema, 0);
    bounds(schema, &mut values);
    values.extend([
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(0.5),
        json!(""),
        json!(" "),
        json!(" text"),
        json!("text "),
        json!("two words"),
        json!("TEXT"),
        json!("7"),
        json!("ä"),
        json!("text"),
        json!("2024-02-29T12:00:00Z"),
        json!([]),
        json!({}),
        json!(["text"]),
        json!([1]),
    ]);
    let mut tried: Vec<Value> = Vec::new();
    for value in values {
        if !tried.contains(&value) {
            tried.push(value);
        }
    }
    tried
}

/// What stands in `enum` and `const`, and values at and right beside every bound, however deep.
fn bounds(schema: &Value, to: &mut Vec<Value>) {
    let Some(members) = schema.as_object() else {
        schema.as_array().into_iter().flatten().for_each(|part| bounds(part, to));
        return;
    };
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("enum", Value::Array(values)) => to.extend(values.iter().cloned()),
            ("const", value) => to.push(value.clone()),
            ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf", Value::Number(bound)) => {
                if let Some(bound) = bound.as_i64() {
                    to.extend([bound - 1, bound, bound + 1].map(Value::from));
                    to.push(json!(bound as f64 + 0.5));
                    to.push(json!(bound as f64 + 0.5));
                } else if let Some(bound) = bound.as_f64() {
                    to.extend([bound - 0.5, bound, bound + 0.5].map(Value::from));
                }
            }
            ("minLength" | "maxLength", Value::Number(length)) => {
                let length = length.as_u64().map_or(0, |length| length.min(10_000) as usize);
                to.extend([length.saturating_sub(1), length, length + 1].map(|length| json!("x".repeat(length))));
            }
            ("minItems" | "maxItems", Value::Number(length)) => {
                let length = length.as_u64().map_or(0, |length| length.min(1_000) as usize);
                to.extend([length.saturating_sub(1), length, length + 1].map(|length| json!(vec!["x"; length])));
            }
            _ => bounds(value, to),
        }
    }
}

/// Lengths of lists at the bounds of a schema, and right beside them.
pub(super) fn lengths(schema: &Value) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut ahead = vec![schema];
    while let Some(schema) = ahead.pop() {
        for keyword in ["minItems", "maxItems"] {
            let bound = schema.get(keyword).and_then(Value::as_u64).filter(|bound| *bound < 1_000);
            lengths.extend(bound.into_iter().flat_map(|bound| [bound.saturating_sub(1), bound, bound + 1]));
        }
        ahead.extend(schema.as_object().into_iter().flat_map(Map::values));
        ahead.extend(schema.as_array().into_iter().flatten());
    }
    lengths.into_iter().map(|length| length as usize).collect()
}

struct Maker<'b> {
    bundle: &'b Value,
    full: bool,
}

impl Maker<'_> {
    /// The alternatives of a schema, a value for each.
    fn values(&self, schema: &Value, depth: usize) -> Vec<Value> {
        let Some(members) = schema.as_object().filter(|_| depth < DEPTH) else { return Vec::new() };
        if let Some(value) = members.get("const") {
            return vec![value.clone()];
        }
        if let Some(values) = members.get("enum").and_then(Value::as_array) {
            return values.clone();
        }
        // Members may come from anywhere that the schema is put together of.
        let mut parts: Vec<&Value> = Vec::new();
        if let Some(target) = members.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#')) {
            parts.extend(self.bundle.pointer(target));
        }
        parts.extend(members.get("allOf").and_then(Value::as_array).into_iter().flatten());
        let alternatives: Vec<&Value> = ["anyOf", "oneOf"]
            .iter()
            .flat_map(|keyword| members.get(*keyword).and_then(Value::as_array).into_iter().flatten())
            .collect();
        let mut values = vec![self.own(members, depth)];
        for part in parts {
            let inside = self.values(part, depth + 1);
            values = joined(&values, &inside);
        }
        if !alternatives.is_empty() {
            let mut inside: Vec<Value> = alternatives.iter().flat_map(|part| self.values(part, depth + 1)).collect();
            // What is of several alternatives at once: some take no such value.
            let objects = inside.iter().filter_map(Value::as_object);
            let both = objects.fold(Map::new(), |mut both, one| {
                both.extend(one.clone());
                both
            });
            if !both.is_empty() {
                inside.push(Value::Object(both));
            }
            values = joined(&values, &inside);
        }
        values.into_iter().flatten().collect()
    }

    /// What the keywords of a schema say by themselves; nothing where they leave the type to others.
    fn own(&self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let named = match schema.get("type") {
            Some(Value::String(one)) => Some(one.as_str()),
            Some(Value::Array(some)) => some.iter().find_map(Value::as_str),
            _ => None,
        };
        let implied = || match schema {
            _ if schema.contains_key("properties") || schema.contains_key("required") => Some("object"),
            _ if schema.contains_key("items") || schema.contains_key("minItems") => Some("array"),
            _ if schema.contains_key("minimum") || schema.contains_key("maximum") => Some("integer"),
            _ if schema.contains_key("minLength") || schema.contains_key("format") => Some("string"),
            _ => None,
        };
        let size =
            |keyword: &str| schema.get(keyword).and_then(Value::as_u64).map_or(0, |size| size.min(1_000)) as usize;
        match named.or_else(implied)? {
            "object" => Some(Value::Object(self.object(schema, depth))),
            "array" => {
                let mut elements = schema.get("items").map_or_else(Vec::new, |items| self.values(items, depth + 1));
                elements
                    .truncate(schema.get("maxItems").and_then(Value::as_u64).map_or(6, |most| most.min(6)) as usize);
                let first = elements.first().cloned().unwrap_or(json!("x"));
                elements.truncate(if self.full { 6 } else { 0 });
                while elements.len() < size("minItems") {
                    elements.push(first.clone());
                }
                Some(Value::Array(elements))
            }
            "string" => Some(match schema.get("format").and_then(Value::as_str) {
                Some("date-time") => json!("2024-02-29T12:00:00Z"),
                Some("date") => json!("2024-02-29"),
                Some("uri" | "iri") => json!("https://example.org/"),
                _ => match schema.get("pattern").and_then(Value::as_str).and_then(|pattern| Regex::new(pattern).ok()) {
                    Some(pattern) => json!(TEXTS.iter().find(|text| pattern.is_match(text)).unwrap_or(&"x")),
                    None => json!("x".repeat(size("minLength").max(1))),
                },
            }),
            "integer" | "number" => {
                let least = ["minimum", "exclusiveMinimum"].iter().find_map(|keyword| schema.get(*keyword));
                let most = ["maximum", "exclusiveMaximum"].iter().find_map(|keyword| schema.get(*keyword));
                let step = i64::from(schema.contains_key("exclusiveMinimum"));
                let whole = least.map(|least| least.as_f64().unwrap_or(0.0).ceil() as i64 + step);
                Some(json!(whole.or_else(|| Some(most?.as_f64()?.floor() as i64 - 1)).unwrap_or(1)))
            }
            "boolean" => Some(json!(true)),
            _ => Some(json!(null)),
        }
    }

    fn object(&self, schema: &Map<String, Value>, depth: usize) -> Map<String, Value> {
        let due: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut object = Map::new();
        for (name, inside) in properties.into_iter().flatten() {
            if (self.full || due.contains(&name.as_str()))
                && let Some(value) = self.values(inside, depth + 1).into_iter().next()
            {
                object.insert(name.clone(), value);
            }
        }
        for name in due {
            object.entry(name).or_insert_with(|| json!("x"));
        }
        object
    }
}

/// Every value of the one with every value of the other: members of objects together, else the one that says more.
fn joined(ones: &[Option<Value>], others: &[Value]) -> Vec<Option<Value>> {
    if others.is_empty() {
        return ones.to_vec();
    }
    let pairs = ones.iter().flat_map(|one| others.iter().map(move |other| (one, other))).take(64);
    pairs
        .map(|pair| match pair {
            (Some(Value::Object(one)), Value::Object(other)) => {
                let mut both = other.clone();
                both.extend(one.iter().map(|(name, value)| (name.clone(), value.clone())));
                Some(Value::Object(both))
            }
            (_, other) => Some(other.clone()),
        })
        .collect()
}
