//! What the answers of two runs of one target take and cost, where that changed noticeably. Facts, never a verdict.

use super::RunLog;
use crate::model::{Cost, Elapsed, Numbers, Place};

/// Times are shown that changed by at least this factor, and by at least this many seconds: less is the weather of a machine.
const FACTOR: f64 = 2.0;
const LEAST_SECONDS: f64 = 0.02;
/// A few answers say nothing of times.
const LEAST_ANSWERS: usize = 5;
/// Tokens are shown that changed by at least this share, and by at least this many.
const SHARE: f64 = 0.1;
const LEAST_TOKENS: usize = 20;

/// A number of an operation that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    /// The endpoint, as the second run has it.
    pub place: Place,
    /// The operation.
    pub operation: String,
    /// What changed, and how.
    pub of: Shifted,
}

/// What a number measures, in the first run and in the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shifted {
    /// How long answers took, in seconds; the name of the percentile.
    Elapsed(&'static str, f64, f64),
    /// What answers cost, which have tokens; the name of the answer.
    Tokens(&'static str, Cost, Cost),
}

/// What changed noticeably between two runs, by endpoint and operation.
pub(super) fn shifts(before: &RunLog, after: &RunLog) -> Vec<Shift> {
    let mut shifts = Vec::new();
    for now in &after.totals.numbers {
        // A later revision of a contract is compared with an earlier one.
        let key = |one: &Numbers| (one.contract.name().to_owned(), one.transport, one.operation.clone());
        let Some(then) = before.totals.numbers.iter().find(|then| key(then) == key(now)) else { continue };
        let of = elapsed(then, now).into_iter().chain(tokens(then, now));
        shifts.extend(of.map(|of| Shift { place: now.place(), operation: now.operation.clone(), of }));
    }
    shifts
}

/// The first percentile that changed noticeably tells enough.
fn elapsed(then: &Numbers, now: &Numbers) -> Option<Shifted> {
    type Percentile = (&'static str, fn(&Elapsed) -> f64);
    const ALL: [Percentile; 2] = [("p50", |elapsed| elapsed.p50), ("p95", |elapsed| elapsed.p95)];
    if then.answers.min(now.answers) < LEAST_ANSWERS {
        return None;
    }
    ALL.into_iter().find_map(|(name, of)| {
        let (was, is) = (of(&then.elapsed), of(&now.elapsed));
        let is_noticeable = (was - is).abs() >= LEAST_SECONDS && was.max(is) >= FACTOR * was.min(is);
        is_noticeable.then_some(Shifted::Elapsed(name, was, is))
    })
}

/// The same of answers.
fn tokens(then: &Numbers, now: &Numbers) -> Option<Shifted> {
    let answers = [("largest answer", then.largest, now.largest), ("median answer", then.median, now.median)];
    answers.into_iter().find_map(|(name, was, is)| {
        let (was, is) = (was?, is?);
        let (before, after) = (was.tokens?, is.tokens?);
        let (few, more) = (before.min(after), before.abs_diff(after));
        let is_noticeable = more >= LEAST_TOKENS && more as f64 >= SHARE * few as f64;
        is_noticeable.then_some(Shifted::Tokens(name, was, is))
    })
}
