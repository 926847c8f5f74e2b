//! What a change of some exchanges can alter in what is judged of a case.

use crate::load::Case;
use crate::path::{EvidencePath, exchanges};
use serde_json::Value;
use std::collections::BTreeSet;

/// The steps that each check of a case reads.
#[derive(Debug)]
pub(crate) struct Readers(Vec<Vec<Reading>>);

/// A path of a check.
#[derive(Debug)]
struct Reading {
    /// The steps that it leads to, and the twins that must be accepted for them to prove something.
    steps: BTreeSet<usize>,
    /// Whether all of its steps were taken. Why one was not depends on everything before it.
    is_taken: bool,
}

impl Readers {
    /// What the checks read of the evidence of their case.
    pub(crate) fn of(case: &Case, evidence: &Value) -> Self {
        Self(
            case.checks
                .iter()
                .map(|check| check.paths().map(|path| Reading::of(path, case, evidence)).collect())
                .collect(),
        )
    }
}

impl Reading {
    fn of(path: &EvidencePath, case: &Case, evidence: &Value) -> Self {
        let mut steps: BTreeSet<usize> = path.exchanges(evidence).iter().map(|exchange| exchange.step).collect();
        let is_taken = !steps.is_empty() && path.steps(case.steps.len()).iter().all(|step| steps.contains(step));
        let twins: Vec<usize> = steps.iter().filter_map(|step| case.steps.get(*step)?.twin).collect();
        steps.extend(twins);
        Self { steps, is_taken }
    }
}

/// The exchanges that are judged, and what is judged with them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope<'s> {
    /// All of them.
    Case,
    /// Those that changed.
    Changed {
        /// By step and position.
        exchanges: &'s BTreeSet<(usize, usize)>,
        /// What the checks of the case read.
        readers: &'s Readers,
    },
}

impl Scope<'_> {
    /// Whether an exchange is judged by what always applies.
    pub(super) fn has(&self, step: usize, index: usize) -> bool {
        match self {
            Self::Case => true,
            Self::Changed { exchanges, .. } => exchanges.contains(&(step, index)),
        }
    }

    /// Whether any exchange of a step is judged.
    pub(super) fn has_step(&self, step: usize) -> bool {
        match self {
            Self::Case => true,
            Self::Changed { exchanges, .. } => exchanges.range((step, 0)..=(step, usize::MAX)).next().is_some(),
        }
    }

    /// Whether the check at a position in its case may say something else than it said.
    pub(super) fn has_check(&self, at: usize) -> bool {
        let Self::Changed { readers, .. } = self else { return true };
        let is_touched = |reading: &Reading| !reading.is_taken || reading.steps.iter().any(|step| self.has_step(*step));
        readers.0.get(at).is_none_or(|readings| readings.iter().any(is_touched))
    }
}

/// The exchanges that differ in two collections of the evidence of a case, or are in one of them alone.
pub(crate) fn differing(before: &Value, after: &Value) -> BTreeSet<(usize, usize)> {
    let missing = |evidence: &Value, step: usize, index: usize| evidence[step].get(index).is_none();
    let gone = exchanges(before).filter(|one| missing(after, one.step, one.index));
    let fresh = exchanges(after).filter(|one| before[one.step].get(one.index) != Some(one.value));
    gone.chain(fresh).map(|one| (one.step, one.index)).collect()
}
