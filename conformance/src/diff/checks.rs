//! The checks of both sides, place by place: a case, or what always applies. What is judged elsewhere now is compared all the same.

use super::Seen;
use super::catalogue::{change, of_check};
use super::change::{Change, Class, sorted};
use super::reach::is_judged;
use super::side::ContractSide;
use super::touch::judging;
use crate::model::{CheckFile, Requirement};
use serde_json::{Value, json};
use std::collections::BTreeSet;

use Class::Compatible;

/// Collects the checks that are in no pair until every place was looked at.
pub(super) struct Checks<'s> {
    before: &'s ContractSide,
    now: &'s ContractSide,
    seen: &'s Seen,
    changes: Vec<Change>,
    gone: Vec<Unpaired<'s>>,
    new: Vec<Unpaired<'s>>,
}

/// A check that only one side has in this place.
struct Unpaired<'s> {
    place: String,
    check: &'s CheckFile,
    told: Told,
}

/// Whether a check that came or went is told of by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Its place stays.
    Alone,
    /// Its case came or went, which is told.
    WithItsPlace,
}

impl<'s> Checks<'s> {
    pub(super) fn new((before, now): (&'s ContractSide, &'s ContractSide), seen: &'s Seen) -> Self {
        Self { before, now, seen, changes: Vec::new(), gone: Vec::new(), new: Vec::new() }
    }

    /// Compares the checks of one place, by their requirement. What requirements themselves did is told elsewhere.
    pub(super) fn compare(
        &mut self,
        place: &str,
        was: impl Iterator<Item = &'s CheckFile>,
        is: impl Iterator<Item = &'s CheckFile>,
        told: Told,
    ) {
        let has = |side: &ContractSide, id: &str| side.contract.requirement(id).is_some();
        let on_both = |check: &&CheckFile| has(self.before, &check.requirement) && has(self.now, &check.requirement);
        let was: Vec<&CheckFile> = was.filter(on_both).collect();
        let is: Vec<&CheckFile> = is.filter(on_both).collect();
        let ids: BTreeSet<&str> = was.iter().chain(&is).map(|check| check.requirement.as_str()).collect();
        let unpaired = |check: &&'s CheckFile| Unpaired { place: place.to_owned(), check, told };
        for id in ids {
            let old: Vec<&CheckFile> = was.iter().copied().filter(|check| check.requirement == id).collect();
            let fresh: Vec<&CheckFile> = is.iter().copied().filter(|check| check.requirement == id).collect();
            for (old, fresh) in old.iter().zip(&fresh) {
                self.changes.extend(of_check((self.before, self.now), place, (old, fresh), self.seen));
            }
            self.gone.extend(old.iter().skip(fresh.len()).map(unpaired));
            self.new.extend(fresh.iter().skip(old.len()).map(unpaired));
        }
    }

    /// Every change: those of checks that stayed, that are judged elsewhere, that came and that went.
    pub(super) fn told(mut self) -> Vec<Change> {
        let is_alike = |one: &Unpaired<'_>, other: &Unpaired<'_>| judging(one.check) == judging(other.check);
        let is_of_one = |one: &Unpaired<'_>, other: &Unpaired<'_>| one.check.requirement == other.check.requirement;
        let mut pairs = self.paired(is_alike);
        pairs.extend(self.paired(is_of_one));
        for (old, fresh) in pairs {
            let id = &fresh.check.requirement;
            let subject = format!("{}: {id}", fresh.place);
            match of_check((self.before, self.now), &fresh.place, (old.check, fresh.check), self.seen) {
                Some(mut change) if change.kind == "check-changed" => {
                    change.says.push_str(&format!("; it was judged in {}", old.place));
                    self.changes.push(change);
                }
                _ if (old.told, fresh.told) == (Told::WithItsPlace, Told::WithItsPlace) => {}
                _ => {
                    let says = format!("{id} is judged here, not in {}", old.place);
                    let both = (json!(old.place), json!(fresh.place));
                    self.changes.push(change(self.now, "check-moved", &subject, both, says, (Compatible, Compatible)));
                }
            }
        }
        let told = |check: &CheckFile| sorted(&serde_json::to_value(check).unwrap_or_default());
        for Unpaired { place, check, told: how } in &self.gone {
            let id = check.requirement.as_str();
            // That nothing judges it any more is told of the requirement.
            if *how == Told::Alone && (!is_binding(self.now, id) || is_judged(self.now, id)) {
                let (subject, says) = (format!("{place}: {id}"), format!("{id} is not judged here any more"));
                let both = (told(check), Value::Null);
                self.changes.push(change(self.now, "check-removed", &subject, both, says, (Compatible, Compatible)));
            }
        }
        for Unpaired { place, check, .. } in self.new.iter().filter(|one| one.told == Told::Alone) {
            let id = check.requirement.as_str();
            let (subject, says) = (format!("{place}: {id}"), format!("{id} is judged here too"));
            let both = (Value::Null, told(check));
            self.changes.push(change(self.now, "check-added", &subject, both, says, (Compatible, Compatible)));
        }
        self.changes
    }

    /// Takes out the checks that belong together.
    fn paired(&mut self, belong: impl Fn(&Unpaired<'_>, &Unpaired<'_>) -> bool) -> Vec<(Unpaired<'s>, Unpaired<'s>)> {
        let mut pairs = Vec::new();
        let gone = std::mem::take(&mut self.gone);
        for old in gone {
            match self.new.iter().position(|fresh| belong(&old, fresh)) {
                Some(at) => pairs.push((old, self.new.remove(at))),
                None => self.gone.push(old),
            }
        }
        pairs
    }
}

fn is_binding(side: &ContractSide, id: &str) -> bool {
    side.contract.requirement(id).is_some_and(Requirement::binds)
}
