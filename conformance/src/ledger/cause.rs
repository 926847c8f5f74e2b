//! Which requirement names a fault, and which others only follow from it.
//!
//! The counterexamples say so: each damages what one requirement speaks of, and `also` names those that fail by the same damage.

use crate::load::{Check, Suite};
use crate::model::{Channel, ContractKey, Entry, Finding, Outcome, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// The requirements that a requirement can follow from.
pub(super) struct Causes<'s>(BTreeMap<&'s str, BTreeSet<&'s str>>);

impl<'s> Causes<'s> {
    /// What the counterexamples of a suite tell. Of two requirements that name each other, neither is the cause.
    pub(super) fn of(suite: &'s Suite) -> Self {
        let of_transports = suite.transports.checks.values().flatten().map(|always| &always.check);
        let of_contracts = suite.read_so_far().flat_map(|contract| {
            let of_cases = contract.cases.iter().flat_map(|case| &case.checks);
            contract.always.iter().map(|always| &always.check).chain(of_cases)
        });
        let mut all: BTreeSet<(&str, &str)> = BTreeSet::new();
        for check in of_transports.chain(of_contracts) {
            all.extend(named(check));
        }
        let mut causes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (cause, other) in all.iter().copied().filter(|(cause, other)| !all.contains(&(*other, *cause))) {
            causes.entry(other).or_default().insert(cause);
        }
        Self(causes)
    }

    /// Marks what follows from another failure of its case, and puts the causes first.
    pub(super) fn mark(&self, entries: &mut [Entry]) {
        for of_case in entries.chunk_by_mut(|one, other| place(&one.finding) == place(&other.finding)) {
            let failed = of_case.iter().filter(|entry| entry.finding.verdict == Verdict::Fail);
            let advises = |entry: &Entry| matches!(entry.outcome, Outcome::Advice | Outcome::ClientAdvice);
            let failed: Vec<(String, bool)> =
                failed.map(|entry| (entry.finding.requirement.clone(), advises(entry))).collect();
            let cause = |id: &str| {
                let (_, is_advice) = failed.iter().find(|(one, _)| one == id)?;
                let causes = self.0.get(id)?;
                // What binds is not explained by advice.
                let may_be = |(one, advises): &&(String, bool)| causes.contains(one.as_str()) && *is_advice >= *advises;
                failed.iter().find(may_be).map(|(one, _)| one)
            };
            for entry in of_case.iter_mut() {
                entry.follows = self.first(&entry.finding.requirement, &cause);
            }
            of_case.sort_by_key(|entry| entry.follows.is_some());
        }
    }

    /// The failure at the beginning of what a failure follows from.
    fn first<'f>(&self, id: &'f str, cause: &impl Fn(&str) -> Option<&'f String>) -> Option<String> {
        let mut passed = BTreeSet::from([id]);
        let mut first = None;
        while let Some(next) = cause(first.map_or(id, String::as_str)).filter(|next| passed.insert(next.as_str())) {
            first = Some(next);
        }
        first.cloned()
    }
}

fn named(check: &Check) -> impl Iterator<Item = (&str, &str)> {
    let also = check.broken_by.iter().flat_map(|mistake| &mistake.also);
    also.map(|other| (check.requirement.as_str(), other.as_str()))
}

fn place(finding: &Finding) -> (&ContractKey, Channel, &str) {
    (&finding.contract, finding.transport, &finding.case)
}
