//! The places of records in an outline: what each stands below, how far it is indented, what comes first. "Encoding Rules", 5.

use super::pairs::{Compared, Pair, Pairs};
use crate::model::Detail;
use crate::rules::whole;
use serde_json::Value;

impl Pairs<'_> {
    /// Below the record that is its parent, or at the left edge when it has none. Knots and orphans are free.
    pub(super) fn parent(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let parent = &pair.full["parent_id"];
        let listed = self.listed_parent(pair.id);
        if self.is_knot(pair.id) || (!parent.is_null() && listed.is_none()) {
            return None;
        }
        Some(self.misplaced(at, shown, listed))
    }

    /// What a record stands below, if anything, is above it in the tree.
    pub(super) fn below_ancestor(&self, pair: &Pair<'_>) -> Compared {
        let wrong = |at: &usize| {
            let Some(above) = self.records[*at]["parent"].as_str() else { return Some(None) };
            let is_below = self.is_below(pair.id, above)?;
            Some((!is_below).then(|| {
                let message = format!("line {}: {} stands below {above}", self.records[*at]["line"], pair.id);
                Detail::new(format!("{message}, which is not above it in the tree")).at(self.at(*at))
            }))
        };
        let told: Vec<Option<Detail>> = pair.places.iter().filter_map(wrong).collect();
        (!told.is_empty()).then(|| told.into_iter().flatten().next())
    }

    /// What a record stands below is its parent.
    pub(super) fn below_parent(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        (!shown["parent"].is_null() && !self.is_knot(pair.id))
            .then(|| self.misplaced(at, shown, self.listed_parent(pair.id)))
    }

    /// A record whose parent is not listed stands at the left edge.
    pub(super) fn orphan(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        (pair.full["parent_id"].is_string() && self.listed_parent(pair.id).is_none())
            .then(|| self.misplaced(at, shown, None))
    }

    fn misplaced(&self, at: usize, shown: &Value, parent: Option<&str>) -> Option<Detail> {
        let same = match (parent, shown["parent"].as_str()) {
            (Some(due), Some(came)) => self.names.whole(came) == due,
            (due, came) => due.is_none() && came.is_none(),
        };
        let name = |parent: Option<&str>| parent.map_or_else(|| "no record".to_owned(), str::to_owned);
        let (due, came) = (name(parent), name(shown["parent"].as_str()));
        self.unequal(at, "place below", &due.into(), &came.into(), same)
    }

    /// Behind its elder sibling of the full answer.
    pub(super) fn order(&self, pair: &Pair<'_>) -> Compared {
        let (at, _) = pair.shown?;
        let elder = self.elder(pair.id)?;
        let (elder_at, _) = elder.shown?;
        let late =
            || Detail::new(format!("{} comes before {}, which is before it in {}", pair.id, elder.id, elder.place));
        Some((elder_at > at).then(|| late().at(self.at(at))))
    }

    /// A record that stands right below its parent is two spaces deeper.
    pub(super) fn step(&self, pair: &Pair<'_>) -> Compared {
        let parent = self.listed_parent(pair.id)?;
        let below = |at: &usize| {
            let shown = &self.records[*at];
            let depth = shown["depth"].as_u64()?.checked_sub(1)?;
            let above = self.records[..*at].iter().rev().find(|above| above["depth"] == depth)?;
            (self.names.whole(above["id"].as_str()?) == parent).then_some((*at, above, shown))
        };
        let steps: Vec<_> = pair.places.iter().filter_map(below).collect();
        let is_wrong = |above: &Value, shown: &Value| {
            let [above, shown] = [above, shown].map(|record| record["indent"].as_u64().unwrap_or_default());
            shown != above + 2
        };
        (!steps.is_empty()).then(|| {
            let (at, above, shown) = steps.into_iter().find(|(_, above, shown)| is_wrong(above, shown))?;
            let message = format!("line {}: expected two spaces more than {parent} has", shown["line"]);
            let detail = Detail::new(message).at(self.at(at));
            Some(detail.compare(
                above["indent"].as_u64().unwrap_or_default().saturating_add(2).into(),
                shown["indent"].clone(),
            ))
        })
    }

    /// Whether a record stands below one that says to hide children.
    pub(super) fn is_hidden(&self, pair: &Pair<'_>) -> bool {
        let (mut above, mut steps) = (self.listed_parent(pair.id), 0);
        while let Some(id) = above.filter(|_| steps <= self.all.len()) {
            let hides = |at: &usize| self.records[*at]["hidden"].as_u64().is_some_and(|hidden| hidden > 0);
            if self.of_id(id).is_some_and(|shown| shown.places.iter().any(hides)) {
                return true;
            }
            (above, steps) = (self.listed_parent(id), steps + 1);
        }
        false
    }

    /// A record that says how many children it hides has so many that are not shown.
    pub(super) fn hidden(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let said = shown["hidden"].as_u64()?;
        let is_child = |one: &&Pair<'_>| one.full["parent_id"] == pair.id;
        let (shown_too, lacking): (Vec<&Pair<'_>>, Vec<&Pair<'_>>) =
            self.all.iter().filter(is_child).partition(|child| child.shown.is_some());
        // The list may leave children out that it counts.
        let counted = whole(&pair.full["children_count"]).unwrap_or_default();
        let due = counted.saturating_sub(shown_too.len() as u64);
        let same = said == due || said == lacking.len() as u64;
        Some(self.unequal(at, "number of hidden children", &due.into(), &said.into(), same))
    }
}
