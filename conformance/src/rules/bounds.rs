//! What it would take to judge a value by a schema that somebody else wrote, found out before it is done.
//!
//! A schema may refer to itself without end, or double its work with every line. So its steps are counted first: how many
//! times a part of the schema would be laid on a part of the value. Parts that were counted already are not walked again, so
//! that counting stays quick where judging would not be.

use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::collections::HashMap;
use std::ptr;

/// More steps than any schema needs that was written to describe something.
const MOST_STEPS: u64 = 1_000_000;
/// Nested deeper than anything that a person would read.
const DEEPEST: usize = 500;
/// More objects than a schema has that was written to describe something.
const MOST_OBJECTS: usize = 10_000;
/// What a pattern takes, in steps.
const PATTERN: u64 = 10;

/// Why a value is not judged by a schema.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unbounded {
    /// A part of the schema is laid on the same value again before it is done with it.
    #[error("the schema refers to itself without end")]
    Endless,
    /// It ends, but nobody would wait for it.
    #[error("{0}")]
    TooMuch(&'static str),
}

/// Keywords that hold one schema for the same value.
const SAME: &[&str] = &["not", "if", "then", "else"];
/// Keywords that hold a list of schemas for the same value.
const SAME_LISTS: &[&str] = &["allOf", "anyOf", "oneOf"];
/// Keywords that hold schemas for the same value by name.
const SAME_MAPS: &[&str] = &["dependentSchemas", "dependencies"];
/// Keywords that refer to a schema for the same value.
const REFERENCES: &[&str] = &["$ref", "$dynamicRef", "$recursiveRef"];
/// Keywords that hold one schema for every entry of a list.
const ENTRIES: &[&str] = &["items", "additionalItems", "unevaluatedItems", "contains"];
/// Keywords that hold one schema for every member of an object.
const MEMBERS: &[&str] = &["additionalProperties", "unevaluatedProperties"];

/// Keywords without which the work grows no faster than the schema and the value.
const DEAR: &[&str] = &[
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "unevaluatedProperties",
    "unevaluatedItems",
    "pattern",
    "patternProperties",
    "propertyNames",
];

/// What a schema takes with any value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cost {
    /// No more than the schema and the value are large.
    Small,
    /// It depends on the value.
    OfEachValue,
}

/// What it takes to use a schema, or why it cannot be used. Each part is counted by itself, since all of them are compiled.
pub(super) fn cost(schema: &Value) -> Result<Cost, Unbounded> {
    if !is_dear(schema) {
        return Ok(Cost::Small);
    }
    let index = Index::of(schema);
    if index.objects.len() > MOST_OBJECTS {
        return Err(Unbounded::TooMuch("the schema is too large"));
    }
    let mut walk = Walk { index: &index, counted: HashMap::new() };
    for part in &index.objects {
        walk.steps(part, None, 0)?;
    }
    Ok(Cost::OfEachValue)
}

/// Says why a value cannot be judged by a schema of this cost; nothing when it can.
pub(super) fn unbounded(schema: &Value, cost: Cost, value: &Value) -> Result<(), Unbounded> {
    match cost {
        Cost::Small => Ok(()),
        Cost::OfEachValue => {
            let index = Index::of(schema);
            Walk { index: &index, counted: HashMap::new() }.steps(schema, Some(value), 0).map(drop)
        }
    }
}

/// Whether a dear keyword stands anywhere.
fn is_dear(part: &Value) -> bool {
    DEAR.iter().any(|name| part.get(name).is_some()) || children(part).into_iter().any(is_dear)
}

/// The objects of a schema, and what they can be referred to by.
struct Index<'s> {
    objects: Vec<&'s Value>,
    /// The resource that each object belongs to.
    home: HashMap<usize, &'s Value>,
    anchors: HashMap<&'s str, Vec<&'s Value>>,
    /// Resources by the last part of their id.
    ids: HashMap<&'s str, Vec<&'s Value>>,
}

impl<'s> Index<'s> {
    fn of(schema: &'s Value) -> Self {
        let mut index =
            Self { objects: Vec::new(), home: HashMap::new(), anchors: HashMap::new(), ids: HashMap::new() };
        index.add(schema, schema);
        index
    }

    fn add(&mut self, part: &'s Value, home: &'s Value) {
        let mut home = home;
        if part.is_object() {
            if let Some(id) = part["$id"].as_str() {
                home = part;
                self.ids.entry(last_part(id)).or_default().push(part);
            }
            for anchor in ["$anchor", "$dynamicAnchor"].into_iter().filter_map(|name| part[name].as_str()) {
                self.anchors.entry(anchor).or_default().push(part);
            }
            self.home.insert(address(part), home);
            self.objects.push(part);
        }
        for below in children(part) {
            self.add(below, home);
        }
    }

    /// The schemas that a reference may lead to. Where the base is not clear there may be several; none for what is not here.
    fn targets(&self, reference: &str, from: &'s Value) -> Vec<&'s Value> {
        let (id, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let roots: Vec<&Value> = match id {
            "" => self.home.get(&address(from)).copied().into_iter().collect(),
            _ => self.ids.get(last_part(id)).cloned().unwrap_or_default(),
        };
        match fragment {
            "" => roots,
            _ if fragment.starts_with('/') => {
                let pointer = percent_decode_str(fragment).decode_utf8_lossy();
                roots.into_iter().filter_map(|root| root.pointer(&pointer)).collect()
            }
            _ => self.anchors.get(fragment).cloned().unwrap_or_default(),
        }
    }
}

/// Counts steps, each pair of a schema and a value once.
struct Walk<'i, 's> {
    index: &'i Index<'s>,
    /// The steps of a pair; nothing while it is being counted.
    counted: HashMap<(usize, usize), Option<u64>>,
}

impl<'s> Walk<'_, 's> {
    /// The steps of a schema on a value; without one, of all that it lays on the same value.
    fn steps(&mut self, schema: &'s Value, value: Option<&'s Value>, depth: usize) -> Result<u64, Unbounded> {
        let Value::Object(keywords) = schema else {
            return Ok(1);
        };
        let pair = (address(schema), value.map_or(0, address));
        match self.counted.get(&pair) {
            Some(Some(steps)) => return Ok(*steps),
            Some(None) => return Err(Unbounded::Endless),
            None if depth > DEEPEST => return Err(Unbounded::TooMuch("the schema refers on and on")),
            None => self.counted.insert(pair, None),
        };
        let mut steps = 1;
        for below in self.on_the_same(schema) {
            steps += self.steps(below, value, depth + 1)?;
        }
        // What is unevaluated is found by looking at the rest once more.
        if ["unevaluatedProperties", "unevaluatedItems"].iter().any(|name| keywords.contains_key(*name)) {
            steps = steps.saturating_mul(2);
        }
        if keywords.contains_key("pattern") {
            steps += PATTERN;
        }
        match value {
            Some(Value::Array(entries)) => steps += self.on_entries(schema, entries, depth)?,
            Some(Value::Object(members)) => {
                for (name, member) in members {
                    steps += self.on_member(schema, name, member, depth)?;
                }
            }
            _ => {}
        }
        if steps > MOST_STEPS {
            return Err(Unbounded::TooMuch("it would take more than a million steps"));
        }
        self.counted.insert(pair, Some(steps));
        Ok(steps)
    }

    /// The schemas that are laid on the same value.
    fn on_the_same(&self, schema: &'s Value) -> Vec<&'s Value> {
        let mut all: Vec<&Value> = SAME.iter().filter_map(|name| schema.get(name)).collect();
        all.extend(SAME_LISTS.iter().filter_map(|name| schema.get(name)?.as_array()).flatten());
        all.extend(SAME_MAPS.iter().filter_map(|name| schema.get(name)?.as_object()).flat_map(|map| map.values()));
        let references = REFERENCES.iter().filter_map(|name| schema.get(name)?.as_str());
        all.extend(references.flat_map(|reference| self.index.targets(reference, schema)));
        all
    }

    fn on_entries(&mut self, schema: &'s Value, entries: &'s [Value], depth: usize) -> Result<u64, Unbounded> {
        let mut steps = 0;
        let all = ENTRIES.iter().filter_map(|name| schema.get(name)).filter(|below| !below.is_array());
        for below in all {
            for entry in entries {
                steps += self.steps(below, Some(entry), depth + 1)?;
            }
        }
        let lists = ["prefixItems", "items"].iter().filter_map(|name| schema.get(name)?.as_array());
        for (below, entry) in lists.flat_map(|list| list.iter().zip(entries)) {
            steps += self.steps(below, Some(entry), depth + 1)?;
        }
        Ok(steps)
    }

    fn on_member(&mut self, schema: &'s Value, name: &str, member: &'s Value, depth: usize) -> Result<u64, Unbounded> {
        let mut below: Vec<&Value> = Vec::new();
        let mut steps = 0;
        if let Some(patterns) = schema.get("patternProperties").and_then(Value::as_object) {
            below.extend(patterns.values());
            steps += PATTERN * patterns.len() as u64;
        }
        match schema.get("properties").and_then(|properties| properties.get(name)) {
            Some(property) => below.push(property),
            None => below.extend(MEMBERS.iter().filter_map(|name| schema.get(name))),
        }
        if let Some(names) = schema.get("propertyNames") {
            steps += self.steps(names, None, depth + 1)?;
        }
        for below in below {
            steps += self.steps(below, Some(member), depth + 1)?;
        }
        Ok(steps)
    }
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(entries) => entries.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    }
}

fn last_part(id: &str) -> &str {
    let id = id.split('#').next().unwrap_or(id);
    id.rsplit(['/', ':']).next().unwrap_or(id)
}

fn address(value: &Value) -> usize {
    ptr::from_ref(value).addr()
}
