//! A run: every selected case at every endpoint, concurrently, until all are done, time is over, or it is interrupted.

mod jobs;
mod one;
mod options;
mod presence;
mod recognise;
mod reported;
mod several;

pub use options::{Options, Progress};
use recognise::begin;
pub use recognise::recognised;
pub use reported::{began, reported};

use crate::collect::{Budget, length};
use crate::load::Suite;
use crate::model::{CaseRun, ContractKey, Proof, Run, Unproven, Verdict};
use crate::prove::{self, AlwaysProof, legal::Tried};
use crate::targets::{Running, Target};
use jobs::{Job, jobs};
use one::{Done, Shared, one};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// Why cases are not judged of a target that is not there.
const GONE: &str = "the target is not there";
/// Why cases are not judged that a run had no time for.
const TIME_IS_OVER: &str = "the time for the whole run was over";

/// Starts what the target file starts, runs the selected cases, and ends it again, with everything that it started.
pub async fn start_and_run(
    suite: &Arc<Suite>,
    mut target: Target,
    options: &Options,
    interrupt: impl Future<Output = ()>,
    show: impl FnMut(&Progress),
) -> Run {
    tokio::pin!(interrupt);
    let began = Instant::now();
    let mut server = None;
    let is_wanted = |contract: &ContractKey| options.selection.has_contract(contract.name());
    let started = tokio::select! {
        started = begin(suite, &mut target, &mut server, is_wanted) => started.map_err(|error| error.redacted(&target.redactor)),
        () = &mut interrupt => {
            target.stop_soon(server).await;
            return Run { interrupted: true, ..Run::default() };
        }
        () = sleep(options.time) => {
            target.stop(server).await;
            let all = All { suite, target: &target, options, jobs: &jobs(suite, &target, options) };
            return all.finish(Vec::new(), Run::default(), TIME_IS_OVER, None);
        }
    };
    let mut settled = match started {
        Ok(settled) => settled,
        Err(error) => {
            target.stop(server).await;
            return Run { unreachable: Some(error), ..Run::default() };
        }
    };
    let options = Options { time: options.time.saturating_sub(began.elapsed()), ..options.clone() };
    let until = async {
        tokio::select! {
            () = interrupt => Until::Interrupted,
            () = gone(&mut server) => Until::Ended,
        }
    };
    let target = &Arc::new(target);
    let mut run = run_until(suite, target, &options, until, show).await;
    (run.endpoints, run.spoken, run.speaks) = (target.places(), target.spoken(), target.speaks(suite));
    run.settled.append(&mut settled);
    run.unproven.extend(target.endpoints.iter().filter_map(|endpoint| broken(suite, &endpoint.contract)));
    run.said = target.said(server.as_ref());
    for said in &mut run.said {
        target.redactor.message(&mut said.command);
        said.lines.iter_mut().for_each(|line| target.redactor.message(line));
    }
    if let Some(server) = server.as_mut().filter(|_| !run.interrupted) {
        run.unreachable = server.end().await.map(|error| error.redacted(&target.redactor)).or(run.unreachable);
    }
    run.noticed = target.endpoints.iter().map(|endpoint| endpoint.transport.noticed()).sum();
    match run.interrupted {
        true => target.stop_soon(server).await,
        false => target.stop(server).await,
    }
    run
}

/// That the files of a contract are broken at the revision that an endpoint turned out to speak: that of a pin was read before.
fn broken(suite: &Suite, key: &ContractKey) -> Option<Unproven> {
    let error = suite.view(key).err()?;
    Some(Unproven {
        proof: Proof::Revision,
        case: "schemas".to_owned(),
        requirement: String::new(),
        about: key.full(),
        why: format!("cannot be used: {error}"),
        repeat: None,
    })
}

/// Done when a server that was started ended by itself.
async fn gone(server: &mut Option<Running>) {
    match server {
        Some(server) => server.gone().await,
        None => std::future::pending().await,
    }
}

/// What ends a run early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Interrupted,
    /// The server that was started ended.
    Ended,
}

impl Until {
    fn why(self) -> &'static str {
        match self {
            Self::Interrupted => "the run was interrupted",
            Self::Ended => GONE,
        }
    }
}

/// Runs the selected cases; `interrupt` ends the run early and `show` hears how far it is.
pub async fn run(
    suite: &Arc<Suite>,
    target: &Arc<Target>,
    options: &Options,
    interrupt: impl Future<Output = ()>,
    show: impl FnMut(&Progress),
) -> Run {
    let until = async {
        interrupt.await;
        Until::Interrupted
    };
    run_until(suite, target, options, until, show).await
}

async fn run_until(
    suite: &Arc<Suite>,
    target: &Arc<Target>,
    options: &Options,
    until: impl Future<Output = Until>,
    mut show: impl FnMut(&Progress),
) -> Run {
    let jobs = jobs(suite, target, options);
    let all = All { suite, target, options, jobs: &jobs };
    let mut run = Run::default();
    let mut why = "the check ended before its time";
    tokio::pin!(until);
    let deadline = sleep(options.time);
    tokio::pin!(deadline);
    let looked = tokio::select! {
        looked = presence::look(suite, target, options, &jobs) => looked.map_err(|error| error.redacted(&target.redactor)),
        until = &mut until => {
            run.interrupted = until == Until::Interrupted;
            return all.finish(Vec::new(), run, until.why(), None);
        }
        () = &mut deadline => {
            return all.finish(Vec::new(), run, TIME_IS_OVER, None);
        }
    };
    match looked {
        Ok(looked) => (run.corpora, run.settled, run.cases) = (looked.corpora, looked.settled, looked.cases),
        Err(error) => {
            run.unreachable = Some(error);
            return all.finish(Vec::new(), run, GONE, None);
        }
    }
    // So many at once, in an order of the seed's: what depends on the order of cases comes to light, and can be repeated.
    let mut waiting: Vec<(usize, Job)> =
        jobs.iter().copied().enumerate().filter(|(_, job)| job.way(suite, target, &run.corpora).is_ok()).collect();
    if options.seed > 0 {
        fastrand::Rng::with_seed(options.seed).shuffle(&mut waiting);
    }
    // The long ones first, so that the run does not end with one of them alone. Those of about the same length stay in their order.
    waiting.sort_by_cached_key(|(_, job)| Reverse(job.of(suite).and_then(|(_, case)| length(case).checked_ilog2())));
    let mut waiting = VecDeque::from(waiting);
    let mut progress = Progress { all: waiting.len(), ..Progress::default() };
    let shared = Shared::of(suite, target, options);
    let budget = Budget::of(target.jobs);
    let mut tasks = JoinSet::new();
    let name = |job: &Job| {
        let named = job.of(suite).map(|(contract, case)| format!("{} {}", contract.contract.key(), case.name));
        named.unwrap_or_default()
    };
    let mut begin = |tasks: &mut JoinSet<_>, progress: &mut Progress| {
        if let Some((at, job)) = waiting.pop_front() {
            let (shared, room) = (shared.clone(), budget.room());
            progress.running.push(name(&job));
            tasks.spawn(async move { (at, one(shared, at, job, room).await) });
        }
    };
    (0..target.jobs).for_each(|_| begin(&mut tasks, &mut progress));
    let mut done: Vec<Option<Done>> = jobs.iter().map(|_| None).collect();
    show(&progress);
    loop {
        let next = tokio::select! {
            next = tasks.join_next() => next,
            until = &mut until => {
                run.interrupted = until == Until::Interrupted;
                why = until.why();
                break;
            }
            () = &mut deadline => {
                why = TIME_IS_OVER;
                break;
            }
        };
        begin(&mut tasks, &mut progress);
        match next {
            None => break,
            Some(Err(broken)) => note_panic(&mut run, &broken),
            Some(Ok((at, Ok(result)))) => {
                progress.done += 1;
                progress.failing += usize::from(result.fails());
                progress.ended(&name(&jobs[at]));
                show(&progress);
                done[at] = Some(result);
            }
            Some(Ok((_, Err(error)))) => {
                why = GONE;
                run.unreachable = Some(error.redacted(&target.redactor));
                break;
            }
        }
    }
    shared.is_over.store(true, Ordering::Relaxed);
    // Dropping the tasks ends every process that they started. What is being judged ends by itself, and nobody waits for it.
    tasks.shutdown().await;
    let measured = shared.measured.lock().map(|mut measured| std::mem::take(&mut *measured));
    run.measured = measured.unwrap_or_default();
    all.finish(done, run, why, Some(&shared.always))
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

/// All that a run is asked to do.
struct All<'r> {
    suite: &'r Suite,
    target: &'r Target,
    options: &'r Options,
    jobs: &'r [Job],
}

impl All<'_> {
    /// What a run comes to whose cases are `done`, by job, as far as it came. `why` there is nothing of the others; `always` is the
    /// proof of what always applies, where cases were begun.
    fn finish(&self, mut done: Vec<Option<Done>>, mut run: Run, why: &str, always: Option<&AlwaysProof>) -> Run {
        let Self { suite, target, options, jobs } = self;
        done.resize_with(jobs.len(), || None);
        let lacking: Vec<Option<String>> = jobs.iter().map(|job| job.way(suite, target, &run.corpora).err()).collect();
        // What was not asked in time proves nothing of the suite.
        let came_to_its_end = done.iter().zip(&lacking).all(|(done, lacking)| done.is_some() || lacking.is_some());
        let every_case = options.selection.has_every_case() && came_to_its_end;
        if let Some(always) = always.filter(|_| options.prove && every_case) {
            prove_always(suite, target, options.selection.is_whole(), always, &mut run);
        }
        let mut tried: BTreeMap<usize, Vec<Tried>> = BTreeMap::new();
        for ((job, done), lacking) in jobs.iter().zip(done).zip(lacking) {
            let Some((_, case)) = job.of(suite) else { continue };
            let place = target.endpoints[job.endpoint].place();
            let done = done.unwrap_or_else(|| {
                let (verdict, why) = match lacking {
                    Some(lacking) => (Verdict::Skip, lacking),
                    None => (Verdict::Incomplete, why.to_owned()),
                };
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
            accept(suite, target, every_case, tried, &mut run);
        }
        target.redactor.beside_cases(&mut run);
        run
    }
}

/// Counts the legal answers that were accepted in every case, by contract.
fn accept(suite: &Suite, target: &Target, every_case: bool, tried: BTreeMap<usize, Vec<Tried>>, run: &mut Run) {
    for (at, tried) in tried {
        let Some(contract) = suite.nth(at) else { continue };
        let mut places = target.places();
        places.retain(|place| contract.contract.is_at(&place.contract));
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
        let (caught, unproven) = always.of(at, contract, &suite.transports.of(endpoint.transport.channel()), &mut laid);
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
