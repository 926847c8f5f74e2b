//! What there is to do: the cases that are selected, each at the endpoints that it makes sense at.

use super::Options;
use crate::load::{Case, Suite};
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
        if !options.contracts.is_empty() && !options.contracts.contains(&wanted.contract) {
            continue;
        }
        let of_transport = suite.transports.of(target.endpoints[endpoint].transport.kind());
        let always: Vec<&str> = of_transport
            .into_iter()
            .chain(&suite.contracts[contract].always)
            .map(|always| always.check.requirement.as_str())
            .collect();
        let cases = suite.contracts[contract].cases.iter().enumerate();
        let chosen = cases.filter(|(_, case)| {
            target.runs_at(endpoint, case, &suite.contracts[contract].contract) && is_chosen(case, &always, options)
        });
        jobs.extend(chosen.map(|(case, _)| Job { contract, case, endpoint }));
    }
    jobs
}

fn is_chosen(case: &Case, always: &[&str], options: &Options) -> bool {
    let by_name = options.case.as_ref().is_none_or(|part| case.name.contains(part.as_str()));
    let judges = |id: &String| case.checks.iter().any(|check| check.requirement == *id);
    // A requirement that is judged of every exchange is exercised by every case.
    let by_requirement = options.requirements.is_empty()
        || options.requirements.iter().any(|id| judges(id) || always.contains(&id.as_str()));
    by_name && by_requirement
}
