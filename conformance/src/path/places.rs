//! Where two values differ, and which paths can tell.

use super::query::{Lead, Query, Segment};
use super::{EvidencePath, RelativePath};
use serde_json::Value;
use std::collections::BTreeSet;

/// A step into a value. What is true of one element of a list is asked of all.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Member(String),
    Element,
}

/// Where two values differ: the shortest ways to what is another value, or is in one of them alone.
pub(crate) type Places = BTreeSet<Vec<Key>>;

/// Where `before` and `after` differ.
pub(crate) fn places(before: &Value, after: &Value) -> Places {
    let mut places = Places::new();
    note(before, after, &mut Vec::new(), &mut places);
    places
}

/// Goes through both values side by side. A way has the name of each member, and nothing for an element.
fn note<'v>(before: &'v Value, after: &'v Value, way: &mut Vec<Option<&'v str>>, places: &mut Places) {
    match (before, after) {
        (Value::Object(left), Value::Object(right)) => {
            for (key, left) in left {
                way.push(Some(key));
                match right.get(key) {
                    Some(right) => note(left, right, way, places),
                    None => keep(way, places),
                }
                way.pop();
            }
            for key in right.keys().filter(|key| !left.contains_key(*key)) {
                way.push(Some(key));
                keep(way, places);
                way.pop();
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            way.push(None);
            left.iter().zip(right).for_each(|(left, right)| note(left, right, way, places));
            way.pop();
        }
        _ if before == after => {}
        _ => keep(way, places),
    }
}

fn keep(way: &[Option<&str>], places: &mut Places) {
    let key = |name: &Option<&str>| name.map_or(Key::Element, |name| Key::Member(name.to_owned()));
    places.insert(way.iter().map(key).collect());
}

/// Which values inside an exchange a path of a check reads.
#[derive(Debug, Clone)]
pub(crate) struct Footprint {
    way: Vec<Segment>,
    lead: Lead,
    /// Whether it matters what is in the values, beyond that they are there.
    reads_inside: bool,
}

impl Footprint {
    /// What a path into evidence reads of an exchange.
    pub(crate) fn of(path: &EvidencePath) -> Self {
        Self::whole().then(&path.inside)
    }

    /// What a path reads that begins at an exchange.
    pub(crate) fn within(path: &RelativePath) -> Self {
        Self::whole().then(&path.path)
    }

    /// What a path reads that begins at the values of this one.
    pub(crate) fn and(&self, path: &RelativePath) -> Self {
        self.clone().then(&path.path)
    }

    /// That its values are there, whatever is in them.
    pub(crate) fn into_nodes(self) -> Self {
        Self { reads_inside: false, ..self }
    }

    /// The exchange itself.
    pub(crate) fn whole() -> Self {
        Self { way: Vec::new(), lead: Lead::To, reads_inside: true }
    }

    fn then(mut self, query: &Query) -> Self {
        if self.lead == Lead::To {
            let (segments, lead) = query.lead();
            self.way.extend_from_slice(segments);
            self.lead = lead;
        }
        self.reads_inside = true;
        self
    }

    /// Whether a difference at any of these places may change what is read.
    pub(crate) fn is_touched(&self, places: &Places) -> bool {
        places.iter().any(|place| {
            let is_inside = place.len() > self.way.len();
            let is_read = !is_inside || self.reads_inside || self.lead == Lead::Into;
            is_read && self.way.iter().zip(place).all(|(segment, key)| leads(segment, key))
        })
    }
}

/// Whether a segment may lead into a part of a value.
fn leads(segment: &Segment, key: &Key) -> bool {
    match (segment, key) {
        (Segment::Name(name, _), Key::Member(member)) => name == member,
        (Segment::Index(_), Key::Element) | (Segment::All | Segment::Below, _) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::{Footprint, places};
    use crate::path::{EvidencePath, Located, RelativePath};
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::{Value, json};

    fn exchange() -> Value {
        json!({ "items": [{ "id": 1, "tags": ["a"], "of": { "x": 0 } }, { "id": 2, "tags": [], "of": null }], "lines": ["one", "two"] })
    }

    #[rstest]
    #[case::the_field("@.items[*].id", "/items/1/id", true)]
    #[case::another_field("@.items[*].id", "/items/1/tags", false)]
    #[case::what_holds_the_field("@.items[*].id", "/items/1", true)]
    #[case::what_is_in_the_field("@.items[*].of", "/items/0/of/x", true)]
    #[case::another_element("@.items[0].id", "/items/1/id", true)]
    #[case::any_member("@.items[0].*", "/items/1/tags", true)]
    #[case::somewhere_below("@..id", "/lines/0", true)]
    #[case::what_a_filter_looks_at("@.items[?@.id == 1].tags", "/items/1/of", true)]
    #[case::beside_what_a_filter_looks_at("@.items[?@.id == 1].tags", "/lines/0", false)]
    fn a_path_is_touched_where_it_leads(#[case] path: &str, #[case] changed: &str, #[case] is_touched: bool) {
        let (before, mut after) = (exchange(), exchange());
        *after.pointer_mut(changed).unwrap() = json!("another");
        let footprint = Footprint::within(&RelativePath::parse(path).unwrap());
        assert_eq!(footprint.is_touched(&places(&before, &after)), is_touched);
    }

    #[test]
    fn nodes_are_touched_where_they_come_or_go() {
        let nodes = Footprint::within(&RelativePath::parse("@.items[*]").unwrap()).into_nodes();
        let (before, mut inside, mut more) = (exchange(), exchange(), exchange());
        inside["items"][0]["id"] = json!(7);
        assert!(!nodes.is_touched(&places(&before, &inside)));
        more["items"].as_array_mut().unwrap().push(json!({}));
        assert!(nodes.is_touched(&places(&before, &more)));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(json!(null)), (0..3).prop_map(|number| json!(number))];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
                prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_not_touched_finds_the_same(
            before in value(),
            after in value(),
            path in "\\[0\\]\\[0\\](\\.[abc]|\\[[01]\\]|\\.\\*|\\.\\.[abc]|\\[\\?@\\.[abc] == 1\\]){0,3}",
        ) {
            let path = EvidencePath::parse(&format!("${path}")).unwrap();
            let (before, after) = (json!([[before]]), json!([[after]]));
            if !Footprint::of(&path).is_touched(&places(&before[0][0], &after[0][0])) {
                let found = |evidence| -> Vec<(String, Value)> {
                    let found = path.exchanges(evidence).into_iter().flat_map(|exchange| path.inside(exchange));
                    found.map(|Located { pointer, value }| (pointer, value.clone())).collect()
                };
                prop_assert_eq!(found(&before), found(&after));
            }
        }
    }
}
