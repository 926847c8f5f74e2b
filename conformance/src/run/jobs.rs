//! What there is to do: the cases that are selected, each at the endpoints that it makes sense at.

use super::Options;
use crate::load::Suite;
use crate::target::{Route, Target};

/// One case at one endpoint, by position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    pub(super) contract: usize,
    pub(super) case: usize,
    pub(super) endpoint: usize,
}

impl Job {
    /// The way of the case, or what the target lacks for it.
    pub(super) fn route<'t>(&self, suite: &Suite, target: &'t Target) -> Result<Route<'t>, String> {
        let contract = &suite.contracts[self.contract];
        target.route(self.endpoint, &contract.cases[self.case], &contract.contract)
    }
}

/// Every selected case, at every endpoint that speaks what it calls.
pub(super) fn jobs(suite: &Suite, target: &Target, options: &Options) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (endpoint, wanted) in target.endpoints.iter().enumerate() {
        let position = suite.contracts.iter().position(|contract| contract.contract.name == wanted.contract);
        let Some(contract) = position else { continue };
        if !options.selection.has_contract(&wanted.contract) {
            continue;
        }
        let of_contract = &suite.contracts[contract];
        let chosen = options.selection.cases(suite, of_contract, wanted.transport.kind());
        let chosen = chosen.filter(|(_, case)| target.runs_at(endpoint, case, &of_contract.contract));
        jobs.extend(chosen.map(|(case, _)| Job { contract, case, endpoint }));
    }
    jobs
}
