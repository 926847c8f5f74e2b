//! What an advertised schema says, whichever way it is written.
//!
//! Local references are followed, and words for people are passed over. Nothing is ever fetched.

use super::{Input, Ruling, equal, short};
use crate::model::Detail;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::ptr;

/// Nested deeper than anything that a person would read.
const DEEPEST: usize = 200;
/// More comparisons than two schemas need that were written to describe something.
const MOST_STEPS: usize = 20_000;
/// Keywords that say nothing of a value.
const WORDS: &[&str] =
    &["title", "description", "examples", "$comment", "$schema", "$id", "$defs", "definitions", "$anchor"];
/// Keywords whose lists have no order.
const SETS: &[&str] = &["required", "enum", "type", "allOf", "anyOf", "oneOf"];

/// Paths into a schema: the names of properties, `*` for the entries of a list, and slashes between them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fields {
    fields: Vec<String>,
    /// The paths begin at the first schema that has a property of this name, wherever it is.
    from: Option<String>,
}

/// Each listed field has a place in the schema.
pub(super) fn advertises(args: &Fields, input: &Input<'_, '_>) -> Ruling {
    let Some(schema) = input.one("value").filter(|node| !node.value.is_null()) else {
        return Ruling::skip("no schema is advertised");
    };
    let start = match &args.from {
        Some(name) => with_property(schema.value, name),
        None => Some(schema.value),
    };
    let missing = args.fields.iter().filter(|field| {
        let mut parts: Vec<&Value> = start.into_iter().collect();
        for name in field.split('/') {
            parts = parts.into_iter().flat_map(|part| below(schema.value, part, name)).collect();
        }
        parts.is_empty()
    });
    let details = missing.map(|field| {
        Detail { expected: Some(field.as_str().into()), ..Detail::new("is not advertised") }.at(&schema.pointer)
    });
    Ruling::of(args.fields.len(), details.collect())
}

/// The schema nearest to the root that has a property of this name.
fn with_property<'s>(root: &'s Value, name: &str) -> Option<&'s Value> {
    let (mut seen, mut level) = (HashSet::new(), vec![root]);
    while !level.is_empty() {
        level.retain(|schema| seen.insert(address(schema)));
        if let Some(schema) = level.iter().find(|schema| !below(root, schema, name).is_empty()) {
            return Some(schema);
        }
        let parts = level.iter().flat_map(|schema| alternatives(root, schema));
        level = parts
            .flat_map(|part| {
                let properties = part.get("properties").and_then(Value::as_object);
                part.get("items").into_iter().chain(properties.into_iter().flat_map(Map::values))
            })
            .collect();
    }
    None
}

/// The schemas of a property, or of the entries of a list.
fn below<'s>(root: &'s Value, schema: &'s Value, name: &str) -> Vec<&'s Value> {
    let mut found = Vec::new();
    for part in alternatives(root, schema) {
        let next = match name {
            "*" => part.get("items"),
            _ => part.get("properties").and_then(|properties| properties.get(name)),
        };
        found.extend(next);
    }
    found
}

/// The schema and all that it is put together from.
fn alternatives<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    let mut seen = HashSet::new();
    let (mut found, mut ahead) = (Vec::new(), vec![schema]);
    while let Some(part) = ahead.pop() {
        if !seen.insert(address(part)) {
            continue;
        }
        found.push(part);
        ahead.extend(part.get("$ref").and_then(Value::as_str).and_then(|reference| local(root, reference)));
        let lists = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|name| part.get(name)?.as_array());
        ahead.extend(lists.flatten());
    }
    found
}

/// Two schemas say the same of a value.
pub(super) fn same_schema(input: &Input<'_, '_>) -> Ruling {
    let (Some(left), Some(right)) = (input.one("left"), input.one("right")) else {
        return Ruling::skip("no schemas to compare");
    };
    if left.value.is_null() && right.value.is_null() {
        return Ruling::skip("no schemas to compare");
    }
    let mut pair = Pair { left: left.value, right: right.value, assumed: HashSet::new(), steps: 0 };
    match pair.differ(left.value, right.value, "", 0) {
        None => Ruling::pass(1),
        Some(Difference::At(place)) => Ruling::fail(
            Detail::new(format!("the schemas differ at {}", short(format!("#{place}")))).at(&right.pointer),
        ),
        Some(Difference::TooMuch) => {
            Ruling::incomplete(Detail::new("the schemas are too large to be compared").at(&right.pointer))
        }
    }
}

enum Difference {
    At(String),
    TooMuch,
}

struct Pair<'s> {
    left: &'s Value,
    right: &'s Value,
    /// Pairs that are being compared: schemas that refer to themselves are the same as long as nothing differs.
    assumed: HashSet<(usize, usize)>,
    steps: usize,
}

impl<'s> Pair<'s> {
    /// Where two schemas differ.
    fn differ(&mut self, left: &'s Value, right: &'s Value, place: &str, depth: usize) -> Option<Difference> {
        self.steps += 1;
        if depth > DEEPEST || self.steps > MOST_STEPS {
            return Some(Difference::TooMuch);
        }
        let (left, right) = (resolved(self.left, left), resolved(self.right, right));
        let (Value::Object(left_words), Value::Object(right_words)) = (left, right) else {
            return (!equal(left, right)).then(|| Difference::At(place.to_owned()));
        };
        if !self.assumed.insert((address(left), address(right))) {
            return None;
        }
        let said = |words: &'s Map<String, Value>| words.iter().filter(|(name, _)| !WORDS.contains(&name.as_str()));
        let lacking = said(right_words).find(|(name, _)| !left_words.contains_key(name.as_str()));
        if let Some((name, _)) = lacking {
            return Some(Difference::At(format!("{place}/{name}")));
        }
        said(left_words).find_map(|(name, left)| {
            let place = format!("{place}/{name}");
            match right_words.get(name) {
                Some(right) => self.keyword(name, left, right, &place, depth),
                None => Some(Difference::At(place)),
            }
        })
    }

    fn keyword(
        &mut self,
        name: &str,
        left: &'s Value,
        right: &'s Value,
        place: &str,
        depth: usize,
    ) -> Option<Difference> {
        let differs = || Some(Difference::At(place.to_owned()));
        match (left, right) {
            // Named schemas: the names are no keywords.
            (Value::Object(left), Value::Object(right)) if NAMED.contains(&name) => {
                if left.len() != right.len() {
                    return differs();
                }
                left.iter().find_map(|(name, left)| match right.get(name) {
                    Some(right) => self.differ(left, right, &format!("{place}/{name}"), depth + 1),
                    None => Some(Difference::At(format!("{place}/{name}"))),
                })
            }
            (Value::Array(left), Value::Array(right)) if SETS.contains(&name) => {
                let found = |left: &'s Value, pair: &mut Self| {
                    let known = pair.assumed.clone();
                    right.iter().any(|right| {
                        let same = pair.differ(left, right, place, depth + 1).is_none();
                        if !same {
                            pair.assumed.clone_from(&known);
                        }
                        same
                    })
                };
                let same = left.len() == right.len() && left.iter().all(|left| found(left, self));
                match same {
                    true => None,
                    false if self.steps > MOST_STEPS => Some(Difference::TooMuch),
                    false => differs(),
                }
            }
            (Value::Array(left), Value::Array(right)) => {
                if left.len() != right.len() {
                    return differs();
                }
                left.iter().zip(right).find_map(|(left, right)| self.differ(left, right, place, depth + 1))
            }
            _ => self.differ(left, right, place, depth + 1),
        }
    }
}

/// Keywords that hold schemas by name.
const NAMED: &[&str] = &["properties", "patternProperties", "dependentSchemas", "dependentRequired"];

/// What a schema that is nothing but a reference refers to.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let mut schema = schema;
    let mut seen = HashSet::new();
    while let Some(reference) = only_reference(schema) {
        match local(root, reference) {
            Some(target) if seen.insert(address(target)) => schema = target,
            _ => break,
        }
    }
    schema
}

fn only_reference(schema: &Value) -> Option<&str> {
    let words = schema.as_object()?;
    let alone = words.keys().all(|name| name == "$ref" || WORDS.contains(&name.as_str()));
    words.get("$ref").filter(|_| alone)?.as_str()
}

fn local<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(reference.strip_prefix('#')?)
}

fn address(value: &Value) -> usize {
    ptr::from_ref(value).addr()
}
