//! What is run and how, and how far it is.

use crate::model::{Keep, Selection};
use std::time::Duration;

/// What is run and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which cases.
    pub selection: Selection,
    /// The order in which cases begin follows from it alone; 0 is the order of the suite.
    pub seed: u64,
    /// How often all of it runs, at least once: `reported` puts the runs together.
    pub runs: usize,
    /// How long each run may take.
    pub time: Duration,
    /// Prove the counterexamples: for the reference, whose evidence is sound.
    pub prove: bool,
    /// What is kept of the evidence of a case that was judged.
    pub keep: Keep,
}

/// How far a run is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The cases that are running, each with its contract, the one that began first at the beginning.
    pub running: Vec<String>,
    /// Cases that are done.
    pub done: usize,
    /// All cases.
    pub all: usize,
    /// Cases with a failing check.
    pub failing: usize,
}

impl Progress {
    /// Notes that a case is done.
    pub(super) fn ended(&mut self, name: &str) {
        if let Some(at) = self.running.iter().position(|one| one == name) {
            self.running.remove(at);
        }
    }
}
