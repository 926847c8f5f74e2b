//! Each case file is two tests: the reference passes all its checks, and all its counterexamples are caught.
//!
//! `cargo xtask dev mutants` runs the first of them alone, `-- --skip ::counterexamples`, so what it learns is the word of the judge.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

#[path = "../../xtask/tests/reference/mod.rs"]
mod reference;
#[path = "../../xtask/tests/reference/target.rs"]
mod target;

use conformance::load::{Always, Case, ContractSuite, Suite};
use conformance::model::Verdict;
use conformance::targets::{Running, Target};
use conformance::{collect, judge, prove};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use tokio::runtime::Runtime;

/// Exit code where the reference does not compile, so that `cargo xtask dev mutants` does not take that for a failed case.
const UNBUILT: u8 = 3;
/// Environment variable: when it is set, the first failure ends the run, and what comes after it is not judged.
const FIRST_FAILURE_ENDS: &str = "FIRST_FAILURE_ENDS";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let suite = match Suite::load(root) {
        Ok(suite) => Arc::new(suite),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let program = match reference::program() {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(UNBUILT);
        }
    };
    let target = target::ready(&suite, program).unwrap();
    let world = Arc::new(World::new(suite, target));
    let mut trials = Vec::new();
    for (endpoint, wanted) in world.target.endpoints.iter().enumerate() {
        let contract = world.suite.contract(&wanted.contract).unwrap();
        for (case, named) in contract.cases.iter().enumerate() {
            if !world.target.runs_at(endpoint, named, &contract.contract) {
                continue;
            }
            let name = format!("{}::{}::{}", wanted.contract, wanted.transport.kind(), named.name);
            let probe = Arc::new(Probe { world: Arc::clone(&world), endpoint, case, evidence: OnceLock::new() });
            let again = Arc::clone(&probe);
            trials.push(Trial::test(&name, move || probe.hold()));
            trials.push(Trial::test(format!("{name}::counterexamples"), move || again.prove()));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    world.end();
    conclusion.exit_code()
}

/// What the cases share: the reference, which is started when the first of them runs.
struct World {
    suite: Arc<Suite>,
    target: Target,
    runtime: Runtime,
    server: OnceLock<Result<Mutex<Option<Running>>, String>>,
    first_failure_ends: bool,
    failed: AtomicBool,
}

impl World {
    fn new(suite: Arc<Suite>, target: Target) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let first_failure_ends = std::env::var_os(FIRST_FAILURE_ENDS).is_some();
        Self { suite, target, runtime, server: OnceLock::new(), first_failure_ends, failed: AtomicBool::new(false) }
    }

    /// Starts the reference, once.
    fn start(&self) -> Result<(), Failed> {
        let start = || self.runtime.block_on(self.target.start()).map(Mutex::new).map_err(|error| error.to_string());
        self.server.get_or_init(start).as_ref().map(drop).map_err(Failed::from)
    }

    /// Ends what was started.
    fn end(&self) {
        if let Some(Ok(server)) = self.server.get() {
            let server = server.lock().unwrap().take();
            self.runtime.block_on(self.target.stop(server));
        }
    }
}

/// A case at an endpoint of the reference; its two tests share what was collected.
struct Probe {
    world: Arc<World>,
    endpoint: usize,
    case: usize,
    evidence: OnceLock<Result<Value, String>>,
}

impl Probe {
    fn suite(&self) -> &ContractSuite {
        let World { suite, target, .. } = &*self.world;
        suite.contract(&target.endpoints[self.endpoint].contract).unwrap()
    }

    fn case(&self) -> &Case {
        &self.suite().cases[self.case]
    }

    /// What applies to every exchange of this transport.
    fn always(&self) -> Vec<&Always> {
        let World { suite, target, .. } = &*self.world;
        suite.transports.of(target.endpoints[self.endpoint].transport.kind())
    }

    /// What the reference answers to the case, asked once.
    fn evidence(&self) -> Result<&Value, Failed> {
        let collect = || {
            let World { target, runtime, .. } = &*self.world;
            let (case, suite) = (self.case(), self.suite());
            let route = target.route(self.endpoint, case, &suite.contract)?;
            self.world.start().map_err(|failed| failed.message().unwrap_or_default().to_owned())?;
            let evidence = runtime.block_on(collect::collect(case, &suite.contract, &suite.corpus, &route));
            evidence.map_err(|error| error.to_string())
        };
        self.evidence.get_or_init(collect).as_ref().map_err(Failed::from)
    }

    /// Judges the case, unless the run is over.
    fn hold(&self) -> Result<(), Failed> {
        if self.world.first_failure_ends && self.world.failed.load(Ordering::Relaxed) {
            return Err("not judged, because another case failed".into());
        }
        let held = self.judge();
        self.world.failed.fetch_or(held.is_err(), Ordering::Relaxed);
        held
    }

    /// Judges the case.
    fn judge(&self) -> Result<(), Failed> {
        let mut wrong = Vec::new();
        for judgement in judge::judge(self.case(), self.suite(), &self.always(), self.evidence()?) {
            if judgement.verdict != Verdict::Pass {
                let why = judgement.details.first().map_or("", |detail| detail.message.as_str());
                wrong.push(format!("{}: {}, {why}", judgement.requirement, judgement.verdict));
            }
        }
        told(&wrong)
    }

    /// Lays the case's counterexamples on what was collected.
    fn prove(&self) -> Result<(), Failed> {
        let case = self.case();
        let (caught, unproven) = prove::case(case, self.suite(), &self.always(), self.evidence()?);
        let mut wrong: Vec<String> = unproven.iter().map(ToString::to_string).collect();
        let written: usize = case.checks.iter().map(|check| check.broken_by.len()).sum();
        if caught != written {
            wrong.push(format!("{caught} of {written} counterexamples are caught"));
        }
        told(&wrong)
    }
}

/// Nothing wrong, or all that is.
fn told(wrong: &[String]) -> Result<(), Failed> {
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
