//! The cases that failed when a target was last run, for `--last-failed`. They are kept where everything is that is built or found,
//! and by the installed program in its cache.

use crate::shared::{carried, files, program, workspace};
use anyhow::{Context, Result, bail};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::Outcome;
use conformance::targets::TargetFile;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// Where the cases of one target are kept: one name on a line.
pub(crate) struct LastFailed {
    path: Option<PathBuf>,
    target: String,
}

impl LastFailed {
    /// Those of a target and contracts, run from the current folder.
    ///
    /// # Errors
    /// When there is no current folder.
    pub(crate) fn of(file: &TargetFile, contracts: &[String]) -> Result<Self> {
        let here = std::env::current_dir().context("the current folder is not there")?;
        let mut name = DefaultHasher::new();
        (here, &file.name, contracts).hash(&mut name);
        let folder = match program::is_installed() {
            true => carried::cache(),
            false => Some(workspace::target()?),
        };
        let path = folder.map(|folder| folder.join("last-failed").join(format!("{:016x}", name.finish())));
        Ok(Self { path, target: file.name.clone() })
    }

    /// The cases.
    ///
    /// # Errors
    /// When none are known.
    pub(crate) fn cases(&self) -> Result<Vec<String>> {
        let kept = self.path.as_ref().and_then(|path| fs::read_to_string(path).ok());
        let Some(kept) = kept else {
            bail!("no run of {} from this folder is known: run it without --last-failed first", self.target);
        };
        let cases: Vec<String> = kept.lines().map(str::to_owned).collect();
        if cases.is_empty() {
            bail!("no case failed in the last run of {} from this folder: leave out --last-failed", self.target);
        }
        Ok(cases)
    }

    /// Keeps the cases in which something failed, or could not be judged, in a run. Nothing is lost where that cannot be written.
    pub(crate) fn record(&self, log: &RunLog, suite: &Suite) {
        // What is judged of a whole run has no case to run again.
        let cases: BTreeSet<&str> =
            suite.contracts.iter().flat_map(|one| &one.cases).map(|case| case.name.as_str()).collect();
        let fails = |outcome: Outcome| matches!(outcome, Outcome::Violated | Outcome::Unsteady | Outcome::Incomplete);
        let failed = log.ledger.entries.iter().filter(|entry| fails(entry.outcome));
        let names: BTreeSet<&str> =
            failed.map(|entry| entry.finding.case.as_str()).filter(|name| cases.contains(name)).collect();
        let Some(path) = self.path.as_ref().filter(|_| !log.ledger.entries.is_empty()) else { return };
        let text: String = names.into_iter().map(|name| format!("{name}\n")).collect();
        let _ = files::write(path, text);
    }
}
