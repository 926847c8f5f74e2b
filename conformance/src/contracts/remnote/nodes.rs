//! Trees of nodes, compared by the fields that every node has, and by aliases and directions where both sides show them: those
//! are optional.

use super::bullets::Paired;
use super::lines::{print, read, shown};
use super::pairs::pairs;
use crate::model::Detail;
use crate::rules::{Input, Ruling, brief, equal};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The fields that the document demands of every node.
const OWED: [&str; 4] = ["remId", "title", "headline", "remType"];
/// The fields that a node may leave out.
const OPTIONAL: [&str; 2] = ["aliases", "cardDirection"];

/// Notes with the trees that they have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Of {
    of: Vec<Value>,
}

/// Each selected note has the tree of the listed note of the same `remId`. A note that is not listed is passed over, and so is
/// a listed one that was not received.
pub(super) fn nodes_as_listed(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for node in input.all("value") {
        let Some(listed) = args.of.iter().find(|listed| listed["remId"] == node.value["remId"]) else { continue };
        exercised += 1;
        let name = format!("the nodes of {} are not as expected", brief(&node.value["remId"]));
        let [expected, found] = [listed, node.value].map(|note| &note["contentStructured"]);
        details.extend(differs(expected, found).map(|detail| detail.says(name).at(&node.pointer)));
    }
    match exercised {
        0 => Ruling::skip("nothing that is listed was received"),
        _ => Ruling::of(exercised, details),
    }
}

/// Two trees of the same Rem are the same.
pub(super) fn same_nodes(args: &Paired, input: &Input<'_, '_>) -> Ruling {
    let pairs = pairs(args.by.as_ref(), input.all("left"), input.all("right"));
    if pairs.is_empty() {
        return Ruling::skip("no trees to compare");
    }
    let details = pairs.iter().filter_map(|(left, right)| {
        let difference = differs(left.value, right.value)?;
        Some(difference.says(format!("the nodes differ from {}", left.pointer)).at(&right.pointer))
    });
    Ruling::of(pairs.len(), details.collect())
}

/// The two lists of nodes at the first place where they differ.
struct Difference {
    expected: Value,
    found: Value,
}

impl Difference {
    fn says(self, message: String) -> Detail {
        Detail::new(message).compare(self.expected, self.found)
    }
}

/// Where two trees differ. Nodes that show nothing do not count, and a missing tree is an empty one.
fn differs(expected: &Value, found: &Value) -> Option<Difference> {
    let [left, right] = [expected, found].map(nodes);
    let is_same = |(left, right): (&&Value, &&Value)| {
        OWED.iter().all(|name| is_equal(left.get(name), right.get(name)))
            && OPTIONAL.iter().all(|name| agrees(&left[name], &right[name]))
    };
    if left.len() != right.len() || !left.iter().zip(&right).all(is_same) {
        let [expected, found] = [left, right].map(|nodes| nodes.into_iter().map(head).collect());
        return Some(Difference { expected, found });
    }
    left.iter().zip(&right).find_map(|(left, right)| differs(&left["children"], &right["children"]))
}

fn is_equal(left: Option<&Value>, right: Option<&Value>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => equal(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Whether an optional field says the same where both sides have it. The order of a list is free.
fn agrees(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) if !left.is_empty() && !right.is_empty() => {
            left.len() == right.len() && left.iter().all(|one| right.iter().any(|other| equal(one, other)))
        }
        (Value::String(_), Value::String(_)) => left == right,
        _ => true,
    }
}

/// The nodes that show something: words, or nodes below them that do.
fn nodes(list: &Value) -> Vec<&Value> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    let shows = |node: &&Value| !shown(read(&print(std::slice::from_ref(*node), str::to_owned))).is_empty();
    list.iter().filter(shows).collect()
}

/// A node without what is below it.
fn head(node: &Value) -> Value {
    let fields = node.as_object().into_iter().flatten();
    fields
        .filter(|(name, _)| *name != "children")
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect::<Map<_, _>>()
        .into()
}
