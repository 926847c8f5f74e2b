//! One case of the suite against a script, and what came of it.

use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Finding, Header, LOG_FORMAT, Outcome, Run, Selection};
use conformance::run::{self, Options};
use conformance::targets::{Address, EndpointFile, Target, TargetFile};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// The case that every script is tried with: one call that many requirements are about.
const CASE: &str = "header/context";

/// What a script did to a run.
pub(crate) struct Trial {
    pub(crate) log: RunLog,
    folder: TempDir,
}

impl Trial {
    /// Runs the case against a script. The script writes the id of its own process to `$PIDS`, and those of its children.
    pub(crate) fn of(script: &str, timeout: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pids = folder.path().join("pids");
        let file = folder.path().join("program.sh");
        fs::write(&file, format!("PIDS='{}'\necho $$ >>$PIDS\n{script}\n", pids.display())).unwrap();
        let file = TargetFile {
            name: "hostile".to_owned(),
            endpoints: vec![endpoint(&["/bin/sh", file.to_str().unwrap()])],
            timeout: Some(timeout),
            ..TargetFile::default()
        };
        let target = file.ready(&BTreeMap::new(), &|_| None).unwrap();
        let suite = suite();
        let run = run(&suite, target);
        Self { log: conclude(&suite, run), folder }
    }

    /// The only exchange of the case.
    pub(crate) fn exchange(&self) -> &Value {
        &self.log.cases[0].evidence[0][0]
    }

    pub(crate) fn finding(&self, requirement: &str) -> &Finding {
        let mut entries = self.log.ledger.entries.iter().map(|entry| &entry.finding);
        entries.find(|finding| finding.requirement == requirement).unwrap()
    }

    pub(crate) fn outcome(&self, requirement: &str) -> Option<Outcome> {
        let entries = &self.log.ledger.entries;
        entries.iter().find(|entry| entry.finding.requirement == requirement).map(|entry| entry.outcome)
    }

    /// Fails when a process of the script is still there, or none was started.
    pub(crate) fn assert_nothing_runs(&self) {
        testing::assert_nothing_runs(self.folder.path(), 1);
    }
}

/// The suite of this checkout.
pub(crate) fn suite() -> Arc<Suite> {
    Arc::new(Suite::load(testing::root()).unwrap())
}

/// The records contract over a command line.
pub(crate) fn endpoint(command: &[&str]) -> EndpointFile {
    let command = command.iter().map(|&word| word.to_owned()).collect();
    EndpointFile::new("records", Address::Cli(command))
}

/// Writes a program.
pub(crate) fn executable(path: &Path, text: &str) {
    use std::io::Write;
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// Runs the case against a target.
pub(crate) fn run(suite: &Arc<Suite>, target: Target) -> Run {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(run::run(suite, &Arc::new(target), &options(), std::future::pending(), |_| {}))
}

/// The case alone, all of its evidence kept.
fn options() -> Options {
    Options {
        selection: Selection { case: Some(CASE.to_owned()), ..Selection::default() },
        seed: 0,
        time: Duration::from_secs(300),
        prove: false,
        keep_evidence: true,
    }
}

/// The log of a run, as the runner makes it.
fn conclude(suite: &Suite, run: Run) -> RunLog {
    let header = Header {
        format: LOG_FORMAT.to_owned(),
        suite: "test".to_owned(),
        target: "hostile \u{1b}[31m program".to_owned(),

        ..Header::default()
    };
    RunLog::of(suite, header, run, Duration::ZERO)
}
