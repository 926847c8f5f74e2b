//! A measurement, how it is made, and how it is printed.

use conformance::model::{Keep, Selection};
use conformance::run::Options;
use std::time::Duration;

/// A run that is measured: once, in the order of the suite.
pub(super) fn options(selection: Selection, prove: bool, keep: Keep) -> Options {
    Options { selection, seed: 0, runs: 1, time: Duration::from_secs(900), prove, keep }
}

/// One line of the table.
pub(super) struct Measured {
    pub(super) what: String,
    pub(super) value: String,
    /// What the design asks for, if it asks for anything.
    pub(super) goal: Option<String>,
}

impl Measured {
    pub(super) fn new(what: impl Into<String>, value: impl Into<String>) -> Self {
        Self { what: what.into(), value: value.into(), goal: None }
    }

    pub(super) fn goal(self, goal: &str) -> Self {
        Self { goal: Some(goal.to_owned()), ..self }
    }
}

/// The median of several measurements, in seconds.
pub(super) fn middle(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or_default()
}

/// Seconds for people: `1.2 ms`.
pub(super) fn shown(seconds: f64) -> String {
    match seconds {
        short if short < 0.001 => format!("{:.0} µs", short * 1e6),
        short if short < 1.0 => format!("{:.1} ms", short * 1e3),
        long => format!("{long:.2} s"),
    }
}
