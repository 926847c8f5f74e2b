//! Picks that choose among many: a few from everywhere, and what tells most, as a live case cannot know which note has children,
//! tags or aliases.

use super::Located;
use serde::Deserialize;
use serde_json::Value;

/// Which values come first, and what is taken of each.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Top {
    /// Where the amount is that counts, a JSON Pointer; what has nothing there tells nothing. Without it, the order stays.
    by: Option<String>,
    /// The smallest amount first.
    #[serde(default)]
    least: bool,
    /// What is taken of each, a JSON Pointer.
    #[serde(default)]
    take: String,
    /// What is put before a text that is taken, and behind it.
    #[serde(default)]
    before: String,
    #[serde(default)]
    after: String,
    /// At most so many.
    #[serde(default = "one")]
    most: usize,
}

fn one() -> usize {
    1
}

/// The values with the largest amounts, none of them twice.
pub(super) fn top(args: &Top, nodes: &[Located<'_>]) -> Vec<Value> {
    let amount_of = |value: &Value| args.by.as_deref().map_or(1.0, |by| value.pointer(by).map_or(0.0, amount));
    let sized = nodes.iter().map(|node| (amount_of(node.value), node.value));
    let mut sized: Vec<_> = sized.filter(|(amount, _)| *amount > 0.0).collect();
    let sign = if args.least { 1.0 } else { -1.0 };
    sized.sort_by(|(one, _), (other, _)| (sign * one).total_cmp(&(sign * other)));
    let mut taken: Vec<Value> = Vec::new();
    for value in sized.into_iter().filter_map(|(_, value)| value.pointer(&args.take)) {
        let value = match value {
            Value::Null => continue,
            Value::String(text) => format!("{}{text}{}", args.before, args.after).into(),
            value => value.clone(),
        };
        if taken.len() < args.most && !taken.contains(&value) {
            taken.push(value);
        }
    }
    taken
}

/// A number itself, the characters of a text, and of a list or an object how many values are in it, on all levels.
fn amount(value: &Value) -> f64 {
    match value {
        Value::Null => 0.0,
        Value::Bool(_) => 1.0,
        Value::Number(number) => number.as_f64().unwrap_or_default(),
        Value::String(text) => text.chars().count() as f64,
        Value::Array(values) => values.iter().map(inside).sum(),
        Value::Object(fields) => fields.values().map(inside).sum(),
    }
}

/// How many values a value is, itself included.
fn inside(value: &Value) -> f64 {
    match value {
        Value::Array(_) | Value::Object(_) => 1.0 + amount(value),
        _ => 1.0,
    }
}

/// How many values are taken.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Count {
    count: usize,
}

/// A few of the values, evenly spread, the last one among them.
pub(super) fn spread(args: &Count, nodes: &[Located<'_>]) -> Vec<Value> {
    let values: Vec<&Value> = nodes.iter().map(|node| node.value).filter(|value| !value.is_null()).collect();
    let count = args.count.min(values.len());
    (1..=count).map(|at| values[at * values.len() / count - 1].clone()).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::*;
    use serde_json::json;

    fn picked(args: Value, values: &Value) -> Vec<Value> {
        let nodes = values.as_array().unwrap().iter().map(|value| Located { pointer: String::new(), value });
        top(&serde_json::from_value(args).unwrap(), &nodes.collect::<Vec<_>>())
    }

    #[test]
    fn the_largest_comes_first_and_none_comes_twice() {
        let notes = json!([
            { "id": "a", "total": 3, "nodes": [] },
            { "id": "b", "total": 12, "nodes": [{ "nodes": [1, 2] }] },
            { "id": "b", "total": 12 },
            { "id": "c", "nodes": [1, 2, 3] },
            { "id": null, "total": 99 },
        ]);
        assert_eq!(picked(json!({ "by": "/total", "take": "/id", "most": 5 }), &notes), ["b", "a"]);
        assert_eq!(picked(json!({ "by": "/total", "least": true, "take": "/id" }), &notes), ["a"]);
        assert_eq!(picked(json!({ "by": "/nodes", "take": "/id", "most": 5 }), &notes), ["b", "c"]);
        assert_eq!(picked(json!({ "take": "/id", "before": "#", "after": "!", "most": 2 }), &notes), ["#a!", "#b!"]);
        assert_eq!(picked(json!({ "by": "/other", "take": "/id" }), &notes), [] as [Value; 0]);
    }
}
