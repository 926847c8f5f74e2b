//! Relations that any contract can use.

use super::amounts::same_length;
use super::{Input, Outcome, brief, equal, fits, part};
use crate::model::Detail;
use serde_json::Value;

/// Nothing is there.
pub(super) fn absent(input: &Input<'_, '_>) -> Outcome {
    let found = input.all("value").iter().take(3);
    let details = found.map(|node| {
        let message = match (node.value["message"].as_str(), node.value["line"].as_u64()) {
            (Some(message), Some(line)) => format!("line {line}, column {}: {message}", node.value["column"]),
            _ => format!("must not be there: {}", brief(node.value)),
        };
        Detail::new(message).at(&node.pointer)
    });
    Outcome::of(1, details.collect())
}

/// No value occurs twice.
pub(super) fn unique(input: &Input<'_, '_>) -> Outcome {
    let values = input.all("value");
    if values.is_empty() {
        return Outcome::skip("no values to compare");
    }
    let mut seen = std::collections::HashMap::new();
    let mut details = Vec::new();
    for node in values {
        if let Some(first) = seen.insert(node.value.to_string(), &node.pointer) {
            details.push(Detail::new(format!("{} stands at {first} too", brief(node.value))).at(&node.pointer));
        }
    }
    Outcome::of(values.len(), details)
}

/// Two selections hold the same values in the same order.
pub(super) fn same(input: &Input<'_, '_>) -> Outcome {
    let (left, right) = (input.all("left"), input.all("right"));
    if left.is_empty() && right.is_empty() {
        return Outcome::skip("nothing to compare");
    }
    let differing = left.iter().zip(right).find(|(left, right)| !equal(left.value, right.value));
    if let Some((left, right)) = differing {
        return Outcome::fail(
            Detail::new(format!("differs from {}", left.pointer))
                .at(&right.pointer)
                .compare(left.value.clone(), right.value.clone()),
        );
    }
    same_length(left, right)
}

/// One of the texts is the value, as JSON.
pub(super) fn json_text(input: &Input<'_, '_>) -> Outcome {
    let Some(value) = input.one("value") else {
        return Outcome::skip("no value is given");
    };
    let texts = input.all("text");
    let is_value = |text: &str| serde_json::from_str(text).is_ok_and(|read: Value| equal(&read, value.value));
    match texts.iter().any(|node| node.value.as_str().is_some_and(is_value)) {
        true => Outcome::pass(1),
        false => {
            let detail = Detail { found: texts.first().map(|node| node.value.clone()), ..Detail::new("no text is it") };
            Outcome::fail(Detail { expected: Some(value.value.clone()), ..detail }.at(&value.pointer))
        }
    }
}

/// A number, or its digits, says how many values there are.
pub(super) fn count(input: &Input<'_, '_>) -> Outcome {
    let Some(count) = input.one("count") else {
        return Outcome::skip("no count is given");
    };
    let given = count.value.as_u64().or_else(|| count.value.as_str()?.parse().ok());
    let actual = input.all("of").len() as u64;
    match given == Some(actual) {
        true => Outcome::pass(1),
        false => Outcome::fail(
            Detail::new("the count is not what is there")
                .at(&count.pointer)
                .compare(actual.into(), count.value.clone()),
        ),
    }
}

/// Every value of the part is one of the whole.
pub(super) fn subset(input: &Input<'_, '_>) -> Outcome {
    let (part, whole) = (input.all("part"), input.all("whole"));
    if part.is_empty() {
        return Outcome::skip("the part is empty");
    }
    let strangers = part.iter().filter(|node| !whole.iter().any(|other| equal(node.value, other.value)));
    let details = strangers.take(3).map(|node| {
        let known = Value::from(whole.iter().map(|other| other.value.clone()).collect::<Vec<_>>());
        Detail::new(format!("{} is not among {}", brief(node.value), brief(&known))).at(&node.pointer)
    });
    Outcome::of(part.len(), details.collect())
}

/// Each listed value is among the selected ones; further values and further fields are free.
pub(super) fn includes(input: &Input<'_, '_>) -> Outcome {
    let (values, wanted) = (input.all("value"), input.list("all"));
    let missing = wanted.iter().filter(|wanted| !values.iter().any(|node| fits(wanted, node.value)));
    let details = missing.map(|wanted| {
        let detail = Detail { expected: Some(wanted.clone()), ..Detail::new("did not come") };
        let near = values.iter().find(|node| relates(wanted, node.value)).or(values.first());
        match near {
            Some(near) if relates(wanted, near.value) => {
                Detail { found: Some(part(wanted, near.value)), ..detail }.at(&near.pointer)
            }
            Some(near) => detail.at(near.pointer.rsplit_once('/').map_or("", |(parent, _)| parent)),
            None => detail,
        }
    });
    Outcome::of(wanted.len(), details.collect())
}

/// Each selected value is one of the listed ones; further fields are free.
pub(super) fn only(input: &Input<'_, '_>) -> Outcome {
    let (values, allowed) = (input.all("value"), input.list("of"));
    if values.is_empty() {
        return Outcome::skip("no values to compare");
    }
    let strangers = values.iter().filter(|node| !allowed.iter().any(|allowed| fits(allowed, node.value)));
    let details =
        strangers.map(|node| Detail::new(format!("{} must not be there", brief(node.value))).at(&node.pointer));
    Outcome::of(values.len(), details.collect())
}

/// Whether two objects speak of the same thing: they have the same id, or name.
fn relates(wanted: &Value, found: &Value) -> bool {
    let key = if wanted.get("id").is_some() { "id" } else { "name" };
    wanted.get(key).is_some_and(|value| found.get(key) == Some(value))
}
