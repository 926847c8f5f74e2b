//! What a change of some exchanges can alter in what is judged of a case.

use crate::load::{Case, Check, Selector};
use crate::path::{EvidencePath, Footprint, Key, Places, exchanges, places};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The exchanges that changed, by step and position, and how.
pub(crate) type Changes = BTreeMap<(usize, usize), Change>;

/// How an exchange changed.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// In any way.
    Any,
    /// In what it says, at these places. What became of the call is the same.
    At(Places),
}

impl Change {
    /// What changed of an exchange; nothing where all of it is the same.
    pub(crate) fn between(before: &Value, after: &Value) -> Option<Self> {
        let places = places(before, after);
        match places.iter().any(|place| decides(place)) {
            true => Some(Self::Any),
            false => (!places.is_empty()).then_some(Self::At(places)),
        }
    }

    fn touches(&self, footprint: &Footprint) -> bool {
        match self {
            Self::Any => true,
            Self::At(places) => footprint.is_touched(places),
        }
    }
}

/// Whether a difference at this place is one of what became of the call.
fn decides(place: &[Key]) -> bool {
    let [Key::Member(part), rest @ ..] = place else { return true };
    match part.as_str() {
        "status" | "problems" | "request" => true,
        "raw" => !matches!(rest.first(), Some(Key::Member(name)) if name != "failure"),
        _ => false,
    }
}

/// The exchanges that differ in two collections of the evidence of a case, or are in one of them alone.
pub(crate) fn differing(before: &Value, after: &Value) -> Changes {
    let gone = exchanges(before).filter(|one| after[one.step].get(one.index).is_none());
    let gone = gone.map(|one| ((one.step, one.index), Change::Any));
    let fresh = exchanges(after).filter_map(|one| {
        let change = match before[one.step].get(one.index) {
            Some(was) => Change::between(was, one.value)?,
            None => Change::Any,
        };
        Some(((one.step, one.index), change))
    });
    gone.chain(fresh).collect()
}

/// Whether these changes may alter what a footprint reads of any of these steps.
pub(crate) fn alter(changes: &Changes, steps: &BTreeSet<usize>, footprint: &Footprint) -> bool {
    changes.iter().any(|((step, _), change)| steps.contains(step) && change.touches(footprint))
}

/// What the checks of a case read of its evidence.
#[derive(Debug)]
pub(crate) struct Readers(Vec<Vec<Reading>>);

/// A path of a check.
#[derive(Debug)]
struct Reading {
    /// The steps that it leads to.
    steps: BTreeSet<usize>,
    /// The steps whose calls must be accepted for those to prove something.
    twins: BTreeSet<usize>,
    /// Whether all of its steps were taken. Why one was not depends on everything before it.
    is_taken: bool,
    /// What is read of their exchanges.
    footprints: Vec<Footprint>,
}

impl Readers {
    /// What the checks read of the evidence of their case.
    pub(crate) fn of(case: &Case, evidence: &Value) -> Self {
        let of_check = |check| Reading::all(check).map(|(path, prints)| Reading::of(path, prints, case, evidence));
        Self(case.checks.iter().map(|check| of_check(check).collect()).collect())
    }
}

impl Reading {
    /// The paths of a check into evidence, and what is read of the exchanges that each leads to.
    fn all(check: &Check) -> impl Iterator<Item = (&EvidencePath, Vec<Footprint>)> {
        let own = check.select.values().filter_map(|selector| match selector {
            Selector::Evidence(path) => Some((path, vec![Footprint::of(path)])),
            Selector::Relative(_) => None,
        });
        let each = check.each.iter().filter_map(|selector| match selector {
            Selector::Evidence(path) => Some((path, check.reads(Footprint::of(path)))),
            Selector::Relative(_) => None,
        });
        own.chain(each)
    }

    fn of(path: &EvidencePath, footprints: Vec<Footprint>, case: &Case, evidence: &Value) -> Self {
        let steps: BTreeSet<usize> = path.exchanges(evidence).iter().map(|exchange| exchange.step).collect();
        let is_taken = !steps.is_empty() && path.steps(case.steps.len()).iter().all(|step| steps.contains(step));
        let twins = steps.iter().filter_map(|step| case.steps.get(*step)?.twin).collect();
        Self { steps, twins, is_taken, footprints }
    }

    fn is_touched(&self, changes: &Changes) -> bool {
        let touches = |change: &Change| self.footprints.iter().any(|footprint| change.touches(footprint));
        !self.is_taken
            || changes.iter().any(|((step, _), change)| {
                self.steps.contains(step) && touches(change)
                    || self.twins.contains(step) && matches!(change, Change::Any)
            })
    }
}

/// What is judged of a case.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope<'s> {
    /// All of it.
    Case,
    /// What a change of some exchanges can alter.
    Changed {
        changes: &'s Changes,
        /// What the checks of the case read.
        readers: &'s Readers,
    },
}

impl Scope<'_> {
    /// Whether an exchange is judged by a check that always applies, which reads this of it.
    pub(super) fn has(&self, step: usize, index: usize, reads: &[Footprint]) -> bool {
        match self {
            Self::Case => true,
            Self::Changed { changes, .. } => changes
                .get(&(step, index))
                .is_some_and(|change| reads.iter().any(|footprint| change.touches(footprint))),
        }
    }

    /// Whether any exchange of a step is judged.
    pub(super) fn has_step(&self, step: usize) -> bool {
        match self {
            Self::Case => true,
            Self::Changed { changes, .. } => changes.range((step, 0)..=(step, usize::MAX)).next().is_some(),
        }
    }

    /// Whether the check at a position in its case may say something else than it said.
    pub(super) fn has_check(&self, at: usize) -> bool {
        let Self::Changed { changes, readers } = self else { return true };
        readers.0.get(at).is_none_or(|readings| readings.iter().any(|reading| reading.is_touched(changes)))
    }
}
