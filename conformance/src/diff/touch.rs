//! Which places of two schemas belong together, and in what they differ; and what of a case or a check can differ.

use super::change::{Change, sorted};
use super::shape::{Field, Rewrite, as_it_is, normal, rewritten};
use crate::model::{CaseFile, CheckFile};
use jsonschema::canonical::{CanonicalSchema, Containment};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Keywords that explain, and those that speak to the suite.
pub(super) const ANNOTATIONS: [&str; 10] = [
    "$id",
    "$schema",
    "$comment",
    "title",
    "description",
    "examples",
    "x-requirements",
    "x-compare",
    "x-follows",
    "deprecated",
];

const RANGES: [&str; 13] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
];

pub(super) fn by_path(fields: &[Field]) -> BTreeMap<&str, &Field> {
    fields.iter().map(|field| (field.path.as_str(), field)).collect()
}

/// The places that a place is in, the nearest first.
pub(super) fn parents(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        rest = match rest.strip_suffix("[]") {
            Some(list) => list,
            None => rest.rsplit_once('.').map_or("", |(above, _)| above),
        };
        Some(rest)
    })
}

/// Whether a place is inside of another one.
pub(super) fn is_below(path: &str, above: &str) -> bool {
    parents(path).any(|parent| parent == above)
}

/// Members that went and came in one object and are alike in everything but the name.
pub(super) fn renames<'f>(
    gone: &[&'f Field],
    new: &[&'f Field],
    (was, is): (&BTreeMap<&str, &Field>, &BTreeMap<&str, &Field>),
) -> Vec<(&'f Field, &'f Field)> {
    let mut pairs = Vec::new();
    let mut taken = BTreeSet::new();
    let above = |field: &Field| parents(&field.path).next().unwrap_or_default().to_owned();
    for old in gone {
        // Where several are alike, nothing tells which is which.
        let alike: Vec<&&Field> = new
            .iter()
            .filter(|fresh| above(fresh) == above(old) && !taken.contains(fresh.path.as_str()))
            .filter(|fresh| is_alike(old, fresh) && inside(old, was) == inside(fresh, is))
            .collect();
        let are_many = gone.iter().filter(|other| above(other) == above(old) && is_alike(old, other)).count() > 1;
        if let ([fresh], false) = (alike.as_slice(), are_many) {
            taken.insert(fresh.path.as_str());
            pairs.push((*old, **fresh));
        }
    }
    // The one that went and the one that came in an object are one as well where both have the same presence and type.
    let told: BTreeSet<&str> = pairs.iter().map(|(old, _)| old.path.as_str()).collect();
    for old in gone.iter().filter(|old| !told.contains(old.path.as_str())) {
        let left = |field: &&&'f Field| above(field) == above(old) && !taken.contains(field.path.as_str());
        let is_alone = gone.iter().filter(|other| above(other) == above(old)).count() == 1;
        if let ([fresh], true) = (new.iter().filter(left).collect::<Vec<_>>().as_slice(), is_alone)
            && old.required == fresh.required
            && old.required
            && !types(&old.values).is_empty()
            && types(&old.values) == types(&fresh.values)
            && inside(old, was) == inside(fresh, is)
        {
            pairs.push((*old, **fresh));
        }
    }
    pairs
}

fn is_alike(old: &Field, fresh: &Field) -> bool {
    let told = |field: &Field| field.keywords.contains_key("type") || field.keywords.contains_key("enum");
    old.required == fresh.required
        && old.default == fresh.default
        && told(old)
        && directions(&old.values, &fresh.values).is_none()
}

/// The names of what is in a place, however deep.
fn inside(field: &Field, all: &BTreeMap<&str, &Field>) -> Vec<String> {
    let below = all.keys().filter_map(|path| path.strip_prefix(field.path.as_str()));
    below.filter(|rest| rest.starts_with(['.', '['])).map(str::to_owned).collect()
}

/// What a comparison tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
    /// There is no normal form that tells.
    Unknown,
}

/// Whether fewer and whether more values are allowed; nothing where they are the same.
pub(super) fn directions(was: &Value, is: &Value) -> Option<(Known, Known)> {
    if was == is {
        return None;
    }
    let (was, is) = (normal(&parsed(was)), normal(&parsed(is)));
    let exceeds = |one: &Option<CanonicalSchema>, other: &Option<CanonicalSchema>| {
        let covers = one.as_ref().zip(other.as_ref()).and_then(|(one, other)| one.covers(other).ok());
        match covers {
            Some(Containment::Yes) => Known::No,
            Some(Containment::No) => Known::Yes,
            _ => Known::Unknown,
        }
    };
    match (exceeds(&is, &was), exceeds(&was, &is)) {
        (Known::No, Known::No) => None,
        moved => Some(moved),
    }
}

/// A schema with its patterns written as a parser writes what it understood: the same for `\S` and `[^\s]`.
fn parsed(schema: &Value) -> Value {
    rewritten(schema, &|keyword, value| match (keyword, value) {
        ("pattern", Value::String(written)) => {
            let understood = regex_syntax::parse(written).map(|pattern| pattern.to_string());
            Rewrite::Put(understood.unwrap_or_else(|_| written.clone()).into())
        }
        _ => as_it_is(keyword, value),
    })
}

/// In what two places differ, in a word.
pub(super) fn kind(old: &Field, fresh: &Field) -> &'static str {
    let (was, is) = (types(&old.values), types(&fresh.values));
    let moved: Vec<&str> = was.symmetric_difference(&is).copied().collect();
    let differing = differing(old, fresh);
    match moved.as_slice() {
        ["null"] => "nullable",
        [_, ..] => "type",
        [] if differing.iter().any(|keyword| ["enum", "const"].contains(keyword)) => "enum",
        [] if differing.iter().any(|keyword| RANGES.contains(keyword)) => "range",
        [] => "constraint",
    }
}

/// The types that are named, however deep in alternatives; `integer` is a `number` too, but not the other way round.
fn types(schema: &Value) -> BTreeSet<&str> {
    let mut types: BTreeSet<&str> = BTreeSet::new();
    match schema {
        Value::Object(members) => {
            for (keyword, value) in members {
                let named: Vec<&str> = match (keyword.as_str(), value) {
                    ("type", Value::String(one)) => vec![one],
                    ("type", Value::Array(some)) => some.iter().filter_map(Value::as_str).collect(),
                    ("const", value) => vec![type_of(value)],
                    ("enum", Value::Array(values)) => values.iter().map(|value| type_of(value)).collect(),
                    (_, value) => self::types(value).into_iter().collect(),
                };
                types.extend(named);
            }
        }
        Value::Array(parts) => types.extend(parts.iter().flat_map(self::types)),
        _ => {}
    }
    types
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The places that are not the same on both sides.
pub(super) fn touched(was: &[Field], is: &[Field]) -> Vec<String> {
    let (was, is) = (by_path(was), by_path(is));
    let paths: BTreeSet<&str> = was.keys().chain(is.keys()).copied().collect();
    let differs = |path: &&str| match (was.get(path), is.get(path)) {
        (Some(old), Some(fresh)) => {
            (old.required, old.open, &old.default) != (fresh.required, fresh.open, &fresh.default)
                || directions(&old.values, &fresh.values).is_some()
        }
        _ => true,
    };
    paths.into_iter().filter(differs).map(str::to_owned).collect()
}

/// The keywords by which two places differ.
pub(super) fn differing<'f>(old: &'f Field, fresh: &'f Field) -> Vec<&'f str> {
    let (was, is) = (told(&old.values), told(&fresh.values));
    let names: BTreeSet<&str> = was.keys().chain(is.keys()).copied().collect();
    names.into_iter().filter(|name| was.get(name) != is.get(name)).collect()
}

/// Every keyword of a schema without references, with its values, however deep.
fn told(schema: &Value) -> BTreeMap<&str, Vec<&Value>> {
    let mut all: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    match schema {
        Value::Object(members) => {
            for (keyword, value) in members {
                match keyword.as_str() {
                    "allOf" | "anyOf" | "oneOf" => {
                        told(value).into_iter().for_each(|(name, values)| all.entry(name).or_default().extend(values));
                    }
                    name => all.entry(name).or_default().push(value),
                }
            }
        }
        Value::Array(parts) => {
            for part in parts {
                told(part).into_iter().for_each(|(name, values)| all.entry(name).or_default().extend(values));
            }
        }
        _ => {}
    }
    all
}

/// What stands in a place as far as it is a promise: a normal form, the default, whether it must be there.
pub(super) fn written(field: &Field) -> Value {
    let values = normal(&field.values).map_or_else(|| field.values.clone(), |normal| normal.to_json_schema());
    let mut written = match values {
        Value::Object(members) => members,
        other => Map::from_iter([("values".to_owned(), other)]),
    };
    written.remove("$schema");
    if let Some(default) = &field.default {
        written.insert("default".to_owned(), default.clone());
    }
    written.insert("required".to_owned(), Value::Bool(field.required));
    sorted(&Value::Object(written))
}

/// Each change once, however many places one piece of a schema serves.
pub(super) fn once(changes: Vec<(String, Change)>) -> Vec<Change> {
    let mut kept: Vec<(String, Change)> = Vec::new();
    for (origin, change) in changes {
        let is_same = |(other, kept): &&mut (String, Change)| {
            *other == origin && (&kept.kind, &kept.was, &kept.now) == (&change.kind, &change.was, &change.now)
        };
        match kept.iter_mut().find(is_same) {
            Some((_, kept)) => {
                kept.also.push(change.subject);
                kept.witness = kept.witness.take().or(change.witness);
            }
            None => kept.push((origin, change)),
        }
    }
    kept.into_iter().map(|(_, change)| change).collect()
}

/// A schema without what explains it and what speaks to the suite.
pub(super) fn without_annotations(schema: &Value) -> Value {
    rewritten(schema, &|keyword, value| match ANNOTATIONS.contains(&keyword) {
        true => Rewrite::Drop,
        false => as_it_is(keyword, value),
    })
}

/// How a check judges, without the proof that it can fail.
pub(super) fn judging(check: &CheckFile) -> Value {
    let mut value = serde_json::to_value(check).unwrap_or_default();
    if let Some(members) = value.as_object_mut() {
        members.remove("broken_by");
        if let Some(schema) = members.get_mut("schema") {
            *schema = without_annotations(schema);
        }
    }
    sorted(&value)
}

/// The damage that shows that a check can fail.
pub(super) fn proofs(check: &CheckFile) -> Value {
    sorted(&serde_json::to_value(&check.broken_by).unwrap_or_default())
}

/// What a case asks.
pub(super) fn calls(case: &CaseFile) -> Value {
    let mut calls = json!({ "steps": case.steps, "needs": case.needs });
    if let Some(era) = case.era {
        calls["era"] = json!(era);
    }
    sorted(&calls)
}
