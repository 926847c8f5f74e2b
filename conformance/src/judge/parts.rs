//! What is judged of the evidence of a case, kept apart, so that what is judged of any part of it can be put together.

use super::{Changes, Judgement, Readers, Scope, allowed, asked, judge_check, judge_where_it_applies, merged};
use crate::load::{Always, Case, ContractSuite};
use crate::path::Footprint;
use serde_json::Value;

/// What is judged of evidence, by what it comes from.
#[derive(Debug)]
pub struct Parts {
    readers: Readers,
    /// By the position of the check in its case.
    own: Vec<Judgement>,
    /// What the case knows to be allowed, by the step.
    allowed: Vec<(usize, Judgement)>,
    always: Vec<AlwaysParts>,
}

/// What is judged by a check that always applies.
#[derive(Debug)]
struct AlwaysParts {
    /// What it reads of an exchange.
    reads: Vec<Footprint>,
    /// By the exchange, its step and position, where it says something.
    judgements: Vec<((usize, usize), Judgement)>,
}

impl Parts {
    /// Judges evidence by each check and each exchange.
    pub fn of(case: &Case, suite: &ContractSuite, transports: &[&Always], evidence: &Value) -> Self {
        let readers = Readers::of(case, evidence);
        let asked = asked(case, evidence);
        let always = transports.iter().copied().chain(&suite.always).map(|always| {
            let alone = asked.iter().filter_map(|exchange| {
                let judgement = judge_where_it_applies(always, case, evidence, std::iter::once(exchange))?;
                Some(((exchange.at.step, exchange.at.index), judgement))
            });
            AlwaysParts { judgements: alone.collect(), reads: always.reads.clone() }
        });
        Self {
            always: always.collect(),
            own: case.checks.iter().map(|check| judge_check(check, case, evidence)).collect(),
            allowed: allowed(case, evidence).collect(),
            readers,
        }
    }

    /// What these changes can alter.
    pub(crate) fn scope<'s>(&'s self, changes: &'s Changes) -> Scope<'s> {
        Scope::Changed { changes, readers: &self.readers }
    }

    /// What is judged within a scope, one judgement for each requirement.
    pub(crate) fn within(&self, scope: Scope<'_>) -> Vec<Judgement> {
        let own = self.own.iter().enumerate().filter(|(at, _)| scope.has_check(*at)).map(|(_, judgement)| judgement);
        let allowed = self.allowed.iter().filter(|(step, _)| scope.has_step(*step)).map(|(_, judgement)| judgement);
        let always = self.always.iter().flat_map(|always| {
            let within = |((step, index), _): &&((usize, usize), Judgement)| scope.has(*step, *index, &always.reads);
            always.judgements.iter().filter(within).map(|(_, judgement)| judgement)
        });
        let all = own.chain(allowed).chain(always);
        merged(all.cloned().collect())
    }
}
