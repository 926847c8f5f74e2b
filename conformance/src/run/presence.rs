//! Whether an endpoint holds the corpus that its target is said to hold: the looks, which are calls.

use super::Options;
use super::jobs::Job;
use crate::collect::{Room, collect};
use crate::judge::corpus::{Held, held};
use crate::load::Suite;
use crate::model::{CaseRun, Run};
use crate::report::log::settled;
use crate::targets::Target;
use crate::transport::TransportError;
use std::collections::BTreeSet;

/// Looks for the corpus at every endpoint that is asked what needs it. A corpus that is not all there is noted in `run`, and so is a
/// target that contradicts itself.
pub(super) async fn look(
    suite: &Suite,
    target: &Target,
    options: &Options,
    jobs: &[Job],
) -> Result<Run, TransportError> {
    let mut run = Run::default();
    // Another corpus than ours has no sentinel, and whose evidence is known to be sound holds ours.
    if options.selection.part || options.prove || !target.has_corpus {
        return Ok(run);
    }
    let needs = |job: &&Job| suite.contracts[job.contract].cases[job.case].corpus_part().is_some();
    let asked: BTreeSet<(usize, usize)> = jobs.iter().filter(needs).map(|job| (job.endpoint, job.contract)).collect();
    for (endpoint, contract) in asked {
        let contract = &suite.contracts[contract];
        let Some(sentinel) = &contract.sentinel else { continue };
        if target.endpoints[endpoint].transport.kind().brings_corpus() {
            continue;
        }
        // That ours can be read is tested; of one that somebody took to pieces nothing is told.
        let Ok((case, sights)) = sentinel.sights() else { continue };
        let Ok(route) = target.route(endpoint, &case, &contract.contract) else { continue };
        let mut evidence = collect(&case, &contract.contract, &contract.corpus, &route, &Room::alone()).await?;
        let place = target.places().swap_remove(endpoint);
        let Held { lacking, mut contradictions } = held(&place, &contract.contract, sentinel, &sights, &evidence);
        run.corpora.extend(lacking);
        if !contradictions.is_empty() {
            target.redactor.case(&mut evidence, &mut contradictions, &mut []);
            let of_case = CaseRun::of(&place, &case.name, contradictions);
            run.cases.push(settled(CaseRun { calls: case.calls(), evidence, ..of_case }, &options.keep));
        }
    }
    Ok(run)
}
