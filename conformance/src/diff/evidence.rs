//! Who breaks: stored evidence, judged by both revisions.

use crate::ledger::RunLog;
use crate::model::{Channel, ContractKey, Outcome, Place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A requirement that stored evidence of an implementation says something else of now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Turned {
    /// The implementation: the name of the target of the run.
    pub target: String,
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    pub transport: Channel,
    /// The requirement.
    pub requirement: String,
    /// What became of it.
    pub turn: Turn,
}

/// What became of a requirement between two revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// It was kept and is violated now.
    Violated,
    /// The evidence has no answer to what is asked now: it takes a new run.
    Untold,
    /// It was violated and is kept now, or nobody asks for it any more.
    Kept,
}

/// What turned for an implementation, whose evidence was judged by both sides. `between` are the two revisions of a contract by which
/// it was judged, where the sides are no two folders.
pub fn turns(before: &RunLog, now: &RunLog, between: Option<&[ContractKey; 2]>) -> Vec<Turned> {
    let mut was = outcomes(before);
    if let Some([old, fresh]) = between {
        let moved = was.into_iter().map(|((mut place, id), outcome)| {
            if place.contract == *old {
                place.contract = fresh.clone();
            }
            ((place, id), outcome)
        });
        was = moved.collect();
    }
    let is = outcomes(now);
    let mut turned = Vec::new();
    for ((place, requirement), outcome) in &is {
        let old = was.get(&(place.clone(), requirement.clone())).copied();
        let turn = match (old, outcome) {
            (Some(Outcome::Verified | Outcome::Advice | Outcome::ClientAdvice) | None, Outcome::Violated) => {
                Turn::Violated
            }
            (Some(Outcome::NotExercised), Outcome::Violated) => Turn::Violated,
            (Some(Outcome::Verified | Outcome::Violated), Outcome::Incomplete | Outcome::NotExercised) => Turn::Untold,
            (None, Outcome::Incomplete | Outcome::NotExercised) => Turn::Untold,
            (Some(Outcome::Violated), Outcome::Verified | Outcome::Advice | Outcome::ClientAdvice) => Turn::Kept,
            _ => continue,
        };
        turned.push(one(now, place, requirement, turn));
    }
    for (key, outcome) in &was {
        if *outcome == Outcome::Violated && !is.contains_key(key) {
            turned.push(one(now, &key.0, &key.1, Turn::Kept));
        }
    }
    turned.sort_by_key(|one| one.turn);
    turned
}

fn one(now: &RunLog, place: &Place, requirement: &str, turn: Turn) -> Turned {
    let Place { contract, transport } = place.clone();
    Turned { target: now.header.target.clone(), contract, transport, requirement: requirement.to_owned(), turn }
}

/// What became of each requirement at each endpoint.
fn outcomes(log: &RunLog) -> BTreeMap<(Place, String), Outcome> {
    let mut outcomes = BTreeMap::new();
    for place in log.ledger.places() {
        for row in log.ledger.rows_at(&place) {
            outcomes.insert((place.clone(), row.requirement.id.clone()), row.outcome);
        }
    }
    outcomes
}
