//! What a check says of a case, and what several say of one requirement.

use crate::model::{Channel, ContractKey, Detail, Finding, Verdict, cut};
use crate::rules::Ruling;
use crate::text::pointer;
use std::collections::BTreeMap;

/// A finding holds at most this many reasons.
pub(super) const MOST_DETAILS: usize = 5;
/// The reasons of a finding are about at most this many calls; the others are counted.
const MOST_CALLS: usize = 3;

/// What a check says, before it is known at which endpoint.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The requirement.
    pub requirement: String,
    /// What the check says.
    pub verdict: Verdict,
    /// Why, when it is not a pass.
    pub details: Vec<Detail>,
    /// How many more calls have such a reason.
    pub more_calls: usize,
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
            more_calls: self.more_calls,
            exercised: self.exercised,
            unsteady: None,
        }
    }
}

/// What a ruling on a requirement says.
pub(super) fn judgement(requirement: &str, mut outcome: Ruling) -> Judgement {
    let more_calls = keep_some(&mut outcome.details);
    cut::details(&mut outcome.details, cut::MOST_OF_A_FINDING);
    Judgement {
        requirement: requirement.to_owned(),
        verdict: outcome.verdict,
        details: outcome.details,
        more_calls,
        exercised: outcome.exercised,
    }
}

/// Keeps reasons about the first calls, one of each call before a second one of any. Returns how many calls are left out.
fn keep_some(details: &mut Vec<Detail>) -> usize {
    let mut calls = Vec::new();
    let mut of_call: BTreeMap<_, usize> = BTreeMap::new();
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for (at, detail) in details.iter().enumerate() {
        let call = detail.exchange();
        let earlier = of_call.entry(call).or_insert_with(|| {
            calls.push(call);
            0
        });
        if calls.iter().take(MOST_CALLS).any(|one| *one == call) {
            kept.push((*earlier, at));
        }
        *earlier += 1;
    }
    kept.sort_unstable();
    kept.truncate(MOST_DETAILS);
    let all = std::mem::take(details).into_iter().enumerate();
    details.extend(all.filter(|(at, _)| kept.iter().any(|(_, one)| one == at)).map(|(_, detail)| detail));
    calls.len().saturating_sub(MOST_CALLS)
}

/// Says which failing values need a reason in words: some of each of the first calls, and one of every other call, so that it can be
/// counted.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    of_call: BTreeMap<Option<(usize, usize)>, usize>,
}

impl Wanted {
    /// Whether a reason is wanted of the value at this place.
    pub(super) fn takes(&mut self, pointer: &str) -> bool {
        let is_known = self.of_call.len() <= MOST_CALLS;
        let of_call = self.of_call.entry(pointer::exchange(pointer)).or_default();
        *of_call += 1;
        *of_call <= if is_known { MOST_DETAILS } else { 1 }
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
                (old.details, old.more_calls) = (new.details, new.more_calls);
            }
        }
        None => judgements.push(new),
    }
}
