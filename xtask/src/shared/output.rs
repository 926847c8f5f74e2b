//! How a run is printed, and which files are written.

use crate::shared::reports::Reports;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::report::{content, json, terminal};
use conformance::text::inert;
use serde_json::Value;
use std::fmt;
use std::io::{self, Write};

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
    /// Show the texts of requests and answers, or fingerprints of them; numbers and names of fields are always shown
    #[arg(long, value_enum, default_value_t = Content::Show)]
    content: Content,
    /// Leave out what is verified
    #[arg(short, long)]
    quiet: bool,
    /// Show advice, known failures and what was not exercised in full
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

    /// Refuses options that contradict each other, before anything runs.
    pub(crate) fn check(&self) -> Result<()> {
        if self.shown.content == Content::Hash && self.reports.want_evidence() {
            bail!("a log is for judging again, which takes the content: leave out --log or --content hash");
        }
        Ok(())
    }

    /// Whether all evidence is wanted, not only what failures point to.
    pub(crate) fn wants_evidence(&self) -> bool {
        self.reports.want_evidence()
    }

    /// Whether everything is shown in full.
    pub(crate) fn is_verbose(&self) -> bool {
        self.shown.verbose
    }

    /// Whether the texts of requests and answers may be shown.
    pub(crate) fn shows_content(&self) -> bool {
        self.shown.content == Content::Show
    }

    /// Writes the files that were asked for, then prints; returns the exit code of the run.
    pub(crate) fn write(&self, log: RunLog, suite: &Suite) -> Result<u8> {
        let log = self.write_files(log, suite)?;
        self.print(&log)?;
        Ok(log.totals.exit_code)
    }

    /// The same for a run whose standard output carries another program's data: the report goes to standard error.
    pub(crate) fn write_beside(&self, log: RunLog, suite: &Suite) -> Result<u8> {
        let log = self.write_files(log, suite)?;
        let style = terminal::Style { colour: console::colors_enabled_stderr(), ..self.style() };
        // Nothing is lost when standard error is closed.
        let _ = io::stderr().write_all(inert::page(&self.text(&log, style)).as_bytes());
        Ok(log.totals.exit_code)
    }

    fn write_files(&self, log: RunLog, suite: &Suite) -> Result<RunLog> {
        let log = match self.shown.content {
            Content::Show => log,
            Content::Hash => content::hidden(log, suite, std::hash::RandomState::new()),
        };
        self.reports.write(&log)?;
        Ok(log)
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

/// The columns of a page: those of the terminal, but at least 80 and at most 100.
pub(crate) fn width() -> usize {
    console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns)).clamp(80, 100)
}

/// Prints a text for people to standard output.
pub(crate) fn show(text: &str) -> Result<()> {
    print(&inert::page(text))
}

/// Prints a value for programs to standard output, a line for each field.
pub(crate) fn print_json(value: &Value) -> Result<()> {
    print(&format!("{}\n", inert::json(&format!("{value:#}"))))
}

/// Prints to standard output what a program reads: every byte as it is.
pub(crate) fn print(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        // A reader that closes the pipe has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("the report cannot be printed"),
        _ => Ok(()),
    }
}

/// Prints a line for people to standard output. A reader that closes the pipe has read enough.
macro_rules! say {
    ($($line:tt)*) => { $crate::shared::output::line(format_args!($($line)*)) };
}
pub(crate) use say;

/// Prints a line for people to standard error. Nothing is lost when it is closed.
macro_rules! tell {
    ($($line:tt)*) => { $crate::shared::output::told(format_args!($($line)*)) };
}
pub(crate) use tell;

/// Prints a value for programs to standard output, on one line.
pub(crate) fn say_json(value: &Value) {
    write_line(&inert::json(&value.to_string()));
}

/// Prints a line, for `say!`.
pub(crate) fn line(line: fmt::Arguments<'_>) {
    write_line(&inert::page(&line.to_string()));
}

fn write_line(line: &str) {
    if let Err(error) = writeln!(io::stdout(), "{line}")
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        tell!("error: standard output cannot be written: {error}");
        std::process::exit(2);
    }
}

/// Prints a line, for `tell!`.
pub(crate) fn told(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", inert::page(&line.to_string()));
}
