//! The requirements of a run: those of each contract at the revision that an endpoint speaks, and those of the transports.

use crate::load::Suite;
use crate::model::{ContractKey, Finding, Requirement, Selection};
use std::collections::BTreeMap;

/// Every requirement of a run, by contract and id.
#[derive(Debug, Clone, Default)]
pub struct Requirements(BTreeMap<ContractKey, BTreeMap<String, Requirement>>);

impl FromIterator<(ContractKey, Requirement)> for Requirements {
    fn from_iter<I: IntoIterator<Item = (ContractKey, Requirement)>>(all: I) -> Self {
        let mut known = Self::default();
        for (key, requirement) in all {
            known.0.entry(key).or_default().insert(requirement.id.clone(), requirement);
        }
        known
    }
}

impl Requirements {
    /// Those of these contracts, as far as anything is said of them.
    pub(super) fn of<'k>(suite: &Suite, keys: impl Iterator<Item = &'k ContractKey>, said: &Selection) -> Self {
        let of_transports = &suite.transports.requirements;
        let all = keys.map(|key| {
            let own = suite.keyed(key).into_iter().flat_map(|one| &one.contract.requirements);
            let told = own.chain(of_transports).filter(|one| said.speaks_of(one));
            (key.clone(), told.map(|one| (one.id.clone(), one.clone())).collect())
        });
        Self(all.collect())
    }

    /// Those of a contract and of the transports.
    pub(super) fn at(&self, key: &ContractKey) -> impl Iterator<Item = &Requirement> {
        self.0.get(key).into_iter().flat_map(BTreeMap::values)
    }

    /// A requirement as a contract has it.
    pub fn get(&self, key: &ContractKey, id: &str) -> Option<&Requirement> {
        self.0.get(key)?.get(id)
    }

    /// The requirement that a finding is about.
    pub fn of_finding(&self, finding: &Finding) -> Option<&Requirement> {
        self.get(&finding.contract, &finding.requirement)
    }

    /// Whether a contract has a requirement, at any revision of the run.
    pub(super) fn has(&self, id: &str) -> bool {
        self.0.values().any(|all| all.contains_key(id))
    }

    /// A requirement, as the first contract of the run has it.
    pub fn first(&self, id: &str) -> Option<&Requirement> {
        self.0.values().find_map(|all| all.get(id))
    }
}
