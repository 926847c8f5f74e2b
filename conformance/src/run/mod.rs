//! A run: every selected case at every endpoint, concurrently, until all are done, time is over, or it is interrupted.

mod jobs;
mod options;
mod presence;
mod reported;

pub use options::{Options, Progress};
pub use reported::{began, reported};

use crate::collect::{Budget, Room, collect, record};
use crate::derive::shown;
use crate::judge::{Parts, Scope, merge, one_by_one};
use crate::load::Suite;
use crate::model::{CaseRun, Place, Proof, RawReply, Recorded, Run, Unproven, Verdict, retried};
use crate::path::exchanges;
use crate::prove::{
    self, AlwaysProof,
    legal::{Sound, Tried},
};
use crate::report::log::settled;
use crate::targets::Target;
use crate::transport::TransportError;
use jobs::{Job, jobs};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Starts what the target file starts, runs the selected cases, and ends it again, with everything that it started.
pub async fn start_and_run(
    suite: &Arc<Suite>,
    target: &Arc<Target>,
    options: &Options,
    interrupt: impl Future<Output = ()>,
    show: impl FnMut(&Progress),
) -> Run {
    tokio::pin!(interrupt);
    let started = tokio::select! {
        started = target.start() => started,
        () = &mut interrupt => return Run { interrupted: true, ..Run::default() },
    };
    let server = match started {
        Ok(server) => server,
        Err(error) => return Run { unreachable: Some(error.redacted(&target.redactor)), ..Run::default() },
    };
    let run = run(suite, target, options, interrupt, show).await;
    target.stop(server).await;
    run
}

/// Runs the selected cases; `interrupt` ends the run early and `show` hears how far it is.
pub async fn run(
    suite: &Arc<Suite>,
    target: &Arc<Target>,
    options: &Options,
    interrupt: impl Future<Output = ()>,
    mut show: impl FnMut(&Progress),
) -> Run {
    let jobs = jobs(suite, target, options);
    let mut run = Run::default();
    let mut why = "the check ended before its time";
    tokio::pin!(interrupt);
    let deadline = tokio::time::sleep(options.time);
    tokio::pin!(deadline);
    let looked = tokio::select! {
        looked = presence::look(suite, target, options, &jobs) => looked.map_err(|error| error.redacted(&target.redactor)),
        () = &mut interrupt => {
            run.interrupted = true;
            return finish(suite, target, options, &jobs, Vec::new(), run, "the run was interrupted");
        }
        () = &mut deadline => {
            return finish(suite, target, options, &jobs, Vec::new(), run, "the time for the whole run was over");
        }
    };
    match looked {
        Ok(looked) => (run.corpora, run.cases) = (looked.corpora, looked.cases),
        Err(error) => {
            run.unreachable = Some(error);
            return finish(suite, target, options, &jobs, Vec::new(), run, "the target is not there");
        }
    }
    // So many at once, in an order of the seed's: what depends on the order of cases comes to light, and can be repeated.
    let mut waiting: Vec<(usize, Job)> =
        jobs.iter().copied().enumerate().filter(|(_, job)| job.way(suite, target, &run.corpora).is_ok()).collect();
    if options.seed > 0 {
        fastrand::Rng::with_seed(options.seed).shuffle(&mut waiting);
    }
    let mut waiting = VecDeque::from(waiting);
    let mut progress = Progress { all: waiting.len(), ..Progress::default() };
    let always = Arc::new(AlwaysProof::default());
    let budget = Budget::of(target.jobs);
    let mut tasks = JoinSet::new();
    let mut begin = |tasks: &mut JoinSet<_>| {
        if let Some((at, job)) = waiting.pop_front() {
            let (suite, target, options) = (Arc::clone(suite), Arc::clone(target), options.clone());
            let (always, room) = (Arc::clone(&always), budget.room());
            tasks.spawn(async move {
                let done = one(&suite, &target, (at, job), &options, (&always, &room)).await;
                (at, done.map(|done| Done { run: settled(done.run, &options.keep), ..done }))
            });
        }
    };
    (0..target.jobs).for_each(|_| begin(&mut tasks));
    let mut done: Vec<Option<Done>> = jobs.iter().map(|_| None).collect();
    show(&progress);
    loop {
        let next = tokio::select! {
            next = tasks.join_next() => next,
            () = &mut interrupt => {
                run.interrupted = true;
                why = "the run was interrupted";
                break;
            }
            () = &mut deadline => {
                why = "the time for the whole run was over";
                break;
            }
        };
        begin(&mut tasks);
        match next {
            None => break,
            Some(Err(broken)) => note_panic(&mut run, &broken),
            Some(Ok((at, Ok(result)))) => {
                progress.done += 1;
                progress.failing += usize::from(result.fails());
                let contract = &suite.contracts[jobs[at].contract];
                progress.last = format!("{} {}", contract.contract.name, contract.cases[jobs[at].case].name);
                show(&progress);
                done[at] = Some(result);
            }
            Some(Ok((_, Err(error)))) => {
                why = "the target is not there";
                run.unreachable = Some(error.redacted(&target.redactor));
                break;
            }
        }
    }
    // Dropping the tasks ends every process that they started.
    tasks.shutdown().await;
    // What was not asked in time proves nothing of the suite.
    let came_to_its_end = progress.done == progress.all;
    if options.prove && options.selection.has_every_case() && came_to_its_end {
        prove_always(suite, target, options.selection.is_whole(), &always, &mut run);
    }
    finish(suite, target, options, &jobs, done, run, why)
}

/// A task that panicked is a fault of ours: its case shows as incomplete, and the run goes on.
fn note_panic(run: &mut Run, broken: &tokio::task::JoinError) {
    if broken.is_panic() {
        run.unproven.push(Unproven {
            proof: Proof::Counterexample,
            case: String::new(),
            requirement: "a case".to_owned(),
            about: broken.to_string(),
            why: "broke the suite itself".to_owned(),
            repeat: None,
        });
    }
}

fn finish(
    suite: &Suite,
    target: &Target,
    options: &Options,
    jobs: &[Job],
    done: Vec<Option<Done>>,
    mut run: Run,
    why: &str,
) -> Run {
    let mut tried: BTreeMap<usize, Vec<Tried>> = BTreeMap::new();
    let mut came_to_its_end = true;
    for (job, done) in jobs.iter().zip(done.into_iter().chain(std::iter::repeat_with(|| None))) {
        let contract = &suite.contracts[job.contract];
        let case = &contract.cases[job.case];
        let place = target.endpoints[job.endpoint].place();
        let done = done.unwrap_or_else(|| {
            let (verdict, why) = match job.way(suite, target, &run.corpora) {
                Err(lacking) => (Verdict::Skip, lacking),
                Ok(_) => (Verdict::Incomplete, why.to_owned()),
            };
            came_to_its_end &= verdict == Verdict::Skip;
            Done::of(CaseRun::of(&place, &case.name, case.not_told(&place, verdict, &why)))
        });
        run.unproven.extend(done.unproven);
        tried.entry(job.contract).or_default().extend(done.tried);
        if options.prove {
            *run.caught.get_or_insert(0) += done.caught;
        }
        run.cases.push(CaseRun { calls: case.calls(), ..done.run });
    }
    if options.prove && options.selection.shard.is_none() {
        accept(suite, target, options.selection.has_every_case() && came_to_its_end, tried, &mut run);
    }
    target.redactor.beside_cases(&mut run);
    run
}

/// Counts the legal answers that were accepted in every case, by contract.
fn accept(suite: &Suite, target: &Target, every_case: bool, tried: BTreeMap<usize, Vec<Tried>>, run: &mut Run) {
    for (at, tried) in tried {
        let contract = &suite.contracts[at];
        let mut places = target.places();
        places.retain(|place| place.contract.name() == contract.contract.name);
        let (accepted, unproven) = prove::legal::whole(contract, tried, &places, every_case);
        *run.accepted.get_or_insert(0) += accepted;
        run.unproven.extend(unproven);
    }
}

/// What the checks that always apply came to, once for each endpoint.
fn prove_always(suite: &Suite, target: &Target, whole: bool, always: &AlwaysProof, run: &mut Run) {
    let mut laid = BTreeMap::new();
    for (at, endpoint) in target.endpoints.iter().enumerate() {
        let Some(contract) = suite.keyed(&endpoint.contract) else { continue };
        let (caught, unproven) = always.of(at, contract, &suite.transports.of(endpoint.transport.kind()), &mut laid);
        *run.caught.get_or_insert(0) += caught;
        run.unproven.extend(unproven);
    }
    // One contract alone may have no exchange that the counterexample of a transport fits.
    for (name, _) in laid.into_iter().filter(|(_, laid)| !laid && whole) {
        run.unproven.push(Unproven {
            proof: Proof::Counterexample,
            case: "transports.json".to_owned(),
            requirement: name,
            about: String::new(),
            why: "can be laid on no exchange of any case".to_owned(),
            repeat: None,
        });
    }
}

/// What came of one case.
struct Done {
    run: CaseRun,
    caught: usize,
    unproven: Vec<Unproven>,
    tried: Vec<Tried>,
}

impl Done {
    fn of(run: CaseRun) -> Self {
        Self { run, caught: 0, unproven: Vec::new(), tried: Vec::new() }
    }

    fn fails(&self) -> bool {
        self.run.findings.iter().any(|finding| finding.verdict == Verdict::Fail)
    }
}

async fn one(
    suite: &Suite,
    target: &Target,
    (at, job): (usize, Job),
    options: &Options,
    (proof_of_always, room): (&AlwaysProof, &Room),
) -> Result<Done, TransportError> {
    let contract = &suite.contracts[job.contract];
    let case = &contract.cases[job.case];
    let place = target.endpoints[job.endpoint].place();
    let Place { contract: key, transport: kind } = &place;
    // A job without a way is never begun.
    let Ok(route) = job.route(suite, target) else {
        return Ok(Done::of(CaseRun::of(&place, &case.name, Vec::new())));
    };
    let (mut evidence, replies) = match options.prove {
        true => record(case, &contract.contract, &contract.corpus, &route, room).await?,
        false => (collect(case, &contract.contract, &contract.corpus, &route, room).await?, Vec::new()),
    };
    let always = suite.transports.of(*kind);
    let mut judgements = Vec::new();
    for judgement in one_by_one(Scope::Case, case, contract, &always, &evidence) {
        merge(&mut judgements, judgement);
        // Judging takes its time, and the run may end in the middle of it.
        tokio::task::yield_now().await;
    }
    let (retried, shown) = (retried(&evidence), shown(exchanges(&evidence).map(|one| one.value), &contract.contract));
    let findings = judgements.into_iter().map(|judgement| judgement.finding(key, *kind, &case.name)).collect();
    let mut done = Done::of(CaseRun { retried, shown, ..CaseRun::of(&place, &case.name, findings) });
    if options.prove {
        let parts = Parts::of(case, contract, &always, &evidence);
        (done.caught, done.unproven) = prove::case(case, contract, &always, &evidence, &parts);
        let recorded = recorded(&evidence, replies);
        let sound = Sound { evidence: &evidence, recorded: &recorded, parts: &parts };
        done.tried = prove::legal::case(case, contract, suite, &route, sound).await;
        proof_of_always.lay((job.endpoint, at), case, contract, &always, &evidence);
    }
    target.redactor.case(&mut evidence, &mut done.run.findings, &mut done.run.retried);
    done.run.evidence = evidence;
    Ok(done)
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
