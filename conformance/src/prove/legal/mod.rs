//! The proof that checks let correct programs pass.
//!
//! A legal answer is put in place of the reference's, as a rewrite of what was recorded or as a variant of the reference. `compare`
//! holds what the checks say of it against what they say of the reference, and `whole` is what that comes to for a contract.

mod compare;
mod rewrites;
mod variants;

pub use rewrites::{Sound, case};
pub use variants::{Runs, variant};

use crate::load::{ContractSuite, Legal};
use crate::model::{Place, Proof, Protocol, Unproven};
use std::collections::BTreeSet;

/// What a legal answer does in one case.
#[derive(Debug, Default)]
pub struct Tried {
    /// Its position in the list of its contract.
    pub(crate) at: usize,
    /// The operations whose answers it changes, and over which protocol.
    changed: BTreeSet<(String, Protocol)>,
    /// The advice that fails.
    failed: BTreeSet<String>,
    /// The binding requirements that are exercised less.
    less: BTreeSet<String>,
    problems: Vec<Unproven>,
}

/// The legal answers of a contract after all its cases: how many are accepted, and what is wrong with the others.
///
/// `places` are the endpoints of the contract. What no case shows is told only where `every_case` was tried.
pub fn whole(
    contract: &ContractSuite,
    tried: Vec<Tried>,
    places: &[Place],
    every_case: bool,
) -> (usize, Vec<Unproven>) {
    let (mut accepted, mut unproven) = (0, Vec::new());
    let mut by_answer: Vec<Vec<Tried>> = contract.legal.iter().map(|_| Vec::new()).collect();
    for one in tried {
        by_answer[one.at].push(one);
    }
    for (legal, trials) in contract.legal.iter().zip(by_answer).filter(|(legal, _)| legal.answer.variant.is_none()) {
        let (is_accepted, problems) = verdict(legal, contract, trials, places, every_case);
        accepted += usize::from(is_accepted);
        unproven.extend(problems);
    }
    (accepted, unproven)
}

/// Whether a legal answer is accepted, and what is wrong with it.
fn verdict(
    legal: &Legal,
    contract: &ContractSuite,
    tried: Vec<Tried>,
    places: &[Place],
    every_case: bool,
) -> (bool, Vec<Unproven>) {
    let mut all = Tried::default();
    for mut one in tried {
        all.changed.append(&mut one.changed);
        all.failed.append(&mut one.failed);
        all.less.append(&mut one.less);
        all.problems.append(&mut one.problems);
    }
    if every_case {
        let stale = stale(legal, contract, &all, places).into_iter().map(|why| Unproven {
            proof: Proof::LegalAnswer,
            case: format!("{}/legal.json", contract.contract.name),
            requirement: String::new(),
            about: legal.answer.id.clone(),
            why,
            repeat: None,
        });
        all.problems.extend(stale);
    }
    (all.problems.is_empty() && !all.changed.is_empty(), first_of_each(all.problems))
}

/// The first problem with each requirement, and how many more cases have it.
fn first_of_each(problems: Vec<Unproven>) -> Vec<Unproven> {
    let mut first: Vec<(Unproven, usize)> = Vec::new();
    for problem in problems {
        match first.iter_mut().find(|(one, _)| !one.requirement.is_empty() && one.requirement == problem.requirement) {
            Some((_, more)) => *more += 1,
            None => first.push((problem, 0)),
        }
    }
    let with_count = first.into_iter().map(|(mut one, more)| {
        if more > 0 {
            one.why += &format!("; so it is in {more} more");
        }
        one
    });
    with_count.collect()
}

/// What a legal answer says of itself and no case shows.
fn stale(legal: &Legal, contract: &ContractSuite, all: &Tried, places: &[Place]) -> Vec<String> {
    let answer = &legal.answer;
    let mut stale = Vec::new();
    let protocols: BTreeSet<Protocol> = places.iter().map(|place| place.transport.protocol()).collect();
    let meant = |over: &&Protocol| answer.over.is_empty() || answer.over.contains(over);
    for protocol in protocols.iter().filter(meant) {
        for name in &answer.of {
            let is_spoken = contract.contract.operations.get(name).is_some_and(|one| one.binding(*protocol).is_some());
            if is_spoken && !all.changed.contains(&(name.clone(), *protocol)) {
                stale.push(format!("changes no answer of `{name}` over {protocol}"));
            }
        }
    }
    let named = |list: &[String], seen: &BTreeSet<String>| -> Vec<String> {
        list.iter().filter(|id| !seen.contains(*id)).cloned().collect()
    };
    for id in named(&answer.against, &all.failed) {
        stale.push(format!("never fails {id}, which `against` names"));
    }
    for id in named(&answer.also, &all.failed) {
        stale.push(format!("never fails {id}, which `also` names"));
    }
    let less: Vec<String> = answer.not_exercised.keys().cloned().collect();
    for id in named(&less, &all.less) {
        stale.push(format!("exercises {id} as much as the reference does, and `not-exercised` names it"));
    }
    stale
}

#[cfg(test)]
mod tests;
