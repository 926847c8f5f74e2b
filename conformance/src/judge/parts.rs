//! What is judged of the evidence of a case, kept apart, so that what is judged of any part of it can be put together.

use super::{Judgement, Readers, Scope, allowed, judge_always, judge_check, merged};
use crate::load::{Always, Case, ContractSuite};
use crate::path::exchanges;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What is judged of evidence, by what it comes from.
#[derive(Debug)]
pub struct Parts {
    readers: Readers,
    /// By the position of the check in its case.
    own: Vec<Judgement>,
    /// What the case knows to be allowed, by the step.
    allowed: Vec<(usize, Judgement)>,
    /// What always applies, by the exchange.
    always: BTreeMap<(usize, usize), Vec<Judgement>>,
}

impl Parts {
    /// Judges evidence by each check and each exchange.
    pub fn of(case: &Case, suite: &ContractSuite, transports: &[&Always], evidence: &Value) -> Self {
        let readers = Readers::of(case, evidence);
        let always = exchanges(evidence).map(|one| {
            let alone = BTreeSet::from([(one.step, one.index)]);
            let scope = Scope::Changed { exchanges: &alone, readers: &readers };
            ((one.step, one.index), judge_always(scope, case, suite, transports, evidence))
        });
        Self {
            always: always.collect(),
            own: case.checks.iter().map(|check| judge_check(check, case, evidence)).collect(),
            allowed: allowed(case, evidence).collect(),
            readers,
        }
    }

    /// What these exchanges can alter.
    pub(crate) fn scope<'s>(&'s self, exchanges: &'s BTreeSet<(usize, usize)>) -> Scope<'s> {
        Scope::Changed { exchanges, readers: &self.readers }
    }

    /// What is judged within a scope, one judgement for each requirement.
    pub(crate) fn within(&self, scope: Scope<'_>) -> Vec<Judgement> {
        let own = self.own.iter().enumerate().filter(|(at, _)| scope.has_check(*at)).map(|(_, judgement)| judgement);
        let allowed = self.allowed.iter().filter(|(step, _)| scope.has_step(*step)).map(|(_, judgement)| judgement);
        let always = self.always.iter().filter(|((step, index), _)| scope.has(*step, *index));
        let all = own.chain(allowed).chain(always.flat_map(|(_, judgements)| judgements));
        merged(all.cloned().collect())
    }
}
