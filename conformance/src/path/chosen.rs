//! Picks that choose among what is selected: the one that shows most, or a few from everywhere.

use super::Located;
use serde::Deserialize;
use serde_json::Value;

/// The numbers by which objects are chosen, and the field that is taken.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Most {
    by: String,
    of: String,
}

/// A field of the object whose number is the largest; of the first one among equals. A number that is not above zero shows
/// nothing.
pub(super) fn most(args: &Most, nodes: &[Located<'_>]) -> Vec<Value> {
    let number = |node: &Located<'_>| node.value[&args.by].as_f64().filter(|number| *number > 0.0);
    let mut most: Option<(f64, &Value)> = None;
    for node in nodes {
        if let Some(number) = number(node).filter(|number| most.is_none_or(|(largest, _)| *number > largest)) {
            most = Some((number, &node.value[&args.of]));
        }
    }
    most.map(|(_, value)| value.clone()).filter(|value| !value.is_null()).into_iter().collect()
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
