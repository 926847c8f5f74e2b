//! What decides which calls a case makes.

use super::{found, is_last};
use crate::load::Case;
use crate::path::{EvidencePath, Footprint};
use serde_json::Value;
use std::collections::BTreeSet;

/// What the answers to a case say of the calls after them. Evidence of the same course was collected by the same calls.
#[derive(Debug)]
pub(crate) struct Course<'c> {
    /// What each pick takes.
    picked: Vec<(Reading<'c>, Vec<Value>)>,
    /// Whether each condition is met.
    met: Vec<(Reading<'c>, bool)>,
    /// The step of each walk, and the page at which it ends, where an answer ends it.
    ends: Vec<(usize, Option<usize>)>,
}

/// What a path reads, and of which steps.
#[derive(Debug)]
struct Reading<'c> {
    path: &'c EvidencePath,
    steps: BTreeSet<usize>,
    footprint: Footprint,
}

impl<'c> Course<'c> {
    /// The course that evidence of a case took. Picks and conditions look at earlier steps alone.
    pub(crate) fn of(case: &'c Case, evidence: &Value) -> Self {
        let reading = |path: &'c EvidencePath| Reading {
            path,
            steps: path.steps(case.steps.len()).into_iter().collect(),
            footprint: Footprint::of(path),
        };
        let picked = case.picks.iter().map(|pick| (reading(&pick.path), pick.picking.of(&found(&pick.path, evidence))));
        let met = case.conditions.values().map(|path| (reading(path), is_met(path, evidence)));
        let walks = case.steps.iter().enumerate().filter(|(_, step)| step.walk.is_some());
        Self {
            picked: picked.collect(),
            met: met.collect(),
            ends: walks.map(|(at, _)| (at, end(at, evidence))).collect(),
        }
    }

    /// Whether other evidence took the same course. `may_differ` knows of which steps it may read something else at a footprint.
    pub(crate) fn is_kept(
        &self,
        case: &Case,
        evidence: &Value,
        may_differ: impl Fn(&BTreeSet<usize>, &Footprint) -> bool,
    ) -> bool {
        let may_differ = |reading: &Reading<'_>| may_differ(&reading.steps, &reading.footprint);
        let same_picks = case.picks.iter().zip(&self.picked).all(|(pick, (reading, picked))| {
            !may_differ(reading) || pick.picking.of(&found(&pick.path, evidence)) == *picked
        });
        same_picks
            && self.met.iter().all(|(reading, met)| !may_differ(reading) || is_met(reading.path, evidence) == *met)
            && self.ends.iter().all(|(at, page)| end(*at, evidence) == *page)
    }
}

fn is_met(path: &EvidencePath, evidence: &Value) -> bool {
    !found(path, evidence).is_empty()
}

/// The page at which the walk of a step ends.
fn end(at: usize, evidence: &Value) -> Option<usize> {
    let pages = evidence[at].as_array().map_or(&[][..], Vec::as_slice);
    (0..pages.len()).find(|page| is_last(&pages[*page], pages[..*page].iter()))
}
