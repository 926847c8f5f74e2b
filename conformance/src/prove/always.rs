//! The proof of checks that always apply: each counterexample is laid on the first exchange of a run that takes it.
//!
//! It is laid while the evidence of its case is there, so that no evidence is kept for it. Cases end in any order; of two that
//! take a counterexample, the earlier one of the suite counts.

use super::{Ground, Proof, damaged, only, violated};
use crate::judge::{Scope, judge_always, judge_one_always};
use crate::load::{Always, Case, ContractSuite};
use crate::model::{Counterexample, Unproven, Verdict};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file that the counterexamples of a contract stand in.
const FILE: &str = "always.json";

/// What the counterexamples came to so far.
#[derive(Debug, Default)]
pub struct AlwaysProof(Mutex<Laid>);

#[derive(Debug, Default)]
struct Laid {
    /// The endpoints that answered any case.
    asked: BTreeSet<usize>,
    /// By the endpoint and the number of the counterexample there.
    first: BTreeMap<(usize, usize), First>,
}

/// The first case that takes a counterexample, by its place in the run, and what that came to.
#[derive(Debug)]
struct First {
    at: usize,
    proof: Proof,
}

/// A counterexample of a check that always applies.
struct Mistake<'m> {
    always: &'m Always,
    mistake: &'m Counterexample,
    /// Whether it belongs to a transport, so that one contract alone need not have an exchange for it.
    is_of_transport: bool,
}

impl AlwaysProof {
    /// Lays on the evidence of a case what no earlier case took. `at` is the endpoint, and the place of the case in the run.
    pub fn lay(
        &self,
        (endpoint, at): (usize, usize),
        case: &Case,
        suite: &ContractSuite,
        transports: &[&Always],
        evidence: &Value,
    ) {
        let mistakes = mistakes(suite, transports);
        let wanted: Vec<usize> = {
            let mut laid = self.laid();
            laid.asked.insert(endpoint);
            let is_open = |number: &usize| laid.first.get(&(endpoint, *number)).is_none_or(|first| first.at > at);
            (0..mistakes.len()).filter(is_open).collect()
        };
        let steps = evidence.as_array().map_or(0, Vec::len);
        let mut places: Vec<LoneExchange<'_>> = (0..steps)
            .map(|step| LoneExchange { case, at: format!("/{step}/0"), evidence: only(evidence, step) })
            .collect();
        for number in wanted {
            let mut takes = places.iter_mut().filter_map(|place| mistakes[number].fits(place, suite).then_some(place));
            let Some(place) = takes.next() else { continue };
            let proof = mistakes[number].lay(place, suite, transports);
            let mut laid = self.laid();
            if laid.first.get(&(endpoint, number)).is_none_or(|first| first.at > at) {
                laid.first.insert((endpoint, number), First { at, proof });
            }
        }
    }

    /// What the counterexamples came to at an endpoint: how many were noticed, and the others. `everywhere` remembers those of the
    /// transports, and whether an endpoint took them.
    pub fn of(
        &self,
        endpoint: usize,
        suite: &ContractSuite,
        transports: &[&Always],
        everywhere: &mut BTreeMap<String, bool>,
    ) -> (usize, Vec<Unproven>) {
        let laid = self.laid();
        let mut proof = Proof::new(FILE);
        if !laid.asked.contains(&endpoint) {
            return (0, Vec::new());
        }
        for (number, Mistake { always, mistake, is_of_transport }) in mistakes(suite, transports).iter().enumerate() {
            let found = laid.first.get(&(endpoint, number));
            if *is_of_transport {
                let name = format!("{}: {}", always.check.requirement, mistake.about);
                *everywhere.entry(name).or_default() |= found.is_some();
            }
            match found {
                Some(first) => {
                    proof.caught += first.proof.caught;
                    proof.unproven.extend(first.proof.unproven.iter().cloned());
                }
                None if *is_of_transport => {}
                None => proof.miss(&always.check.requirement, mistake, "can be laid on no exchange of any case"),
            }
        }
        (proof.caught, proof.unproven)
    }

    fn laid(&self) -> MutexGuard<'_, Laid> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The counterexamples at an endpoint, those of its transport first.
fn mistakes<'m>(suite: &'m ContractSuite, transports: &[&'m Always]) -> Vec<Mistake<'m>> {
    let of_transports = transports.iter().map(|always| (*always, true));
    let all = of_transports.chain(suite.always.iter().map(|always| (always, false)));
    let mistakes = all.flat_map(|(always, is_of_transport)| {
        always.check.broken_by.iter().map(move |mistake| Mistake { always, mistake, is_of_transport })
    });
    mistakes.collect()
}

impl Mistake<'_> {
    /// Whether the check passes on an exchange, and the counterexample can be laid on it.
    fn fits(&self, place: &mut LoneExchange<'_>, suite: &ContractSuite) -> bool {
        let judged = judge_one_always(self.always, place.case, &place.evidence);
        let passes = judged.is_some_and(|judgement| judgement.verdict == Verdict::Pass);
        passes && damaged(&mut place.evidence, &place.at, self.mistake, suite, |_| ()).is_ok()
    }

    fn lay(&self, place: &LoneExchange<'_>, suite: &ContractSuite, transports: &[&Always]) -> Proof {
        let LoneExchange { case, at, evidence } = place;
        let judge = |evidence: &Value| judge_always(Scope::Case, case, suite, transports, evidence);
        let violated = violated(&judge(evidence));
        let evidence = evidence.clone();
        let mut ground = Ground { suite, evidence, place: at, violated, lenient: self.is_of_transport };
        let mut proof = Proof::new(FILE);
        proof.lay(&self.always.check, self.mistake, &mut ground, judge);
        proof
    }
}

/// An exchange by itself, for what always applies to be broken on.
struct LoneExchange<'p> {
    case: &'p Case,
    /// Its JSON Pointer.
    at: String,
    /// The evidence of its case with nothing else in it.
    evidence: Value,
}
