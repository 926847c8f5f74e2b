//! The relatives of a record, and what the parts of a bundle list.

use super::format;
use super::ids;
use crate::path::Located;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The relatives of a record, as a full listing has them.
pub(super) struct Family<'e> {
    pub(super) parent: Option<&'e str>,
    pub(super) open: Vec<&'e str>,
    pub(super) other: Vec<&'e str>,
    pub(super) grandchildren: Vec<&'e str>,
    /// The references by id.
    pub(super) all: BTreeMap<&'e str, &'e Value>,
}

impl<'e> Family<'e> {
    pub(super) fn of(id: &str, full: &'e [Located<'e>]) -> Self {
        let all: BTreeMap<&str, &Value> =
            full.iter().filter_map(|node| Some((node.value["id"].as_str()?, node.value))).collect();
        let children_of = |parents: &BTreeSet<&str>| -> Vec<&'e str> {
            let is_child = |one: &&Value| one["parent_id"].as_str().is_some_and(|parent| parents.contains(parent));
            full.iter().map(|node| node.value).filter(is_child).filter_map(|one| one["id"].as_str()).collect()
        };
        let children = children_of(&BTreeSet::from([id]));
        let grandchildren = children_of(&children.iter().copied().collect());
        let (open, other) =
            children.iter().partition(|child| all.get(*child).is_some_and(|one| one["state"] == "OPEN"));
        let parent =
            all.get(id).and_then(|one| all.get_key_value(one["parent_id"].as_str()?)).map(|(parent, _)| *parent);
        Self { parent, open, other, grandchildren, all }
    }

    /// The references that a written id may name. A shortened id may name several.
    pub(super) fn named(&self, written: &str) -> Vec<&'e Value> {
        match self.all.get(written) {
            Some(one) => vec![one],
            None => self.all.iter().filter(|(known, _)| ids::names(written, known)).map(|(_, one)| *one).collect(),
        }
    }

    /// A reference that a written id names, where all that it may name are strangers here.
    pub(super) fn stranger(&self, written: &str, belongs: impl Fn(&Value) -> bool) -> Option<&'e Value> {
        let named = self.named(written);
        if named.iter().any(|one| belongs(one)) { None } else { named.first().copied() }
    }
}

/// The ids that a part lists: of its objects, and of the records of its texts that stand below no other.
pub(super) fn list(part: &Value, listed: &mut Vec<String>) {
    match part {
        Value::String(text) => {
            let parsed = read(text);
            let tops = records(&parsed).iter().filter(|record| record["parent"].is_null());
            listed.extend(tops.filter_map(|record| record["id"].as_str()).map(str::to_owned));
        }
        Value::Array(values) => values.iter().for_each(|value| list(value, listed)),
        Value::Object(fields) => match fields.get("id").and_then(Value::as_str) {
            Some(id) => listed.push(id.to_owned()),
            None => fields.values().for_each(|value| list(value, listed)),
        },
        _ => {}
    }
}

/// Visits every object of a value, with the key that it stands under.
pub(super) fn collect<'v>(
    value: &'v Value,
    key: &'v str,
    visit: &mut impl FnMut(&'v str, &'v serde_json::Map<String, Value>),
) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, key, visit)),
        Value::Object(fields) => {
            visit(key, fields);
            fields.iter().for_each(|(key, value)| collect(value, key, visit));
        }
        _ => {}
    }
}

pub(super) fn read(text: &str) -> Value {
    format::parse(&text.split('\n').collect::<Vec<_>>()).value
}

/// As [`read`], by the second version of the document.
pub(super) fn read_second(text: &str) -> Value {
    format::parse_second(&text.split('\n').collect::<Vec<_>>()).value
}

pub(super) fn records(parsed: &Value) -> &[Value] {
    parsed["records"].as_array().map_or(&[], Vec::as_slice)
}
