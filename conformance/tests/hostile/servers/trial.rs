//! One case of the suite against a server, and what came of it.

use super::server::{Answer, Server};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Finding, Header, LOG_FORMAT, Run, Selection, Verdict};
use conformance::run::{Options, start_and_run};
use conformance::targets::{Address, EndpointFile, TargetFile};
use conformance::transport::TransportError;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// One search, that many requirements are about.
pub(crate) const SEARCH: &str = "params/offered";
/// A search, and the frame behind each of its results.
pub(crate) const FRAMES: &str = "live/newest";

/// The seconds of a call that is meant to run out of time.
pub(crate) const SOON: u64 = 1;
/// More seconds than any call needs that ends by itself.
pub(crate) const PATIENT: u64 = 60;

/// What a server did to a run.
pub(crate) struct Trial {
    pub(crate) log: RunLog,
    pub(crate) unreachable: Option<TransportError>,
}

impl Trial {
    /// Runs the search against a server that gives one answer to everything.
    pub(crate) fn of(answer: Answer, timeout: u64) -> Self {
        let runtime = runtime();
        let server = Server::on(&runtime, move |_| answer.clone());
        Self::at(&runtime, &server.address, SEARCH, timeout)
    }

    /// Runs a case against an address.
    pub(crate) fn at(runtime: &Runtime, address: &str, case: &str, timeout: u64) -> Self {
        let file = TargetFile { timeout: Some(timeout), ..target(address) };
        Self::with(runtime, &file, case, &|_| None)
    }

    /// Runs a case against what a target file says, and ends what it starts.
    pub(crate) fn with(
        runtime: &Runtime,
        file: &TargetFile,
        case: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let target = Arc::new(file.ready(&BTreeMap::new(), environment).unwrap());
        let suite = suite();
        let options = options(case);
        let run = start_and_run(&suite, &target, &options, std::future::pending(), |_| {});
        let run = runtime.block_on(run);
        Self { unreachable: run.unreachable.clone(), log: conclude(&suite, run) }
    }

    /// The exchange of a step.
    pub(crate) fn exchange(&self, step: usize) -> &Value {
        &self.log.cases[0].evidence[step][0]
    }

    pub(crate) fn finding(&self, requirement: &str) -> Option<&Finding> {
        let mut entries = self.log.ledger.entries.iter().map(|entry| &entry.finding);
        entries.find(|finding| finding.requirement == requirement)
    }

    /// What was said of a requirement; nothing where nothing of its kind came.
    pub(crate) fn verdict(&self, requirement: &str) -> Option<Verdict> {
        self.finding(requirement).map(|finding| finding.verdict)
    }

    /// Everything that a report, the log or a message of this run says.
    pub(crate) fn everything_said(&self) -> String {
        let mut text = Vec::new();
        self.log.write(&mut text).unwrap();
        let mut text = String::from_utf8(text).unwrap();
        for verbose in [false, true] {
            text += &super::reports::on_a_terminal(&self.log, verbose);
        }
        text += &conformance::report::junit::render(&self.log).unwrap();
        text + &conformance::report::json::text(&self.log)
    }
}

pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// The suite of this checkout.
fn suite() -> Arc<Suite> {
    Arc::new(Suite::load(testing::root()).unwrap())
}

/// The recall contract at an address.
pub(crate) fn target(address: &str) -> TargetFile {
    let endpoint = EndpointFile::new("recall", Address::Http(address.to_owned()));
    TargetFile { name: "hostile".to_owned(), endpoints: vec![endpoint], ..TargetFile::default() }
}

/// One case, all of its evidence kept.
fn options(case: &str) -> Options {
    Options {
        selection: Selection { case: Some(case.to_owned()), ..Selection::default() },
        seed: 0,
        time: Duration::from_secs(300),
        prove: false,
        keep_evidence: true,
    }
}

/// The log of a run, as the runner makes it.
fn conclude(suite: &Suite, run: Run) -> RunLog {
    assert!(run.unproven.is_empty(), "the suite broke: {:?}", run.unproven);
    let header = Header {
        format: LOG_FORMAT.to_owned(),
        suite: "test".to_owned(),
        target: "hostile server".to_owned(),

        ..Header::default()
    };
    RunLog::of(suite, header, run, Duration::ZERO)
}
