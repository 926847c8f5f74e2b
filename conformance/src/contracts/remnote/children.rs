//! Limits of children over data that nobody knows, with empty lines perhaps: whether those count before they are left out is
//! free, so a list may be shorter than its limit.

use super::bullets::{differs, first_children};
use super::lines::{lines, shown};
use crate::model::Detail;
use crate::path::field;
use crate::rules::{Input, Ruling};
use serde_json::Value;

/// In each exchange, the nodes of each item are the first ones of the whole tree of the same Rem, as far as `childLimit` of its
/// request allows. Over all exchanges, some list has as many nodes as allowed.
pub(super) fn first_children_of_each(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    let nothing = Value::Array(Vec::new());
    let (mut can_be_full, mut is_full) = (false, false);
    for exchange in input.all("value") {
        let limit = field(exchange.value, "/request/with/childLimit").and_then(Value::as_u64);
        let Some(limit) = limit.and_then(|limit| usize::try_from(limit).ok()) else { continue };
        for (at, item) in exchange.value["items"].as_array().into_iter().flatten().enumerate() {
            let Some(whole) = input.all("whole").iter().find(|whole| whole.value["remId"] == item["remId"]) else {
                continue;
            };
            // A missing tree is an empty one.
            let [cut, all] = [item, whole.value].map(|note| note.get("contentStructured").unwrap_or(&nothing));
            let Some((cut_lines, all_lines)) = lines(cut).map(shown).zip(lines(all).map(shown)) else { continue };
            exercised += cut_lines.len().max(1);
            can_be_full |= longest(all) > limit;
            is_full |= longest(cut) == limit;
            let allowed = first_children(all_lines, limit);
            let mut ahead = allowed.iter();
            if let Some(line) = cut_lines.iter().position(|found| !ahead.any(|allowed| allowed == found)) {
                let place = format!("{}/items/{at}/contentStructured", exchange.pointer);
                details.push(differs(line, allowed.get(line), cut_lines.get(line)).at(place));
            }
        }
    }
    if can_be_full && !is_full {
        details.push(Detail::new("no list of nodes has as many as `childLimit` allows, though longer ones were seen"));
    }
    match exercised {
        0 => Ruling::skip("no tree of a Rem was received twice"),
        _ => Ruling::of(exercised, details),
    }
}

/// How many nodes the longest list has, on any level.
fn longest(nodes: &Value) -> usize {
    let nodes = nodes.as_array().map_or(&[][..], Vec::as_slice);
    nodes.iter().map(|node| longest(&node["children"])).fold(nodes.len(), usize::max)
}
