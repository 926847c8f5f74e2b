//! Relations that any contract can use.

use super::amounts::same_length;
use super::compare::unexpected;
use super::values::{Of, number};
use super::{Input, Ruling, brief, common, equal, fits};
use crate::model::{Detail, Failure};
use crate::text::pointer::parent;
use serde::Deserialize;
use serde_json::Value;

/// Nothing is there.
pub(super) fn absent(input: &Input<'_, '_>) -> Ruling {
    let found = input.all("value").iter().take(3);
    let details = found.map(|node| {
        let message = match (node.value["message"].as_str(), node.value["line"].as_u64()) {
            (Some(message), Some(line)) => format!("line {line}, column {}: {message}", node.value["column"]),
            _ => match Failure::deserialize(node.value) {
                Ok(failure) => failure.to_string(),
                Err(_) => format!("{} was received, and nothing was expected", brief(node.value)),
            },
        };
        Detail::new(message).at(&node.pointer)
    });
    Ruling::of(1, details.collect())
}

/// No value occurs twice. Null is no value.
pub(super) fn unique(input: &Input<'_, '_>) -> Ruling {
    let values: Vec<_> = input.all("value").iter().filter(|node| !node.value.is_null()).collect();
    if values.is_empty() {
        return Ruling::skip("no values to compare");
    }
    let mut seen = std::collections::HashMap::new();
    let mut details = Vec::new();
    for node in &values {
        if let Some(first) = seen.insert(node.value.to_string(), &node.pointer) {
            details.push(Detail::new(format!("{} stands at {first} too", brief(node.value))).at(&node.pointer));
        }
    }
    Ruling::of(values.len(), details)
}

/// Two selections hold the same values in the same order.
pub(super) fn same(input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (input.all("left"), input.all("right"));
    if left.is_empty() && right.is_empty() {
        return Ruling::skip("nothing to compare");
    }
    let differing = left.iter().zip(right).find(|(left, right)| !equal(left.value, right.value));
    if let Some((left, right)) = differing {
        return Ruling::fail(
            Detail::new(format!("differs from {}", left.pointer))
                .at(&right.pointer)
                .compare(left.value.clone(), right.value.clone()),
        );
    }
    same_length(left, right)
}

/// Two selections hold the same values, in any order.
pub(super) fn same_set(input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (input.all("left"), input.all("right"));
    if left.is_empty() && right.is_empty() {
        return Ruling::skip("nothing to compare");
    }
    let strangers = right.iter().filter(|right| !left.iter().any(|left| equal(left.value, right.value)));
    let lost = left.iter().filter(|left| !right.iter().any(|right| equal(left.value, right.value)));
    let mut details: Vec<Detail> = strangers
        .map(|node| Detail::new(format!("{} comes here alone", brief(node.value))).at(&node.pointer))
        .chain(lost.map(|node| Detail::new(format!("{} comes here alone", brief(node.value))).at(&node.pointer)))
        .collect();
    details.truncate(3);
    Ruling::of(left.len().max(right.len()), details)
}

/// One of the texts is the value, as JSON.
pub(super) fn json_text(input: &Input<'_, '_>) -> Ruling {
    let Some(value) = input.one("value") else {
        return Ruling::skip("no value is given");
    };
    let texts = input.all("text");
    let is_value = |text: &str| serde_json::from_str(text).is_ok_and(|read: Value| equal(&read, value.value));
    match texts.iter().any(|node| node.value.as_str().is_some_and(is_value)) {
        true => Ruling::pass(1),
        false => {
            let detail = Detail { found: texts.first().map(|node| node.value.clone()), ..Detail::new("no text is it") };
            Ruling::fail(Detail { expected: Some(value.value.clone()), ..detail }.at(&value.pointer))
        }
    }
}

/// A number, or its digits, says how many values there are. What is neither says nothing.
pub(super) fn count(input: &Input<'_, '_>) -> Ruling {
    let Some((count, given)) = input.one("count").and_then(|node| Some((node, number(node.value)?))) else {
        return Ruling::skip("no count is given");
    };
    let actual = input.all("of").len();
    match given == actual as f64 {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new("the count is not what is there")
                .at(&count.pointer)
                .compare(actual.into(), count.value.clone()),
        ),
    }
}

/// Values that are all to be there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct All {
    pub(super) all: Vec<Value>,
}

/// Each listed value is among the selected ones; further values and further fields are free.
pub(super) fn includes(args: &All, input: &Input<'_, '_>) -> Ruling {
    let (values, wanted) = (input.all("value"), &args.all);
    let missing = wanted.iter().filter(|wanted| !values.iter().any(|node| fits(wanted, node.value)));
    let details = missing.map(|wanted| {
        let detail = Detail::new(format!("{} is missing", brief(wanted)));
        let near = values.iter().find(|node| relates(wanted, node.value)).or(values.first());
        match near {
            Some(near) if relates(wanted, near.value) => {
                Detail { found: Some(common(wanted, near.value)), ..detail }.at(&near.pointer)
            }
            Some(near) => detail.at(parent(&near.pointer)),
            None => detail,
        }
    });
    Ruling::of(wanted.len(), details.collect())
}

/// Each selected value is one of the listed ones; further fields are free.
pub(super) fn only(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let (values, allowed) = (input.all("value"), &args.of);
    if values.is_empty() {
        return Ruling::skip("no values to compare");
    }
    let strangers = values.iter().filter(|node| !allowed.iter().any(|allowed| fits(allowed, node.value)));
    let details = strangers.map(unexpected);
    Ruling::of(values.len(), details.collect())
}

/// Whether two objects speak of the same thing: they have the same id, or name.
fn relates(wanted: &Value, found: &Value) -> bool {
    let key = if wanted.get("id").is_some() { "id" } else { "name" };
    wanted.get(key).is_some_and(|value| found.get(key) == Some(value))
}
