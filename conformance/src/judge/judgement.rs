//! What a check says of a case, and what several say of one requirement.

use crate::model::{Channel, ContractKey, Detail, Finding, Verdict, cut};
use crate::rules::Ruling;

/// At most so many reasons stand in a finding.
pub(super) const MOST_DETAILS: usize = 5;

/// What a check says, before it is known at which endpoint.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The requirement.
    pub requirement: String,
    /// What the check says.
    pub verdict: Verdict,
    /// Why, when it is not a pass.
    pub details: Vec<Detail>,
    /// How many values or relations were looked at.
    pub exercised: usize,
}

impl Judgement {
    /// The judgement of a case at an endpoint.
    pub fn finding(self, contract: &ContractKey, transport: Channel, case: &str) -> Finding {
        Finding {
            contract: contract.clone(),
            transport,
            case: case.to_owned(),
            requirement: self.requirement,
            verdict: self.verdict,
            details: self.details,
            exercised: self.exercised,
            unsteady: None,
        }
    }
}

/// What a ruling on a requirement says.
pub(super) fn judgement(requirement: &str, mut outcome: Ruling) -> Judgement {
    outcome.details.truncate(MOST_DETAILS);
    cut::details(&mut outcome.details, cut::MOST_OF_A_FINDING);
    Judgement {
        requirement: requirement.to_owned(),
        verdict: outcome.verdict,
        details: outcome.details,
        exercised: outcome.exercised,
    }
}

/// One judgement for each requirement.
pub(crate) fn merged(judgements: Vec<Judgement>) -> Vec<Judgement> {
    let mut merged = Vec::with_capacity(judgements.len());
    judgements.into_iter().for_each(|judgement| merge(&mut merged, judgement));
    merged
}

/// Two judgements of one requirement in one case are one: the worse counts.
pub(crate) fn merge(judgements: &mut Vec<Judgement>, new: Judgement) {
    match judgements.iter_mut().find(|old| old.requirement == new.requirement) {
        Some(old) => {
            old.exercised += new.exercised;
            if new.verdict.severity() > old.verdict.severity() {
                old.verdict = new.verdict;
                old.details = new.details;
            }
        }
        None => judgements.push(new),
    }
}
