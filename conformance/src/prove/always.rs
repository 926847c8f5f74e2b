//! The proof of checks that always apply: each counterexample is laid on the first exchange of a run that takes it.
//!
//! It is laid while the evidence of its case is there, so that no evidence is kept for it. Cases end in any order; of two that
//! take a counterexample, the earlier one of the suite counts.

use super::{Ground, Proof, laid, only, violated};
use crate::judge::{Scope, judge_always, judge_one_always};
use crate::load::{Always, Case, ContractSuite};
use crate::model::{Counterexample, Unproven, Verdict};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
    /// That of the check among those of the endpoint.
    position: usize,
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
        let mut places: Vec<LoneExchange<'_>> =
            (0..steps).map(|step| LoneExchange::of(case, evidence, step, suite, transports)).collect();
        for number in wanted {
            let Some(taking) = places.iter_mut().position(|place| place.takes(&mistakes[number])) else { continue };
            let proof = places[taking].lay(&mistakes[number]);
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
        for (number, Mistake { always, mistake, is_of_transport, .. }) in mistakes(suite, transports).iter().enumerate()
        {
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

/// The counterexamples at an endpoint, those of its transport first. The built-in contracts prove those of transports: what else they
/// violate of a contract that a user brings, they cannot name.
fn mistakes<'m>(suite: &'m ContractSuite, transports: &[&'m Always]) -> Vec<Mistake<'m>> {
    let of_transports = transports.iter().filter(|_| !suite.is_brought).map(|always| (*always, true));
    let all = of_transports.chain(suite.always.iter().map(|always| (always, false)));
    let mistakes = all.enumerate().flat_map(|(position, (always, is_of_transport))| {
        always.check.broken_by.iter().map(move |mistake| Mistake { always, position, mistake, is_of_transport })
    });
    mistakes.collect()
}

/// An exchange by itself, for what always applies to be broken on.
struct LoneExchange<'p> {
    case: &'p Case,
    suite: &'p ContractSuite,
    transports: &'p [&'p Always],
    /// Its JSON Pointer.
    at: String,
    /// The evidence of its case with nothing else in it.
    evidence: Value,
    /// What it violates as it is.
    violated: OnceCell<BTreeSet<String>>,
    /// Whether the checks pass that counterexamples were looked for, by their positions.
    passes: HashMap<usize, bool>,
}

impl<'p> LoneExchange<'p> {
    fn of(
        case: &'p Case,
        evidence: &Value,
        step: usize,
        suite: &'p ContractSuite,
        transports: &'p [&'p Always],
    ) -> Self {
        let (at, evidence) = (format!("/{step}/0"), only(evidence, step));
        Self { case, suite, transports, at, evidence, violated: OnceCell::new(), passes: HashMap::new() }
    }

    /// Whether the check of a counterexample passes, and the counterexample can be laid on the exchange.
    fn takes(&mut self, Mistake { always, position, mistake, .. }: &Mistake<'_>) -> bool {
        let Self { case, evidence, .. } = self;
        let passes = self.passes.entry(*position).or_insert_with(|| {
            let judged = judge_one_always(always, case, evidence);
            judged.is_some_and(|judgement| judgement.verdict == Verdict::Pass)
        });
        *passes && laid(evidence, &self.at, mistake, |_| ()).is_ok()
    }

    fn lay(&mut self, Mistake { always, mistake, is_of_transport, .. }: &Mistake<'_>) -> Proof {
        let Self { case, suite, transports, at, .. } = self;
        let judge = |evidence: &Value| judge_always(Scope::Case, case, suite, transports, evidence);
        let violated = self.violated.get_or_init(|| violated(&judge(&self.evidence))).clone();
        let evidence = std::mem::take(&mut self.evidence);
        let mut ground = Ground { suite, evidence, place: at, violated, lenient: *is_of_transport };
        let mut proof = Proof::new(FILE);
        proof.lay(&always.check, mistake, &mut ground, judge);
        self.evidence = ground.evidence;
        proof
    }
}
