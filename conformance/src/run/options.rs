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
    /// The contract and the case that was done last.
    pub last: String,
    /// Cases that are done.
    pub done: usize,
    /// All cases.
    pub all: usize,
    /// Cases with a failing check.
    pub failing: usize,
}
