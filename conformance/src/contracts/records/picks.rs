//! Budgets to ask with.

use crate::path::Located;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// How far from each place, in characters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Around {
    #[serde(default = "at_the_place")]
    around: Vec<i64>,
    /// How far behind the end of the whole output.
    #[serde(default)]
    beyond: Vec<i64>,
    /// Whether the middle of each record is a place too, and not of bodies alone.
    #[serde(default)]
    inside: bool,
}

fn at_the_place() -> Vec<i64> {
    vec![0]
}

/// Budgets around the end of each record of the first exchange, in the middle of each body or record, and beyond the end; and the
/// end in UTF-16 units, where nothing may be missing whatever is counted.
pub(super) fn record_ends(args: &Around, nodes: &[Located<'_>]) -> Vec<Value> {
    let Some(exchange) = nodes.first().map(|node| node.value) else { return Vec::new() };
    let (mut ends, mut surrogates) = (vec![0], 0);
    for line in exchange["lines"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let length = line.chars().count() as i64 + 1;
        ends.push(ends.last().copied().unwrap_or(0) + length);
        surrogates += line.encode_utf16().count() as i64 + 1 - length;
    }
    let at = |line: usize| ends.get(line).copied().unwrap_or(0);
    let (mut places, mut middles) = (BTreeSet::from([at(1)]), BTreeSet::new());
    for record in exchange["parsed"]["records"].as_array().into_iter().flatten() {
        let first = record["line"].as_u64().unwrap_or(1) as usize - 1;
        let lines = record["lines"].as_u64().unwrap_or(1) as usize;
        places.insert(at(first + lines));
        let middle = (at(first) + at(first + lines)) / 2;
        if lines > 1 {
            places.insert(middle);
        } else if args.inside {
            middles.insert(middle);
        }
    }
    let end = places.last().copied().unwrap_or(0);
    let around = places.iter().flat_map(|place| args.around.iter().map(move |step| place + step));
    let beyond = args.beyond.iter().map(|step| end + step).chain([end + surrogates]);
    let budgets: BTreeSet<i64> = around.chain(middles).chain(beyond).collect();
    // What a budget of 0 means is not said.
    budgets.into_iter().filter(|budget| *budget > 0).map(Value::from).collect()
}
