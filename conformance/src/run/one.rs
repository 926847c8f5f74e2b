//! One case at one endpoint: its calls are made, then it is judged and proved aside, so that the run can end meanwhile.

use super::jobs::Job;
use super::options::Options;
use crate::collect::{Room, collect, record};
use crate::derive::{measure, shown};
use crate::judge::{Parts, Scope, merge, one_by_one};
use crate::load::Suite;
use crate::model::{CaseRun, Failure, Keep, Measured, Place, RawReply, Recorded, Unproven, Verdict, retried};
use crate::path::exchanges;
use crate::prove::{
    self, AlwaysProof,
    legal::{Sound, Tried},
};
use crate::report::log::settled;
use crate::targets::Target;
use crate::transport::TransportError;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What all cases of a run share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) suite: Arc<Suite>,
    pub(super) target: Arc<Target>,
    pub(super) options: Options,
    pub(super) always: Arc<AlwaysProof>,
    /// What the answers so far took and were.
    pub(super) measured: Arc<Mutex<Measured>>,
    /// Whether the run is over, so that nobody waits for what is still being judged.
    pub(super) is_over: Arc<AtomicBool>,
}

impl Shared {
    pub(super) fn of(suite: &Arc<Suite>, target: &Arc<Target>, options: &Options) -> Self {
        let (suite, target, options) = (Arc::clone(suite), Arc::clone(target), options.clone());
        Self { suite, target, options, always: Arc::default(), measured: Arc::default(), is_over: Arc::default() }
    }
}

/// What came of one case.
pub(super) struct Done {
    pub(super) run: CaseRun,
    pub(super) caught: usize,
    pub(super) unproven: Vec<Unproven>,
    pub(super) tried: Vec<Tried>,
}

impl Done {
    pub(super) fn of(run: CaseRun) -> Self {
        Self { run, caught: 0, unproven: Vec::new(), tried: Vec::new() }
    }

    pub(super) fn fails(&self) -> bool {
        self.run.findings.iter().any(|finding| finding.verdict == Verdict::Fail)
    }
}

/// Runs a case. `at` is its place in the run.
pub(super) async fn one(shared: Shared, at: usize, job: Job, room: Room) -> Result<Done, TransportError> {
    let (evidence, replies) = {
        let Shared { suite, target, options, .. } = &shared;
        // A job without a way is never begun.
        let (Some((contract, case)), Ok(route)) = (job.of(suite), job.route(suite, target)) else {
            return Ok(Done::of(CaseRun::of(&target.endpoints[job.endpoint].place(), "", Vec::new())));
        };
        let asked = match options.prove && job.is_first {
            true => record(case, &contract.contract, &contract.corpus, &route, &room).await,
            false => {
                let evidence = collect(case, &contract.contract, &contract.corpus, &route, &room).await;
                evidence.map(|evidence| (evidence, Vec::new()))
            }
        };
        match asked {
            // The target is there. Another case may find the room.
            Err(error @ TransportError::NoRoom { .. }) => {
                let (place, why) =
                    (target.endpoints[job.endpoint].place(), error.redacted(&target.redactor).to_string());
                let findings = case.not_told(&place, Verdict::Incomplete, &why);
                return Ok(Done::of(CaseRun::of(&place, &case.name, findings)));
            }
            asked => asked?,
        }
    };
    let place = shared.target.endpoints[job.endpoint].place();
    if let Some(error) = not_connected(&place, &evidence) {
        return Err(error);
    }
    Ok(room.aside(judged(shared, (at, job), evidence, replies)).await)
}

/// Why no more calls are of use: each of these says that the source of the target's data is not connected.
pub(super) fn not_connected(place: &Place, evidence: &Value) -> Option<TransportError> {
    let said = |exchange: &Value| match serde_json::from_value(exchange["raw"]["failure"].clone()) {
        Ok(Failure::NotConnected(said)) => Some(said),
        _ => None,
    };
    let all: Option<Vec<String>> = exchanges(evidence).map(|exchange| said(exchange.value)).collect();
    let said = all?.into_iter().next()?;
    Some(TransportError::NotConnected { endpoint: place.to_string(), said })
}

/// Judges a case, proves its checks where that is wanted, and releases its evidence. What it says is of no use once the run is over.
async fn judged(shared: Shared, (at, job): (usize, Job), mut evidence: Value, replies: Vec<Vec<RawReply>>) -> Done {
    let Shared { suite, target, options, always: proof_of_always, measured, is_over } = &shared;
    let is_over = || is_over.load(Ordering::Relaxed);
    let place = target.endpoints[job.endpoint].place();
    let Some((contract, case)) = job.of(suite) else { return Done::of(CaseRun::of(&place, "", Vec::new())) };
    let Place { contract: key, transport: kind } = &place;
    let mut of_case = Measured::default();
    measure(&mut of_case, &place, &case.name, &evidence);
    // Whoever panicked here measured something all the same.
    measured.lock().unwrap_or_else(PoisonError::into_inner).append(of_case);
    let always = suite.transports.of(*kind);
    let mut judgements = Vec::new();
    for judgement in one_by_one(Scope::Case, case, contract, &always, &evidence).take_while(|_| !is_over()) {
        merge(&mut judgements, judgement);
    }
    let (retried, shown) = (retried(&evidence), shown(exchanges(&evidence).map(|one| one.value), &contract.contract));
    let findings = judgements.into_iter().map(|judgement| judgement.finding(key, *kind, &case.name)).collect();
    let mut done = Done::of(CaseRun { retried, shown, ..CaseRun::of(&place, &case.name, findings) });
    let proves = options.prove && !is_over();
    if let Some(route) = job.route(suite, target).ok().filter(|_| proves && job.is_first) {
        let parts = Parts::of(case, contract, &always, &evidence);
        (done.caught, done.unproven) = prove::case(case, contract, &always, &evidence, &parts);
        let recorded = recorded(&evidence, replies);
        let sound = Sound { evidence: &evidence, recorded: &recorded, parts: &parts };
        done.tried = prove::legal::case(case, contract, suite, &route, sound).await;
    }
    if proves {
        proof_of_always.lay((job.endpoint, at), case, contract, &always, &evidence);
    }
    if is_over() {
        return done;
    }
    target.redactor.case(&mut evidence, &mut done.run.findings, &mut done.run.retried);
    done.run.evidence = evidence;
    done.run = settled(done.run, &options.keep);
    if !matches!(options.keep, Keep::All) {
        // What is kept was made between the parts of the evidence: a copy lies together, so that their memory is free for others.
        done.run = done.run.clone();
    }
    done
}

/// The calls of evidence with the replies that it is derived from.
fn recorded(evidence: &Value, replies: Vec<Vec<RawReply>>) -> Vec<Recorded> {
    let steps = evidence.as_array().into_iter().flatten().zip(replies);
    let exchanges = steps.flat_map(|(step, replies)| step.as_array().into_iter().flatten().zip(replies));
    let recorded = exchanges.map(|(exchange, reply)| {
        let request = &exchange["request"];
        Recorded {
            operation: request["operation"].as_str().unwrap_or_default().to_owned(),
            with: request["with"].as_object().cloned().unwrap_or_default(),
            over: request.get("over").and_then(|over| serde_json::from_value(over.clone()).ok()),
            reply,
        }
    });
    recorded.collect()
}
