//! Whether an endpoint holds the corpus that its target is said to hold: the looks, which are calls.

use super::Options;
use super::jobs::Job;
use super::one::not_connected;
use crate::collect::{Room, collect};
use crate::judge::corpus::{Held, held};
use crate::judge::{Scope, judge_always};
use crate::load::{Case, ContractSuite, Suite};
use crate::model::{CaseRun, Run, Settled, Verdict};
use crate::report::log::settled;
use crate::targets::Target;
use crate::transport::TransportError;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long the first pause between two looks is; each is twice the one before, up to the longest.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// What a look for the corpus at an endpoint brought.
struct Look {
    case: Case,
    evidence: Value,
    held: Held,
    /// How long it was waited for.
    settled: Option<Settled>,
}

/// Waits until an endpoint holds the corpus that was put in, as far as it may take.
pub(super) async fn wait(
    target: &Target,
    endpoint: usize,
    contract: &ContractSuite,
) -> Result<Option<Settled>, TransportError> {
    let look = held_at(target, endpoint, contract, Instant::now()).await?;
    Ok(look.and_then(|look| look.settled))
}

/// Looks for the corpus at an endpoint until all of it is there, or no more time may pass; nothing where nothing tells what is there.
async fn held_at(
    target: &Target,
    endpoint: usize,
    contract: &ContractSuite,
    since: Instant,
) -> Result<Option<Look>, TransportError> {
    let Some(sentinel) = &contract.sentinel else { return Ok(None) };
    if target.endpoints[endpoint].transport.kind().brings_corpus() {
        return Ok(None);
    }
    // That ours can be read is tested; of one that somebody took to pieces nothing is told.
    let Ok((case, sights)) = sentinel.sights() else { return Ok(None) };
    let Ok(route) = target.route(endpoint, &case, &contract.contract) else { return Ok(None) };
    let place = target.endpoints[endpoint].place();
    let mut pause = PAUSE;
    // An index may need a while for what was put in.
    loop {
        let evidence = collect(&case, &contract.contract, &contract.corpus, &route, &Room::alone()).await?;
        if let Some(error) = not_connected(&place, &evidence) {
            return Err(error);
        }
        let held = held(&place, &contract.contract, (sentinel, &sights), &evidence, target.is_seeded);
        let is_whole = held.lacking.is_none() && held.findings.is_empty();
        if is_whole || since.elapsed() >= target.settle {
            let seconds = since.elapsed().as_secs_f64();
            let settled = (pause > PAUSE).then_some(Settled { place, seconds, whole: is_whole });
            return Ok(Some(Look { case, evidence, held, settled }));
        }
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

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
    let needs = |job: &&Job| job.of(suite).is_some_and(|(_, case)| case.corpus_part().is_some());
    let asked: BTreeSet<(usize, usize)> = jobs.iter().filter(needs).map(|job| (job.endpoint, job.contract)).collect();
    let since = Instant::now();
    for (endpoint, contract) in asked {
        let Some(contract) = suite.nth(contract) else { continue };
        let Some(Look { case, mut evidence, held, settled: waited }) =
            held_at(target, endpoint, contract, since).await?
        else {
            continue;
        };
        let (place, Held { lacking, mut findings }) = (target.endpoints[endpoint].place(), held);
        run.settled.extend(waited);
        // What is wrong with the protocol on the way belongs to no case that follows.
        let always = suite.transports.of(place.transport);
        let of_transport =
            judge_always(Scope::Case, &case, contract, &always, &evidence).into_iter().filter(|judgement| {
                let is_its = always.iter().any(|always| always.check.requirement == judgement.requirement);
                is_its && judgement.verdict == Verdict::Fail
            });
        findings.extend(of_transport.map(|judgement| judgement.finding(&place.contract, place.transport, &case.name)));
        run.corpora.extend(lacking);
        if !findings.is_empty() {
            target.redactor.case(&mut evidence, &mut findings, &mut []);
            let of_case = CaseRun::of(&place, &case.name, findings);
            run.cases.push(settled(CaseRun { calls: case.calls(), evidence, ..of_case }, &options.keep));
        }
    }
    Ok(run)
}
