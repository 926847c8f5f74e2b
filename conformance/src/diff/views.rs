//! Which views are compared: each with itself, and a new revision with the one before it.

use super::approval::{self, Pair, Standing};
use super::catalogue::change;
use super::change::{Change, Class};
use super::{ContractSide, Diff, FORMAT, Reviewed, Seen, Side, compare};
use crate::model::ContractKey;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

use Class::{Breaking, Compatible};

impl Diff {
    /// Compares two sides. `seen` are documents to look for witnesses in: recorded answers.
    ///
    /// Each view is compared with itself. A new revision is compared with the one before it on its own side, since what it departs
    /// from is a part of the change.
    pub fn of((before, was): (&str, &Side), (now, is): (&str, &Side), seen: &Seen) -> Self {
        let mut diff = Self::empty(before, now);
        let names: BTreeSet<&str> = was.contracts.keys().chain(is.contracts.keys()).map(ContractKey::name).collect();
        for name in names {
            match (was.of(name).next(), is.of(name).next()) {
                (Some(_), Some(_)) => diff.contract(name, was, is, seen),
                (Some(old), None) => diff.add(vec![compare::come_or_gone(old, false)], None, &[]),
                (None, Some(fresh)) => diff.add(vec![compare::come_or_gone(fresh, true)], None, &[fresh]),
                (None, None) => {}
            }
        }
        diff.sorted()
    }

    /// Compares two revisions of one contract.
    pub fn between(before: &ContractSide, now: &ContractSide, seen: &Seen) -> Self {
        let mut diff = Self::empty(&before.contract.key().full(), &now.contract.key().full());
        diff.add_pair(before, now, seen);
        diff.sorted()
    }

    /// One contract that both sides have.
    fn contract(&mut self, name: &str, was: &Side, is: &Side, seen: &Seen) {
        let keys: BTreeSet<&ContractKey> =
            was.contracts.keys().chain(is.contracts.keys()).filter(|key| key.name() == name).collect();
        for key in keys {
            match (was.contracts.get(key), is.contracts.get(key)) {
                (Some(old), Some(fresh)) => self.add_pair(old, fresh, seen),
                (Some(old), None) => {
                    let says = format!("the revision {} is gone", titled(old));
                    let told = json!(old.contract.document);
                    let classes = (Compatible, Breaking);
                    let gone = change(old, "revision-removed", &key.full(), (told, Value::Null), says, classes);
                    let others: Vec<&ContractSide> = is.of(name).collect();
                    let pair = Pair::of_one(key.revision());
                    self.add(vec![gone], Some(pair), &others);
                }
                (None, Some(fresh)) => {
                    let says = format!("the revision {} is new", titled(fresh));
                    let told = json!(fresh.contract.document);
                    let classes = (Compatible, Compatible);
                    let new = change(fresh, "revision-added", &key.full(), (Value::Null, told), says, classes);
                    let earlier = is.of(name).filter(|one| one.contract.revision < key.revision()).last();
                    let before = earlier.map_or(0, |one| one.contract.revision);
                    self.add(vec![new], Some(Pair { before, now: key.revision() }), &[fresh]);
                    if let Some(earlier) = earlier {
                        self.add_pair(earlier, fresh, seen);
                    }
                }
                (None, None) => {}
            }
        }
    }

    fn add_pair(&mut self, before: &ContractSide, now: &ContractSide, seen: &Seen) {
        let pair = Pair { before: before.contract.revision, now: now.contract.revision };
        self.add(compare::views(before, now, seen), Some(pair), &[before, now]);
    }

    /// Adds changes. `sides` are those that they are about; the last one says what was approved.
    fn add(&mut self, changes: Vec<Change>, pair: Option<Pair>, sides: &[&ContractSide]) {
        let approvals = sides.last().map_or_else(Vec::new, |side| approval::read(&side.approvals));
        let is_frozen =
            sides.iter().any(|side| side.revision.frozen && Some(side.contract.revision) == pair.map(|pair| pair.now));
        let whole = |pair: Pair| approval::whole(&sides.last()?.whole, pair);
        if !changes.is_empty() {
            for side in sides.iter().filter(|side| !side.revision.name.is_empty()) {
                self.names.insert(side.contract.key().to_string(), side.revision.name.clone());
            }
        }
        for change in changes {
            let fingerprint = change.fingerprint();
            let standing = match change.needs_reason(is_frozen && pair.is_some_and(Pair::is_of_one)) {
                true => {
                    let pair = pair.unwrap_or(Pair::of_one(ContractKey::FIRST));
                    match (approval::standing(&fingerprint, &approvals, pair, is_frozen), whole(pair)) {
                        (Standing::Unapproved { .. }, Some(reason)) => Standing::Approved { reason },
                        (standing, _) => standing,
                    }
                }
                false => Standing::Free,
            };
            let is_alike = |other: &&mut Reviewed| {
                let is_of_one = |pairs: &[Pair]| pairs.iter().all(|pair| pair.is_of_one());
                other.fingerprint == fingerprint && is_of_one(&other.revisions) == pair.is_none_or(Pair::is_of_one)
            };
            // A change that two revisions have alike is one change.
            match self.changes.iter_mut().find(is_alike) {
                Some(other) => other.join(change, pair, standing),
                None => {
                    self.changes.push(Reviewed { change, revisions: pair.into_iter().collect(), fingerprint, standing })
                }
            }
        }
    }

    fn empty(before: &str, now: &str) -> Self {
        Self {
            format: FORMAT.to_owned(),
            before: before.to_owned(),
            now: now.to_owned(),
            changes: Vec::new(),
            names: BTreeMap::new(),
            turned: Vec::new(),
        }
    }

    fn sorted(mut self) -> Self {
        self.changes.sort_by_key(|one| {
            let worst = one.change.implementations.min(one.change.clients);
            (one.change.contract.clone(), one.revisions.clone(), worst, one.change.asks.is_none())
        });
        self
    }
}

impl Reviewed {
    /// The same change of another view: the worse of what it means there and here.
    fn join(&mut self, other: Change, pair: Option<Pair>, standing: Standing) {
        self.revisions.extend(pair);
        let change = &mut self.change;
        change.implementations = change.implementations.min(other.implementations);
        change.clients = change.clients.min(other.clients);
        change.witness = change.witness.take().or(other.witness);
        change.asks = change.asks.take().or(other.asks);
        change.lacks = change.lacks.take().or(other.lacks);
        change.follows &= other.follows;
        match (&self.standing, &standing) {
            (Standing::Unapproved { .. }, _) | (_, Standing::Free) => {}
            _ => self.standing = standing,
        }
    }
}

/// A revision with what its users call it.
fn titled(side: &ContractSide) -> String {
    let number = side.contract.revision;
    match side.revision.name.as_str() {
        "" => number.to_string(),
        name => format!("{number} ({name})"),
    }
}
