//! The files that a run leaves behind, and what GitHub wants to see of it.

use anyhow::{Context, Result};
use conformance::ledger::RunLog;
use conformance::model::Outcome;
use conformance::report::{ctrf, html, json, junit, markdown};
use conformance::text::inert;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// GitHub shows so many annotations of a step.
const MOST_ANNOTATIONS: usize = 10;

/// Which reports to write.
#[derive(Default, clap::Args)]
pub(crate) struct Reports {
    /// Write the report as one HTML page that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the report as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the report in the Common Test Report Format
    #[arg(long, value_name = "FILE")]
    ctrf: Option<PathBuf>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the run log, every exchange and finding, as NDJSON
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl Reports {
    /// Whether all evidence is wanted, not only what failures point to.
    pub(crate) fn want_evidence(&self) -> bool {
        self.log.is_some()
    }

    /// Writes what is asked for, and tells GitHub when it runs there.
    pub(crate) fn write(&self, log: &RunLog) -> Result<()> {
        if let Some(path) = &self.log {
            let file = fs::File::create(path).with_context(|| cannot_write(path))?;
            let mut file = io::BufWriter::new(file);
            log.write(&mut file).and_then(|()| file.flush()).with_context(|| cannot_write(path))?;
        }
        if let Some(path) = &self.junit {
            fs::write(path, junit::render(log)?).with_context(|| cannot_write(path))?;
        }
        write(&self.html, || html::render(log))?;
        write(&self.markdown, || markdown::render(log))?;
        write(&self.ctrf, || ctrf::text(log))?;
        write(&self.json, || json::text(log))?;
        github(log)
    }
}

fn write(path: &Option<PathBuf>, text: impl FnOnce() -> String) -> Result<()> {
    match path {
        Some(path) => fs::write(path, text()).with_context(|| cannot_write(path)),
        None => Ok(()),
    }
}

fn cannot_write(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}

/// The summary of the job and its annotations, when GitHub runs us.
fn github(log: &RunLog) -> Result<()> {
    if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) {
        let file = fs::OpenOptions::new().create(true).append(true).open(&path).with_context(|| cannot_write(&path))?;
        io::BufWriter::new(file).write_all(markdown::render(log).as_bytes()).with_context(|| cannot_write(&path))?;
    }
    if std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true") {
        for line in annotations(log) {
            eprintln!("{line}");
        }
    }
    Ok(())
}

/// One annotation for each requirement that is violated or could not be told, the worst first.
fn annotations(log: &RunLog) -> Vec<String> {
    let mut lines = Vec::new();
    for outcome in [Outcome::Violated, Outcome::Incomplete] {
        for row in log.ledger.rows.iter().filter(|row| row.outcome == outcome) {
            let title = format!("{} over {}: {outcome}", row.requirement.id, row.transport);
            lines.push(format!("::error title={}::{}", property(&title), data(&row.requirement.text)));
        }
    }
    lines.truncate(MOST_ANNOTATIONS);
    lines
}

fn data(text: &str) -> String {
    inert::line(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
