//! Arguments that mean something. What a check computes with an argument says nothing of a call whose argument is none by the
//! input schema: another type, out of range, no number.

use crate::model::{AlwaysCheck, CheckFile, Contract, HttpArguments, Operation, Select};
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The arguments that a check of every exchange reads, by the operations that have them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sound(BTreeMap<String, Arguments>);

#[derive(Debug, Clone)]
struct Arguments {
    names: Vec<String>,
    takes: Arc<Validator>,
    /// They travel as text, so that a number may stand in one.
    as_text: bool,
}

impl Sound {
    /// What a check reads of the calls that it judges.
    pub(super) fn of(always: &AlwaysCheck, contract: &Contract) -> Self {
        let read = arguments(&always.check);
        let is_its = |name: &String| always.of.is_empty() || always.of.contains(name);
        let all = contract.operations.iter().filter(|(name, _)| !read.is_empty() && is_its(name));
        let by_operation = all.filter_map(|(name, operation)| {
            let names: Vec<String> = operation.arguments.iter().filter(|name| read.contains(*name)).cloned().collect();
            let takes = Arc::new(validator(&without_duties(&operation.takes)).filter(|_| !names.is_empty())?);
            Some((name.clone(), Arguments { names, takes, as_text: travels_as_text(operation) }))
        });
        Self(by_operation.collect())
    }

    /// Whether what the check reads of a call means something. An argument that is left out does.
    pub(crate) fn allows(&self, operation: &str, with: &Value) -> bool {
        let Some(arguments) = self.0.get(operation) else { return true };
        let given = |read: fn(&Value) -> Value| {
            let given = arguments.names.iter().filter_map(|name| Some((name.clone(), read(with.get(name)?))));
            Value::Object(given.collect())
        };
        arguments.takes.is_valid(&given(Value::clone)) || arguments.as_text && arguments.takes.is_valid(&given(meant))
    }
}

/// Whether arguments are valid by an input schema.
pub(crate) fn takes(schema: &Value, with: &Map<String, Value>) -> bool {
    validator(schema).is_none_or(|validator| validator.is_valid(&Value::Object(with.clone())))
}

/// An input schema, ready to be used.
pub(crate) fn validator(schema: &Value) -> Option<Validator> {
    jsonschema::options().with_draft(Draft::Draft202012).offline().with_pattern_options(patterns()).build(schema).ok()
}

/// More bytes than a pattern takes that was written to describe something.
const LARGEST_PATTERN: usize = 4 << 20;

/// How patterns of schemas are read: by an engine whose time grows with the text alone, which knows no look-around.
pub(crate) fn patterns() -> PatternOptions<jsonschema::Regex> {
    PatternOptions::regex().size_limit(LARGEST_PATTERN)
}

/// The number or the truth value that a text holds.
fn meant(value: &Value) -> Value {
    let read = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    read.filter(|read| read.is_number() || read.is_boolean()).unwrap_or_else(|| value.clone())
}

/// An input schema that may be asked of some arguments alone.
fn without_duties(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(keywords) = schema.as_object_mut() {
        keywords.insert("required".to_owned(), json!([]));
    }
    schema
}

fn travels_as_text(operation: &Operation) -> bool {
    operation.cli.is_some() || operation.http.as_ref().is_some_and(|one| one.arguments != HttpArguments::Body)
}

/// The arguments that a check reads: by a path, or in a schema over the exchange.
fn arguments(check: &CheckFile) -> BTreeSet<String> {
    let paths: Vec<&String> = match &check.select {
        Select::One(path) => vec![path],
        Select::Named(paths) => paths.values().collect(),
    };
    let name = |path: &&String| {
        let (_, rest) = path.split_once("request.with.")?;
        Some(rest.chars().take_while(|one| one.is_alphanumeric() || *one == '_').collect())
    };
    let mut names: BTreeSet<String> = paths.iter().chain(&check.each.as_ref()).filter_map(name).collect();
    if let Some(schema) = &check.schema {
        in_schema(schema, false, &mut names);
    }
    names
}

/// Adds the names of the properties below `request.with`.
fn in_schema(schema: &Value, is_below: bool, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(keywords) => {
            for (keyword, value) in keywords {
                if is_below && keyword == "properties" {
                    names.extend(value.as_object().into_iter().flat_map(Map::keys).cloned());
                }
                in_schema(value, is_below || keyword == "with", names);
            }
        }
        Value::Array(schemas) => schemas.iter().for_each(|schema| in_schema(schema, is_below, names)),
        _ => {}
    }
}
