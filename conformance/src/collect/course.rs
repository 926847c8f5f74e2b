//! What decides which calls a case makes.

use super::{found, is_last};
use crate::load::Case;
use crate::model::{Pick, Step, SweepValues};
use crate::path::{EvidencePath, Footprint, pick_in};
use serde_json::Value;
use std::collections::BTreeSet;

/// So many pages or values, where nothing tells how many there are.
const SOME: usize = 8;

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

/// The steps of a case, so that each comes after those whose answers say what it asks: one by one where that is wanted, else all at
/// once that need not wait for one another.
pub(super) fn waves(case: &Case, one_by_one: bool) -> Vec<Vec<usize>> {
    let mut waves: Vec<Vec<usize>> = Vec::new();
    let mut wave_of = Vec::with_capacity(case.steps.len());
    for (at, step) in case.steps.iter().enumerate() {
        let picks = case.picks.iter().filter(|one| asks_with(step, &one.pick)).map(|one| &one.path);
        let needed = picks.chain(case.conditions.get(&at)).flat_map(|path| {
            let steps = path.steps(at);
            // One that tells by the answers which steps it means may mean any.
            if steps.is_empty() { (0..at).collect() } else { steps }
        });
        let wave = if one_by_one { at } else { needed.map(|step: usize| wave_of[step] + 1).max().unwrap_or(0) };
        wave_of.push(wave);
        if waves.len() <= wave {
            waves.resize(wave + 1, Vec::new());
        }
        waves[wave].push(at);
    }
    waves
}

/// About how many requests follow one another in a case, for what is to be begun first.
pub(crate) fn length(case: &Case) -> usize {
    let of_step = |at: &usize| {
        let step = &case.steps[*at];
        match (&step.walk, &step.sweep) {
            (Some(walk), _) => walk.pages.min(SOME),
            (_, Some(sweep)) => match &sweep.over {
                SweepValues::Pick(_) => SOME,
                listed => listed.listed().count(),
            },
            _ => 1,
        }
    };
    waves(case, false).iter().map(|wave| wave.iter().map(of_step).max().unwrap_or(0)).sum()
}

/// Whether a step asks with what a pick takes.
fn asks_with(step: &Step, pick: &Pick) -> bool {
    let is_it = |value: &Value| pick_in(value).is_ok_and(|found| found.as_ref() == Some(pick));
    let swept = step.sweep.iter().any(|sweep| match &sweep.over {
        SweepValues::Pick(swept) => swept == pick,
        listed => listed.listed().any(|row| row.as_object().is_some_and(|row| row.values().any(is_it))),
    });
    swept || step.with.values().any(is_it)
}

fn is_met(path: &EvidencePath, evidence: &Value) -> bool {
    !found(path, evidence).is_empty()
}

/// The page at which the walk of a step ends.
fn end(at: usize, evidence: &Value) -> Option<usize> {
    let pages = evidence[at].as_array().map_or(&[][..], Vec::as_slice);
    (0..pages.len()).find(|page| is_last(&pages[*page], pages[..*page].iter()))
}
