//! Each case file is a test: the reference passes all its checks, and all its counterexamples are caught.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod reference;

use conformance::load::Suite;
use conformance::model::Verdict;
use conformance::target::{Target, TargetError, TargetFile};
use conformance::{collect, judge, prove};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

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
    let file = Arc::new(TargetFile::read(&root.join("reference/target.toml"), &suite).unwrap());
    let target = ready(&file).unwrap();
    let mut trials = Vec::new();
    for (endpoint, wanted) in target.endpoints.iter().enumerate() {
        let contract = suite.contract(&wanted.contract).unwrap();
        for (case, named) in contract.cases.iter().enumerate() {
            if !target.runs_at(endpoint, named, &contract.contract) {
                continue;
            }
            let (suite, file) = (Arc::clone(&suite), Arc::clone(&file));
            let name = format!("{}::{}::{}", wanted.contract, wanted.transport.kind(), named.name);
            trials.push(Trial::test(name, move || hold(&suite, &file, endpoint, case)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The reference, ready to be started.
fn ready(file: &TargetFile) -> Result<Target, TargetError> {
    let program = reference::program().display().to_string();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").display().to_string();
    let places = BTreeMap::from([("reference".to_owned(), program), ("corpus".to_owned(), corpus)]);
    file.ready(&places, &|name| std::env::var(name).ok())
}

/// Runs a case against an endpoint of the reference.
fn hold(suite: &Suite, file: &TargetFile, endpoint: usize, case: usize) -> Result<(), Failed> {
    let target = ready(file)?;
    let home = &target.endpoints[endpoint];
    let contract = suite.contract(&home.contract).unwrap();
    let case = &contract.cases[case];
    let route = target.route(endpoint, case, &contract.contract)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let server = runtime.block_on(target.start())?;
    let evidence = runtime.block_on(collect::collect(case, &contract.contract, &contract.corpus, &route))?;
    for endpoint in &target.endpoints {
        runtime.block_on(endpoint.transport.close());
    }
    if let Some(server) = server {
        runtime.block_on(server.stop());
    }
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
