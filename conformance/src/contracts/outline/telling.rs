//! Which records to activate, as a live case cannot know which families there are: a few that have every kind between them.

use super::picks::Most;
use crate::path::Located;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The states of records.
const STATES: [&str; 4] = ["OPEN", "LATER", "RESOLVED", "DISCARDED"];
/// A record this deep is no longer near the root.
const DEEP: usize = 4;
/// Several others, so that a short list of them would show.
const SEVERAL: usize = 6;

/// The ids of references that have the most kinds of relatives which none before has.
pub(super) fn telling(args: &Most, nodes: &[Located<'_>]) -> Vec<Value> {
    let tree = Tree::of(nodes);
    let mut left: Vec<(&str, BTreeSet<Kind>)> = tree.order.iter().map(|id| (*id, tree.kinds(id))).collect();
    let mut taken = Vec::new();
    while taken.len() < args.most {
        // Of records that have as many, the first one.
        let Some((id, kinds)) = left.iter().rev().max_by_key(|(_, kinds)| kinds.len()).cloned() else { break };
        if kinds.is_empty() {
            break;
        }
        left.iter_mut().for_each(|(_, others)| others.retain(|kind| !kinds.contains(kind)));
        taken.push(Value::from(id));
    }
    taken
}

/// What is so of a record and its relatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    State(&'static str),
    Root,
    HasGrandparent,
    IsDeep,
    Below(&'static str),
    /// Its parent is not in the list.
    Orphan,
    /// It has no children.
    Leaf(&'static str),
    /// Two records of one title, the first such two.
    Namesake,
    SecondNamesake,
    /// Open children, of which a server may give only the first in full.
    SeveralOpen,
    /// Open children of a record that is not open itself.
    OpenBelowOther,
    OtherChild(&'static str),
    OtherLeaf,
    OtherWithChildren,
    OtherWithoutSummary,
    SeveralOthers,
    /// Siblings that could be mistaken for children which there are none of.
    SiblingsForOpen,
    SiblingsForOther,
    ChildrenForGrandchildren,
    Grandchild(&'static str),
    GrandchildBelowOpen,
    GrandchildBelowOther,
    GrandchildBelowALaterChild,
    GreatGrandchild,
    DeepFamily,
    MostOpen,
    MostOther,
}

/// References by their places in the tree.
struct Tree<'v> {
    order: Vec<&'v str>,
    all: BTreeMap<&'v str, &'v Value>,
    children: BTreeMap<&'v str, Vec<&'v str>>,
    most_open: Option<&'v str>,
    most_other: Option<&'v str>,
    /// Two records of one title.
    namesakes: Option<[&'v str; 2]>,
}

impl<'v> Tree<'v> {
    fn of(nodes: &[Located<'v>]) -> Self {
        let references = nodes.iter().filter_map(|node| Some((node.value["id"].as_str()?, node.value)));
        let order: Vec<&str> = references.clone().map(|(id, _)| id).collect();
        let all: BTreeMap<&str, &Value> = references.collect();
        let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for id in &order {
            if let Some(parent) = all[id]["parent_id"].as_str() {
                children.entry(parent).or_default().push(id);
            }
        }
        let namesakes = namesakes(&order, &all);
        let mut tree = Self { order, all, children, most_open: None, most_other: None, namesakes };
        tree.most_open = tree.most(true);
        tree.most_other = tree.most(false);
        tree
    }

    fn most(&self, is_open: bool) -> Option<&'v str> {
        let count = |id: &&&str| self.children_of(id).iter().filter(|child| self.is_open(child) == is_open).count();
        self.order.iter().rev().max_by_key(count).copied()
    }

    fn children_of(&self, id: &str) -> &[&'v str] {
        self.children.get(id).map_or(&[], Vec::as_slice)
    }

    fn parent_of(&self, id: &str) -> Option<&'v str> {
        let parent = self.all[id]["parent_id"].as_str()?;
        self.all.get_key_value(parent).map(|(parent, _)| *parent)
    }

    fn state(&self, id: &str) -> Option<&'static str> {
        STATES.into_iter().find(|state| self.all[id]["state"] == *state)
    }

    fn is_open(&self, id: &str) -> bool {
        self.state(id) == Some("OPEN")
    }

    /// How many records are above it; nothing where these go round in a ring.
    fn depth(&self, id: &str) -> Option<usize> {
        let (mut depth, mut next) = (0, self.parent_of(id));
        while let Some(above) = next {
            depth += 1;
            next = self.parent_of(above).filter(|_| depth <= self.order.len());
        }
        (depth <= self.order.len()).then_some(depth)
    }

    fn kinds(&self, id: &str) -> BTreeSet<Kind> {
        let mut kinds = BTreeSet::new();
        let Some(depth) = self.depth(id) else { return kinds };
        let mut add = |is_so: bool, kind: Kind| is_so.then(|| kinds.insert(kind));
        let (open, other): (Vec<&str>, Vec<&str>) =
            self.children_of(id).iter().copied().partition(|id| self.is_open(id));
        let parent = self.parent_of(id);
        let siblings = parent.map_or(&[][..], |parent| self.children_of(parent));
        let has_sibling = |is_open: bool| siblings.iter().any(|one| *one != id && self.is_open(one) == is_open);
        let families = self.children_of(id).iter().filter(|child| !self.children_of(child).is_empty());
        let families: Vec<&str> = families.copied().collect();
        self.state(id).map(|state| add(true, Kind::State(state)));
        add(self.all[id]["parent_id"].is_null(), Kind::Root);
        add(depth > 1, Kind::HasGrandparent);
        add(depth >= DEEP, Kind::IsDeep);
        if let Some(state) = parent.and_then(|parent| self.state(parent)) {
            add(true, Kind::Below(state));
        }
        add(self.all[id]["parent_id"].is_string() && parent.is_none(), Kind::Orphan);
        if let Some(state) = self.state(id).filter(|_| self.children_of(id).is_empty()) {
            add(true, Kind::Leaf(state));
        }
        add(self.namesakes.is_some_and(|[first, _]| first == id), Kind::Namesake);
        add(self.namesakes.is_some_and(|[_, second]| second == id), Kind::SecondNamesake);
        add(open.len() > 1, Kind::SeveralOpen);
        add(!self.is_open(id) && !open.is_empty(), Kind::OpenBelowOther);
        add(open.is_empty() && has_sibling(true), Kind::SiblingsForOpen);
        add(other.is_empty() && has_sibling(false), Kind::SiblingsForOther);
        add(families.is_empty() && !(open.is_empty() && other.is_empty()), Kind::ChildrenForGrandchildren);
        for child in &other {
            self.state(child).map(|state| add(true, Kind::OtherChild(state)));
            let has_children = !self.children_of(child).is_empty();
            add(true, if has_children { Kind::OtherWithChildren } else { Kind::OtherLeaf });
            let summary = self.all[child]["summary"].as_str().unwrap_or_default();
            add(summary.trim().is_empty(), Kind::OtherWithoutSummary);
        }
        add(other.len() >= SEVERAL, Kind::SeveralOthers);
        for child in families {
            add(true, if self.is_open(child) { Kind::GrandchildBelowOpen } else { Kind::GrandchildBelowOther });
            add(self.children_of(id).first() != Some(&child), Kind::GrandchildBelowALaterChild);
            add(depth + 1 >= DEEP, Kind::DeepFamily);
            for grandchild in self.children_of(child) {
                self.state(grandchild).map(|state| add(true, Kind::Grandchild(state)));
                add(!self.children_of(grandchild).is_empty(), Kind::GreatGrandchild);
            }
        }
        add(self.most_open == Some(id), Kind::MostOpen);
        add(self.most_other == Some(id), Kind::MostOther);
        kinds
    }
}

/// The first two records of one title.
fn namesakes<'v>(order: &[&'v str], all: &BTreeMap<&'v str, &'v Value>) -> Option<[&'v str; 2]> {
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    order.iter().find_map(|id| {
        let title = all[id]["title"].as_str().filter(|title| !title.trim().is_empty())?;
        let elder = *first.entry(title).or_insert(id);
        (elder != *id).then_some([elder, id])
    })
}

#[cfg(test)]
mod tests {
    use super::super::picks::Most;
    use super::telling;
    use crate::path::Located;
    use serde_json::{Value, json};

    fn picked(records: &Value, most: usize) -> Vec<Value> {
        let nodes = records.as_array().into_iter().flatten();
        let nodes: Vec<_> = nodes.map(|value| Located { pointer: String::new(), value }).collect();
        telling(&Most { most }, &nodes)
    }

    fn record(id: &str, parent: Option<&str>, state: &str) -> Value {
        json!({ "id": id, "parent_id": parent, "state": state, "summary": "One." })
    }

    #[test]
    fn the_record_with_the_most_kinds_of_relatives_comes_first_and_none_without_new_ones() {
        let records = json!([
            record("lone", None, "LATER"),
            record("top", None, "OPEN"),
            record("done", Some("top"), "RESOLVED"),
            record("below", Some("done"), "OPEN"),
            record("twin", Some("done"), "OPEN"),
        ]);
        assert_eq!(picked(&records, 9), ["top", "done", "below", "lone"]);
        assert_eq!(picked(&records, 1), ["top"]);
    }

    #[test]
    fn what_goes_round_in_a_ring_is_left_out() {
        let ring =
            json!([record("k", Some("l"), "OPEN"), record("l", Some("k"), "OPEN"), record("m", Some("k"), "OPEN")]);
        assert_eq!(picked(&ring, 3), [] as [Value; 0]);
    }
}
