//! The references of a full answer, each with the records of an outline that it is, and the tree that they make.

use super::ids::Names;
use crate::model::Detail;
use crate::path::Located;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Nothing where the relation says nothing of a record, else what is wrong, if anything is.
pub(super) type Compared = Option<Option<Detail>>;

/// A reference, and the record of the outline that it is.
pub(super) struct Pair<'e> {
    pub(super) id: &'e str,
    pub(super) full: &'e Value,
    /// Where the reference stands.
    pub(super) place: &'e str,
    /// The first record of this id, and its place.
    pub(super) shown: Option<(usize, &'e Value)>,
    /// The places of every record of this id.
    pub(super) places: Vec<usize>,
}

/// The references of a full answer with their records.
pub(super) struct Pairs<'e> {
    pub(super) outline: &'e Located<'e>,
    pub(super) records: &'e [Value],
    pub(super) all: Vec<Pair<'e>>,
    pub(super) names: Names<'e>,
    by_id: HashMap<&'e str, usize>,
    /// The ids of records that are their own ancestors.
    knots: HashSet<&'e str>,
    /// For each record, the last one before it of the same parent.
    elders: Vec<Option<usize>>,
}

impl<'e> Pairs<'e> {
    pub(super) fn of(outline: &'e Located<'e>, full: &'e [Located<'e>]) -> Self {
        let records = outline.value["records"].as_array().map_or(&[][..], Vec::as_slice);
        let written: Vec<&str> = records.iter().map(|record| text(record, "id")).collect();
        let known: Vec<&str> = full.iter().map(|node| text(node.value, "id")).collect();
        let names = Names::of(&written, &known);
        let pair = |node: &'e Located<'e>| {
            let id = text(node.value, "id");
            let places = names.places(id).to_vec();
            let shown = places.first().map(|at| (*at, &records[*at]));
            Pair { id, full: node.value, place: &node.pointer, shown, places }
        };
        let all: Vec<Pair<'e>> = full.iter().map(pair).collect();
        let by_id = all.iter().enumerate().map(|(at, pair)| (pair.id, at)).collect();
        let (knots, elders) = (HashSet::new(), Vec::new());
        let mut pairs = Self { outline, records, all, names, by_id, knots, elders };
        pairs.knots = pairs.knots();
        pairs.elders = pairs.elders();
        pairs
    }

    /// The records that stand above themselves.
    fn knots(&self) -> HashSet<&'e str> {
        let mut knots = HashSet::new();
        let mut settled = HashSet::new();
        for pair in &self.all {
            let (mut path, mut on_path) = (Vec::new(), HashSet::new());
            let mut next = Some(pair.id);
            while let Some(id) = next.filter(|id| !settled.contains(id)) {
                if !on_path.insert(id) {
                    knots.extend(path.iter().copied().skip_while(|above| *above != id));
                    break;
                }
                path.push(id);
                next = self.listed_parent(id);
            }
            settled.extend(path);
        }
        knots
    }

    fn elders(&self) -> Vec<Option<usize>> {
        let mut last: HashMap<Option<&str>, usize> = HashMap::new();
        let places = self.all.iter().enumerate();
        places.map(|(at, pair)| last.insert(self.listed_parent(pair.id), at)).collect()
    }

    /// Whether a record stands above itself.
    pub(super) fn is_knot(&self, id: &str) -> bool {
        self.knots.contains(id)
    }

    /// The reference of this id, with its records.
    pub(super) fn of_id(&self, id: &str) -> Option<&Pair<'e>> {
        self.by_id.get(id).map(|at| &self.all[*at])
    }

    /// The parent of a record, when it is listed too.
    pub(super) fn listed_parent(&self, id: &str) -> Option<&'e str> {
        let parent = self.all[*self.by_id.get(id)?].full["parent_id"].as_str()?;
        self.by_id.get(parent).map(|at| self.all[*at].id)
    }

    /// Whether a written id names an ancestor of a record. Nothing where the ancestors lead into a knot or out of the list.
    pub(super) fn is_below(&self, id: &str, written: &str) -> Option<bool> {
        let (mut below, above) = (id, self.names.whole(written));
        loop {
            let at = *self.by_id.get(below)?;
            if self.is_knot(below) {
                return None;
            }
            let parent = &self.all[at].full["parent_id"];
            let Some(parent) = parent.as_str() else { return Some(false) };
            if above == parent {
                return Some(true);
            }
            below = parent;
        }
    }

    /// The last reference before this one that has the same parent.
    pub(super) fn elder(&self, id: &str) -> Option<&Pair<'e>> {
        self.elders[*self.by_id.get(id)?].map(|at| &self.all[at])
    }

    /// The places of records that no reference names.
    pub(super) fn strangers(&self) -> Vec<usize> {
        let named: HashSet<usize> = self.all.iter().flat_map(|pair| pair.places.iter().copied()).collect();
        (0..self.records.len()).filter(|at| !named.contains(at)).collect()
    }

    pub(super) fn at(&self, record: usize) -> String {
        format!("{}/records/{record}", self.outline.pointer)
    }
}

/// A text field, empty where there is none.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}
