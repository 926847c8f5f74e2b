//! The files that a run writes, and what GitHub shows of it.

use crate::shared::print::tell;
use crate::shared::{annotations, files};
use anyhow::Result;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::Outcome;
use conformance::report::{FORMATS, ReportFormat, markdown};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Names the file in which our action finds the counts and the annotations of a run. It prints them itself, when the runner takes
/// commands again.
const STEP: &str = "RETRIEVAL_CONTRACTS_STEP";

/// The reports to write, each with its file.
#[derive(Default)]
pub(crate) struct Reports(Vec<(&'static ReportFormat, PathBuf)>);

/// An option for each format.
impl Args for Reports {
    fn augment_args(command: Command) -> Command {
        let option = |format: &ReportFormat| Arg::new(format.name).long(format.name).help(format.about);
        command.args(FORMATS.iter().map(|one| option(one).value_name("FILE").value_parser(value_parser!(PathBuf))))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Reports {
    fn from_arg_matches(matches: &ArgMatches) -> clap::error::Result<Self> {
        let file = |format: &ReportFormat| matches.get_one::<PathBuf>(format.name).cloned();
        Ok(Self(FORMATS.iter().filter_map(|format| Some((format, file(format)?))).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> clap::error::Result<()> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Reports {
    /// Whether one of them holds all evidence, not only what findings point to.
    pub(crate) fn want_evidence(&self) -> bool {
        self.log().is_some()
    }

    /// Whether one of them shows what the answers cost: of the reference, those for programs alone do.
    pub(crate) fn want_numbers(&self, is_reference: bool) -> bool {
        self.0.iter().any(|(format, _)| format.is_for_programs || !is_reference)
    }

    /// The file of the one that holds all evidence.
    pub(crate) fn log(&self) -> Option<&Path> {
        self.0.iter().find(|(format, _)| format.has_all_evidence).map(|(_, path)| path.as_path())
    }

    /// The files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(_, path)| path.as_path())
    }

    /// Makes sure that they can be written.
    pub(crate) fn check(&self) -> Result<()> {
        files::check(self.0.iter().map(|(format, path)| (format!("--{}", format.name), path.as_path())))
    }

    /// Writes them, and what GitHub shows of a run when it runs us. Says which cannot be written, and writes the others; returns
    /// whether all are written.
    pub(crate) fn write(&self, log: &RunLog, suite: &Suite) -> bool {
        let reports = self.0.iter().map(|(format, path)| files::write_with(path, |file| format.write(log, file)));
        let failed: Vec<anyhow::Error> = reports.chain([github(log, suite)]).filter_map(Result::err).collect();
        failed.iter().for_each(|error| tell!("error: {error:#}"));
        failed.is_empty()
    }
}

/// The summary of the job and its annotations, when GitHub runs us.
fn github(log: &RunLog, suite: &Suite) -> Result<()> {
    let annotations = annotations::lines(log, suite).iter().map(|line| format!("{line}\n")).collect::<String>();
    if let Some(path) = std::env::var_os(STEP) {
        let count = |outcome| log.ledger.rows.iter().filter(|row| row.outcome == outcome).count();
        let (passed, failed) = (count(Outcome::Verified), count(Outcome::Violated));
        files::write(Path::new(&path), format!("passed={passed}\nfailed={failed}\n{annotations}"))?;
    } else if std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true") {
        // Commands that are ours. Nothing is lost when standard error is closed.
        let _ = io::stderr().write_all(annotations.as_bytes());
    }
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) else { return Ok(()) };
    files::append(&path, markdown::render(log))
}
