//! A whole run of a suite against a target, and what the log of it says.

use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Finding, Header, Keep, LOG_FORMAT, Outcome, Selection, Verdict};
use conformance::report::{json, junit, terminal};
use conformance::run::{Options, start_and_run};
use conformance::targets::{Target, TargetFile};
use conformance::transport::TransportError;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::runtime::Runtime;

/// The suite of this checkout.
pub(crate) static SUITE: LazyLock<Arc<Suite>> = LazyLock::new(|| Arc::new(Suite::load(testing::root()).unwrap()));

/// The seconds of a call that is meant to run out of time.
pub(crate) const SOON: u64 = 1;
/// More seconds than any call needs that ends by itself.
pub(crate) const PATIENT: u64 = 60;
/// A run that takes longer than this is stopped.
const TOTAL: Duration = Duration::from_secs(300);

/// A run.
pub(crate) struct Trial {
    pub(crate) log: RunLog,
    pub(crate) unreachable: Option<TransportError>,
}

impl Trial {
    /// Runs a case against what a target file describes; every case if the name is empty.
    pub(crate) fn of(suite: &Arc<Suite>, file: &TargetFile, case: &str) -> Self {
        Self::with(suite, file, case, &|_| None)
    }

    /// The same, with environment variables.
    pub(crate) fn with(
        suite: &Arc<Suite>,
        file: &TargetFile,
        case: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let known = Header {
            known_failures: file.known_failures.clone(),
            unsupported: file.unsupported.clone(),
            ..Header::default()
        };
        Self::knowing(suite, file.ready(&BTreeMap::new(), environment).unwrap(), selected(case), known)
    }

    /// Runs a case against a target that is taken at its word that it holds the corpus.
    pub(crate) fn unlooked(suite: &Arc<Suite>, file: &TargetFile, case: &str) -> Self {
        let target = file.ready(&BTreeMap::new(), &|_| None).unwrap();
        Self::knowing(suite, target, Selection { part: true, ..selected(case) }, Header::default())
    }

    /// Starts a target, runs a case against it, and stops it. All evidence is kept.
    pub(crate) fn against(suite: &Arc<Suite>, target: Target, case: &str) -> Self {
        Self::knowing(suite, target, selected(case), Header::default())
    }

    fn knowing(suite: &Arc<Suite>, target: Target, selection: Selection, known: Header) -> Self {
        let options = Options { selection, seed: 0, runs: 1, time: TOTAL, prove: false, keep: Keep::All };
        let run = runtime().block_on(start_and_run(suite, target, &options, std::future::pending(), |_| {}));
        assert!(run.unproven.is_empty(), "the suite broke: {:?}", run.unproven);
        let header = Header {
            format: LOG_FORMAT.to_owned(),
            suite: "test".to_owned(),
            target: "hostile \u{1b}[31m target".to_owned(),
            selection: options.selection.clone(),
            ..known
        };
        let unreachable = run.unreachable.clone();
        Self { log: RunLog::of(suite, header, run, Duration::ZERO), unreachable }
    }

    /// The first exchange of a step of the first case.
    pub(crate) fn exchange(&self, step: usize) -> &Value {
        &self.log.cases[0].evidence[step][0]
    }

    /// What the first case that speaks of a requirement says of it.
    pub(crate) fn finding(&self, requirement: &str) -> Option<&Finding> {
        self.findings().find(|finding| finding.requirement == requirement)
    }

    pub(crate) fn verdict(&self, requirement: &str) -> Option<Verdict> {
        self.finding(requirement).map(|finding| finding.verdict)
    }

    pub(crate) fn outcome(&self, requirement: &str) -> Option<Outcome> {
        let entries = &self.log.ledger.entries;
        entries.iter().find(|entry| entry.finding.requirement == requirement).map(|entry| entry.outcome)
    }

    /// What a case says of a requirement.
    pub(crate) fn finding_in(&self, case: &str, requirement: &str) -> &Finding {
        let found = self.findings().find(|finding| finding.case == case && finding.requirement == requirement);
        found.unwrap_or_else(|| panic!("{case} says nothing of {requirement}"))
    }

    pub(crate) fn verdict_in(&self, case: &str, requirement: &str) -> Verdict {
        self.finding_in(case, requirement).verdict
    }

    /// The reasons of a verdict, in one text.
    pub(crate) fn why_in(&self, case: &str, requirement: &str) -> String {
        let details = &self.finding_in(case, requirement).details;
        details.iter().map(|detail| detail.message.as_str()).collect::<Vec<_>>().join("; ")
    }

    /// The requirements that some case violates, each once.
    pub(crate) fn violated(&self) -> Vec<&str> {
        let failed = self.findings().filter(|finding| finding.verdict == Verdict::Fail);
        let mut ids: Vec<&str> = failed.map(|finding| finding.requirement.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Everything that a report, the log or a message of this run says.
    pub(crate) fn everything_said(&self) -> String {
        let mut log = Vec::new();
        self.log.write(&mut log).unwrap();
        let mut text = String::from_utf8(log).unwrap();
        for verbose in [false, true] {
            text += &on_a_terminal(&self.log, verbose);
        }
        text += &junit::render(&self.log).unwrap();
        text + &json::text(&self.log)
    }

    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.log.ledger.entries.iter().map(|entry| &entry.finding)
    }
}

/// The report for people, without colours.
pub(crate) fn on_a_terminal(log: &RunLog, verbose: bool) -> String {
    terminal::render(log, terminal::Style { colour: false, width: 100, quiet: false, verbose })
}

/// A case; every case if the name is empty.
fn selected(case: &str) -> Selection {
    Selection {
        cases: Some(case.to_owned()).filter(|case| !case.is_empty()).into_iter().collect(),
        ..Selection::default()
    }
}

pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}
