//! What there is to do: the cases that are selected, each at the endpoints that it makes sense at.

use super::Options;
use crate::load::{Case, ContractSuite, Suite};
use crate::model::Presence;
use crate::targets::{Route, Target};
use std::collections::BTreeSet;

/// One case at one endpoint, by position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    pub(super) contract: usize,
    pub(super) case: usize,
    pub(super) endpoint: usize,
    /// Whether what is proven of the case is proven here: its evidence says the same of a contract over any stream that carries the
    /// same messages, so it is done at the first endpoint of each protocol and era.
    pub(super) is_first: bool,
}

impl Job {
    /// The contract and the case; nothing where the contract cannot be read, of which no job is made.
    pub(super) fn of<'s>(&self, suite: &'s Suite) -> Option<(&'s ContractSuite, &'s Case)> {
        let contract = suite.nth(self.contract)?;
        Some((contract, contract.cases.get(self.case)?))
    }

    /// The way of the case, or what the target lacks for it.
    pub(super) fn route<'t>(&self, suite: &Suite, target: &'t Target) -> Result<Route<'t>, String> {
        let (contract, case) = self.of(suite).ok_or("its contract cannot be read")?;
        target.route(self.endpoint, case, &contract.contract)
    }

    /// The same, where it is known what the endpoints hold of the corpus.
    pub(super) fn way<'t>(&self, suite: &Suite, target: &'t Target, corpora: &[Presence]) -> Result<Route<'t>, String> {
        let route = self.route(suite, target)?;
        let needs_corpus = self.of(suite).is_some_and(|(_, case)| case.corpus_part().is_some());
        let place = &target.places()[self.endpoint];
        let lacks = |presence: &&Presence| presence.place == *place && presence.is_absent();
        match corpora.iter().find(lacks).filter(|_| needs_corpus) {
            Some(_) => Err("needs the corpus, which is not there".to_owned()),
            None => Ok(route),
        }
    }
}

/// Every selected case, at every endpoint that speaks what it calls.
pub(super) fn jobs(suite: &Suite, target: &Target, options: &Options) -> Vec<Job> {
    let (mut jobs, mut seen) = (Vec::new(), BTreeSet::new());
    for (endpoint, wanted) in target.endpoints.iter().enumerate() {
        let Some(contract) = suite.position(&wanted.contract) else { continue };
        let Some(of_contract) = suite.nth(contract) else { continue };
        if !options.selection.has_contract(wanted.contract.name()) {
            continue;
        }
        let channel = wanted.transport.channel();
        let chosen = options.selection.cases(suite, of_contract, channel);
        let chosen = chosen.filter(|(_, case)| target.runs_at(endpoint, case, &of_contract.contract));
        jobs.extend(chosen.map(|(case, _)| {
            let is_first = seen.insert((contract, case, channel.protocol(), channel.era()));
            Job { contract, case, endpoint, is_first }
        }));
    }
    jobs
}
