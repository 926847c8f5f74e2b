//! Which cases of a suite a selection names, and at which endpoints they run.

use super::{Case, ContractSuite, Suite};
use crate::model::{Channel, Contract, Place, Selection, Shard, Spoken};
use std::collections::BTreeSet;

impl Selection {
    /// The cases of a contract that are asked for over a transport, by position.
    pub(crate) fn cases<'s>(
        &'s self,
        suite: &'s Suite,
        contract: &'s ContractSuite,
        kind: Channel,
    ) -> impl Iterator<Item = (usize, &'s Case)> {
        let always = suite.transports.of(kind).into_iter().chain(&contract.always);
        let always: Vec<&str> = always.map(|always| always.check.requirement.as_str()).collect();
        let in_shard = self.shard.map(|shard| shard.cases(suite, contract));
        let is_in_shard = move |case: &Case| in_shard.as_ref().is_none_or(|names| names.contains(case.name.as_str()));
        let cases = contract.cases.iter().enumerate();
        cases.filter(move |(_, case)| is_in_shard(case) && self.has_case(case, &always))
    }

    fn has_case(&self, case: &Case, always: &[&str]) -> bool {
        let by_name = self.has_case_named(&case.name);
        let judges = |id: &String| case.requirements().contains(&id.as_str());
        // A requirement that is judged of every exchange is exercised by every case.
        let by_requirement = self.requirements.is_empty()
            || self.requirements.iter().any(|id| judges(id) || always.contains(&id.as_str()));
        by_name && by_requirement
    }
}

impl Shard {
    /// The names of the cases of a contract that belong to it. Cases are dealt out one by one, over all contracts, so that each
    /// shard gets as many as the others, and neighbours, which often cost alike, go to different ones.
    pub(crate) fn cases<'s>(self, suite: &'s Suite, contract: &'s ContractSuite) -> BTreeSet<&'s str> {
        let name = |contract: &ContractSuite| contract.contract.name.clone();
        let before = suite.contracts.iter().filter(|other| name(other) < name(contract));
        let first: usize = before.map(|other| other.cases.len()).sum();
        let names: BTreeSet<&str> = contract.cases.iter().map(|case| case.name.as_str()).collect();
        let is_ours = |at: usize| (first + at) % usize::from(self.of()) == usize::from(self.number() - 1);
        names.into_iter().enumerate().filter(|(at, _)| is_ours(*at)).map(|(_, name)| name).collect()
    }
}

/// Whether a case runs at an endpoint, by position: a case whose steps name transports runs once, at the first endpoint
/// of one of them; any other case wherever all that it calls is spoken. `spoken` is what the endpoint was found to speak, where that is MCP.
pub(crate) fn runs_at(
    endpoints: &[Place],
    spoken: Option<&Spoken>,
    at: usize,
    case: &Case,
    contract: &Contract,
) -> bool {
    let home = &endpoints[at];
    let (beside, alone) = spoken.map_or((false, false), |spoken| (spoken.beside, spoken.alone));
    if beside && !case.of_protocol || case.alone && !alone || !home.transport.is_in(case.era) {
        return false;
    }
    let named = case.transports();
    let is_named = |place: &Place| {
        place.transport.is_in(case.era) && named.iter().any(|family| family.covers(place.transport.kind()))
    };
    let mut earlier = endpoints[..at].iter().filter(|other| other.contract == home.contract);
    let is_first = named.is_empty() || is_named(home) && !earlier.any(is_named);
    is_first && case.is_spoken_over(contract, home.transport.kind())
}
