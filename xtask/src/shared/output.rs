//! How a run is printed, and which files are written.

use crate::shared::files;
use crate::shared::print::{print, show, tell, width};
use crate::shared::reports::Reports;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::Keep;
use conformance::report::{content, json, terminal};
use conformance::spill::Spill;
use conformance::text::inert;
use std::io::{self, Write};
use std::path::Path;

/// The exit code of a run that would end with 0 and whose files cannot be written.
const NOT_WRITTEN: u8 = 2;

/// What to print and what to write.
#[derive(clap::Args)]
pub(crate) struct Output {
    #[command(flatten, next_help_heading = "Reports")]
    reports: Reports,
    #[command(flatten, next_help_heading = "Output")]
    shown: Shown,
}

/// What is printed, and in which form.
#[derive(clap::Args)]
struct Shown {
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show the texts of requests and answers, or fingerprints of them; numbers, names of fields, and texts of the suite's own files are
    /// always shown
    #[arg(long, value_enum, default_value_t = Content::Show)]
    content: Content,
    /// Leave out what is verified, and what the answers took and cost
    #[arg(short, long)]
    quiet: bool,
    /// Show advice, known failures and what was not exercised in full, and what the answers to each operation took and cost
    #[arg(short, long)]
    verbose: bool,
}

/// For whom something is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// For programs
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Content {
    /// The texts themselves
    Show,
    /// Fingerprints, so that a report can be published
    Hash,
}

impl Output {
    /// For people, on the terminal only, without the requirements that are verified.
    pub(crate) fn brief() -> Self {
        let (format, content) = (Format::Human, Content::Show);
        Self { reports: Reports::default(), shown: Shown { format, content, quiet: true, verbose: false } }
    }

    /// Refuses options that contradict each other, and files that cannot be written, before anything runs.
    pub(crate) fn check(&self) -> Result<()> {
        if self.shown.content == Content::Hash && self.reports.want_evidence() {
            bail!("a log is for judging again, which takes the content: leave out --log or --content hash");
        }
        self.reports.check()
    }

    /// The files that are written.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.reports.files()
    }

    /// What is kept of evidence that was judged: what failures point to, or all of it for a log, in a temporary file.
    pub(crate) fn keep(&self) -> Result<Keep> {
        if !self.reports.want_evidence() {
            return Ok(Keep::Found);
        }
        let spill = Spill::new().context("no temporary file can be made for the evidence of the log")?;
        Ok(Keep::Shelved(spill))
    }

    /// The same, but the log itself takes the evidence as it arrives, so that it is there when the program is killed.
    pub(crate) fn keep_at_once(&self, first_line: &[u8]) -> Result<Keep> {
        let Some(path) = self.log() else { return Ok(Keep::Found) };
        match files::begin(path, first_line)? {
            Some(file) => Ok(Keep::Shelved(Spill::writing(file).context("the log cannot be written")?)),
            None => self.keep(),
        }
    }

    /// Whether any file is asked for.
    pub(crate) fn writes_files(&self) -> bool {
        self.files().next().is_some()
    }

    /// The file with all evidence.
    pub(crate) fn log(&self) -> Option<&Path> {
        self.reports.log()
    }

    /// Whether everything is shown in full.
    pub(crate) fn is_verbose(&self) -> bool {
        self.shown.verbose
    }

    /// Whether the texts of requests and answers may be shown.
    pub(crate) fn shows_content(&self) -> bool {
        self.shown.content == Content::Show
    }

    /// Prints, then writes the files that were asked for; returns the exit code of the run. Only a run that would end with 0
    /// ends otherwise because a file cannot be written.
    pub(crate) fn write(&self, mut log: RunLog, suite: &Suite) -> Result<u8> {
        if self.shows_numbers(&log) {
            log.count_tokens();
        }
        let log = self.hidden(log, suite);
        let printed = self.print(&log);
        let code = self.write_files(&log, suite);
        printed.map(|()| code)
    }

    /// The same for a run whose standard output carries another program's data: the report goes to standard error.
    pub(crate) fn write_beside(&self, log: RunLog, suite: &Suite) -> Result<u8> {
        let log = self.hidden(log, suite);
        let style = terminal::Style { colour: console::colors_enabled_stderr(), ..self.style() };
        // Nothing is lost when standard error is closed.
        let _ = io::stderr().write_all(inert::page(&self.text(&log, style)).as_bytes());
        Ok(self.write_files(&log, suite))
    }

    /// Whether what the answers cost is shown anywhere. That of the reference is for whoever asks for it.
    fn shows_numbers(&self, log: &RunLog) -> bool {
        let is_reference = log.totals.counterexamples.is_some();
        self.shown.format == Format::Json
            || self.shown.verbose
            || self.reports.want_numbers(is_reference)
            || !self.shown.quiet && !is_reference
    }

    fn hidden(&self, log: RunLog, suite: &Suite) -> RunLog {
        match self.shown.content {
            Content::Show => log,
            Content::Hash => content::hidden(log, suite, suite.own_texts(), std::hash::RandomState::new()),
        }
    }

    fn write_files(&self, log: &RunLog, suite: &Suite) -> u8 {
        log.header.warnings.iter().for_each(|warning| tell!("warning: {warning}"));
        let is_written = self.reports.write(log, suite);
        match log.totals.exit_code {
            0 if !is_written => {
                tell!("the run itself ended with 0, and this program ends with {NOT_WRITTEN}: a file is missing");
                NOT_WRITTEN
            }
            code => code,
        }
    }

    /// Prints a run.
    pub(crate) fn print(&self, log: &RunLog) -> Result<()> {
        let text = self.text(log, self.style());
        match self.shown.format {
            Format::Json => print(&text),
            Format::Human => show(&text),
        }
    }

    fn text(&self, log: &RunLog, style: terminal::Style) -> String {
        match self.shown.format {
            Format::Json => json::text(log),
            Format::Human => terminal::render(log, style),
        }
    }

    /// Prints a text for people: after the report, or on standard error if programs read the report.
    pub(crate) fn aside(&self, text: &str) -> Result<()> {
        match self.shown.format {
            Format::Human => show(&format!("\n{text}\n")),
            Format::Json => {
                tell!("{text}");
                Ok(())
            }
        }
    }

    fn style(&self) -> terminal::Style {
        terminal::Style {
            colour: console::colors_enabled(),
            width: width(),
            quiet: self.shown.quiet,
            verbose: self.shown.verbose,
        }
    }
}
