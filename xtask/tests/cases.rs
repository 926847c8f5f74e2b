//! Each case file is a test: the reference passes all its checks, and all its counterexamples are caught.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod reference;

use conformance::load::Suite;
use conformance::model::Verdict;
use conformance::target::{Running, Target, TargetError, TargetFile};
use conformance::{collect, judge, prove};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock};
use tokio::runtime::Runtime;

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
    let file = TargetFile::read(&root.join("reference/target.toml"), &suite).unwrap();
    let world = Arc::new(World::new(suite, ready(&file).unwrap()));
    let mut trials = Vec::new();
    for (endpoint, wanted) in world.target.endpoints.iter().enumerate() {
        let contract = world.suite.contract(&wanted.contract).unwrap();
        for (case, named) in contract.cases.iter().enumerate() {
            if !world.target.runs_at(endpoint, named, &contract.contract) {
                continue;
            }
            let here = Arc::clone(&world);
            let name = format!("{}::{}::{}", wanted.contract, wanted.transport.kind(), named.name);
            trials.push(Trial::test(name, move || hold(&here, endpoint, case)));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    world.end();
    conclusion.exit_code()
}

/// The reference, ready to be started.
fn ready(file: &TargetFile) -> Result<Target, TargetError> {
    let program = reference::program().display().to_string();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").display().to_string();
    let places = BTreeMap::from([("reference".to_owned(), program), ("corpus".to_owned(), corpus)]);
    file.ready(&places, &|name| std::env::var(name).ok())
}

/// What the cases share: the reference, which is started when the first of them runs.
struct World {
    suite: Arc<Suite>,
    target: Target,
    runtime: Runtime,
    server: OnceLock<Result<Mutex<Option<Running>>, String>>,
}

impl World {
    fn new(suite: Arc<Suite>, target: Target) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        Self { suite, target, runtime, server: OnceLock::new() }
    }

    /// Starts the reference, once.
    fn start(&self) -> Result<(), Failed> {
        let start = || self.runtime.block_on(self.target.start()).map(Mutex::new).map_err(|error| error.to_string());
        self.server.get_or_init(start).as_ref().map(drop).map_err(Failed::from)
    }

    /// Ends what was started.
    fn end(&self) {
        for endpoint in &self.target.endpoints {
            self.runtime.block_on(endpoint.transport.close());
        }
        if let Some(Ok(server)) = self.server.get()
            && let Some(server) = server.lock().unwrap().take()
        {
            self.runtime.block_on(server.stop());
        }
    }
}

/// Runs a case against an endpoint of the reference.
fn hold(world: &World, endpoint: usize, case: usize) -> Result<(), Failed> {
    let World { suite, target, runtime, .. } = world;
    let home = &target.endpoints[endpoint];
    let contract = suite.contract(&home.contract).unwrap();
    let case = &contract.cases[case];
    let route = target.route(endpoint, case, &contract.contract)?;
    world.start()?;
    let evidence = runtime.block_on(collect::collect(case, &contract.contract, &contract.corpus, &route))?;
    let evidence = serde_json::to_value(evidence)?;
    let always = suite.transports.of(home.transport.kind());
    let mut wrong = Vec::new();
    for judgement in judge::judge(case, contract, &always, &evidence) {
        if judgement.verdict != Verdict::Pass {
            let why = judgement.details.first().map_or("", |detail| detail.message.as_str());
            wrong.push(format!("{}: {}, {why}", judgement.requirement, judgement.verdict));
        }
    }
    let (caught, unproven) = prove::case(case, contract, &always, &evidence);
    wrong.extend(unproven.iter().map(ToString::to_string));
    let written: usize = case.checks.iter().map(|check| check.broken_by.len()).sum();
    if caught != written {
        wrong.push(format!("{caught} of {written} counterexamples are caught"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
