//! All contracts over all transports, over the time that the slowest target needs for its answers.

use super::measured::{Measured, options, shown};
use super::sizes;
use crate::shared::workspace;
use anyhow::Result;
use conformance::model::{Keep, Place, Run, Selection};
use conformance::run;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Runs the whole suite against the reference, without the proof of counterexamples and with it.
pub(super) fn measure() -> Result<Vec<Measured>> {
    let mut lines = Vec::new();
    for prove in [false, true] {
        let Whole { run, seconds: wall, jobs } = against_the_reference(prove, Keep::All)?;
        let mut waited: BTreeMap<String, f64> = BTreeMap::new();
        for case in &run.cases {
            let seconds: f64 = case.exchanges().filter_map(|exchange| exchange["elapsed"].as_f64()).sum();
            *waited.entry(format!("{} over {}", case.contract, case.transport)).or_default() += seconds;
        }
        // As many calls run at once as there are jobs.
        let (slowest, own) = waited.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        let own = own / jobs as f64;
        let what = if prove { "whole: with the proof" } else { "whole: five contracts" };
        let value = format!("{:.2} times: {}, {slowest} alone {}", wall / own, shown(wall), shown(own));
        let line = Measured::new(what, value);
        lines.push(if prove { line.goal("3 times") } else { line });
        if !prove {
            lines.extend(calls(&run)?);
        }
    }
    Ok(lines)
}

/// A run of the whole suite.
pub(super) struct Whole {
    pub(super) run: Run,
    pub(super) seconds: f64,
    /// How many calls ran at once.
    jobs: usize,
}

/// Runs the whole suite against the reference.
pub(super) fn against_the_reference(prove: bool, keep: Keep) -> Result<Whole> {
    let suite = Arc::new(workspace::suite()?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let target = workspace::reference_target(&suite, &[])?;
    let (jobs, options) = (target.jobs, options(Selection::default(), prove, keep));
    let started = Instant::now();
    let never = std::future::pending::<()>();
    let run = runtime.block_on(run::start_and_run(&suite, target, &options, never, |_| {}));
    Ok(Whole { run, seconds: started.elapsed().as_secs_f64(), jobs })
}

/// How many calls each contract takes at one of its endpoints, over how many it took when that was looked at last: `calls` in its
/// `bench.json`.
fn calls(run: &Run) -> Result<Vec<Measured>> {
    let mut at_places: BTreeMap<Place, usize> = BTreeMap::new();
    for case in &run.cases {
        *at_places.entry(case.place()).or_default() += case.exchanges().count();
    }
    let mut most: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, calls) in &at_places {
        let known = most.entry(place.contract.name()).or_default();
        *known = (*known).max(*calls);
    }
    let mut lines = Vec::new();
    for (contract, calls) in most {
        let Some(agreed) = sizes::calls(contract)? else { continue };
        let value = format!("{:.2} times: {calls} calls over {agreed}", calls as f64 / agreed as f64);
        lines.push(Measured::new(format!("whole: calls of {contract}"), value).goal("1.1 times"));
    }
    Ok(lines)
}
