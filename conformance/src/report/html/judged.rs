//! What a page shows of a run: for each contract its requirements, each with what every endpoint makes of it, and its cases.

use crate::ledger::{Row, RunLog};
use crate::model::{ContractKey, Entry, Outcome, Place, Requirement};
use std::collections::{BTreeMap, BTreeSet};

/// A contract at one revision.
pub(super) struct Judged<'l> {
    pub(super) contract: ContractKey,
    /// Its endpoints.
    pub(super) places: Vec<Place>,
    /// The worst first, then by id.
    pub(super) requirements: Vec<Whole<'l>>,
    /// The cases by name.
    pub(super) cases: Vec<JudgedCase<'l>>,
}

/// A requirement at all endpoints of a contract.
pub(super) struct Whole<'l> {
    pub(super) requirement: &'l Requirement,
    /// What became of it, an endpoint each.
    pub(super) rows: Vec<&'l Row>,
    /// The checks, by the endpoint.
    pub(super) entries: Vec<&'l Entry>,
    /// The cases with a check of it, by position.
    pub(super) cases: BTreeSet<usize>,
}

/// A case at all endpoints of a contract.
pub(super) struct JudgedCase<'l> {
    pub(super) name: &'l str,
    pub(super) entries: Vec<&'l Entry>,
}

impl Judged<'_> {
    /// The contracts of a run, in its order.
    pub(super) fn all(log: &RunLog) -> Vec<Judged<'_>> {
        let mut all: Vec<Judged<'_>> = Vec::new();
        for place in log.ledger.places() {
            match all.iter_mut().find(|one| one.contract == place.contract) {
                Some(one) => one.places.push(place),
                None => all.push(Judged::of(log, place)),
            }
        }
        all
    }

    fn of(log: &RunLog, place: Place) -> Judged<'_> {
        let contract = place.contract.clone();
        let entries = || log.ledger.entries.iter().filter(|entry| entry.finding.contract == contract);
        let mut cases: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        let mut by_requirement: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        for entry in entries() {
            cases.entry(&entry.finding.case).or_default().push(entry);
            by_requirement.entry(&entry.finding.requirement).or_default().push(entry);
        }
        let positions: BTreeMap<&str, usize> = cases.keys().enumerate().map(|(at, name)| (*name, at)).collect();
        let mut rows: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in log.ledger.rows.iter().filter(|row| row.contract == contract) {
            rows.entry(&row.requirement.id).or_default().push(row);
        }
        let requirements = rows.into_iter().map(|(id, rows)| {
            let entries = by_requirement.remove(id).unwrap_or_default();
            let cases = entries.iter().filter_map(|entry| positions.get(entry.finding.case.as_str()).copied());
            Whole { requirement: &rows[0].requirement, cases: cases.collect(), rows, entries }
        });
        let mut requirements: Vec<Whole<'_>> = requirements.collect();
        let is_of_transport = |one: &Whole<'_>| one.requirement.owner() != contract.name();
        requirements.sort_by_key(|one| (std::cmp::Reverse(one.outcome()), is_of_transport(one)));
        let cases = cases.into_iter().map(|(name, entries)| JudgedCase { name, entries }).collect();
        Judged { contract, places: vec![place], requirements, cases }
    }
}

impl<'l> Whole<'l> {
    /// The worst outcome at any endpoint.
    pub(super) fn outcome(&self) -> Outcome {
        self.rows.iter().map(|row| row.outcome).max().unwrap_or(Outcome::NotExercised)
    }

    /// The outcomes, each once.
    pub(super) fn outcomes(&self) -> BTreeSet<Outcome> {
        self.rows.iter().map(|row| row.outcome).collect()
    }

    /// The checks of it at the endpoint of a row, the worst first.
    pub(super) fn entries_at(&self, row: &Row) -> Vec<&'l Entry> {
        let is_there = |entry: &&&Entry| entry.finding.transport == row.transport;
        let mut entries: Vec<&Entry> = self.entries.iter().filter(is_there).copied().collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.outcome));
        entries
    }
}

impl JudgedCase<'_> {
    /// The worst outcome of its checks; checks that look at nothing count only where all of them do.
    pub(super) fn outcome(&self) -> Outcome {
        let outcomes = || self.entries.iter().map(|entry| entry.outcome);
        let exercised = outcomes().filter(|outcome| *outcome != Outcome::NotExercised).max();
        exercised.or(outcomes().max()).unwrap_or(Outcome::NotExercised)
    }
}
