//! The counts of children of a full list, beside the children that it has. "Current State: JSON Record References".

use super::pairs::Pairs;
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, whole};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A record has at least the children that the list shows, as many open ones, and no more open ones than children. The list
/// may leave some out, as the example of the document does.
pub(super) fn children_counted(input: &Input<'_, '_>) -> Ruling {
    let nothing = json!({});
    let none = Located { pointer: String::new(), value: &nothing };
    let pairs = Pairs::of(&none, input.all("value"));
    let mut children: BTreeMap<&str, BTreeSet<(&str, bool)>> = BTreeMap::new();
    for pair in pairs.all.iter().filter(|pair| !pairs.is_knot(pair.id)) {
        if let Some(parent) = pair.full["parent_id"].as_str() {
            children.entry(parent).or_default().insert((pair.id, pair.full["state"] == "OPEN"));
        }
    }
    let (mut exercised, mut details) = (0, Vec::new());
    for pair in &pairs.all {
        let count = |field: &str| whole(&pair.full[field]);
        let (Some(all), Some(open)) = (count("children_count"), count("open_children_count")) else { continue };
        exercised += 1;
        let listed = children.get(pair.id);
        let listed_open = listed.map_or(0, |children| children.iter().filter(|(_, is_open)| *is_open).count()) as u64;
        let listed = listed.map_or(0, BTreeSet::len) as u64;
        let wrong = [
            (
                all < listed,
                format!("`children_count` of {} is below the children that the list has", pair.id),
                listed,
                all,
            ),
            (
                open < listed_open,
                format!("`open_children_count` of {} is below the open children that the list has", pair.id),
                listed_open,
                open,
            ),
            (open > all, format!("`open_children_count` of {} is above its `children_count`", pair.id), all, open),
        ];
        details.extend(wrong.into_iter().filter(|(is_wrong, ..)| *is_wrong).map(|(_, message, least, came)| {
            Detail::new(message).at(pair.place).compare(Value::from(least), Value::from(came))
        }));
    }
    match exercised {
        0 => Ruling::skip("no reference has counts"),
        _ => Ruling::of(exercised, details),
    }
}
