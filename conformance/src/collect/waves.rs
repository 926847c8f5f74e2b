//! Which steps of a case need not wait for one another.

use crate::load::Case;
use crate::model::{Pick, Step, SweepValues};
use crate::path::pick_in;
use serde_json::Value;
use std::ops::Range;

/// So many pages of a walk are asked for at most before it is known whether the walk has ended. It does not depend on the jobs of the
/// target, so that every run asks the same.
const AHEAD: usize = 8;
/// So many pages or values, where nothing tells how many there are.
const SOME: usize = 8;

/// The steps of a case, so that each comes after those whose answers say what it asks: one by one where that is wanted, else all at
/// once that need not wait for one another.
pub(super) fn waves(case: &Case, one_by_one: bool) -> Vec<Vec<usize>> {
    if one_by_one {
        return (0..case.steps.len()).map(|at| vec![at]).collect();
    }
    let mut waves: Vec<Vec<usize>> = Vec::new();
    let mut wave_of = Vec::with_capacity(case.steps.len());
    for (at, step) in case.steps.iter().enumerate() {
        let picks = case.picks.iter().filter(|one| asks_with(step, &one.pick)).map(|one| &one.path);
        let needed = picks.chain(case.conditions.get(&at)).flat_map(|path| {
            let steps = path.steps(at);
            // One that tells by the answers which steps it means may mean any.
            if steps.is_empty() { (0..at).collect() } else { steps }
        });
        let wave = needed.map(|step: usize| wave_of[step] + 1).max().unwrap_or(0);
        wave_of.push(wave);
        if waves.len() <= wave {
            waves.resize(wave + 1, Vec::new());
        }
        waves[wave].push(at);
    }
    waves
}

/// The pages of a walk, so many at most, that are asked for without waiting for one another: ever more of them where `at_once` allows.
pub(super) fn batches(pages: usize, at_once: usize) -> impl Iterator<Item = Range<usize>> {
    let most = at_once.min(AHEAD);
    let mut next = (0, 1);
    std::iter::from_fn(move || {
        let (begin, size) = next;
        let end = pages.min(begin + size);
        next = (end, most.min(size * 2));
        (begin < end).then_some(begin..end)
    })
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

/// How many requests of a case that was asked of a server followed one another.
pub fn chain(case: &Case, evidence: &Value) -> usize {
    let of_step = |at: &usize| {
        let asked = evidence[*at].as_array().map_or(0, Vec::len);
        match case.steps[*at].walk {
            Some(_) => batches(asked, AHEAD).count(),
            None => asked.min(1),
        }
    };
    waves(case, case.of_protocol).iter().map(|wave| wave.iter().map(of_step).max().unwrap_or(0)).sum()
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
