//! `cargo xtask compare`: runs side by side, judged by the suite as it is now.

use crate::shared::own::Own;
use crate::shared::{files, logs, print};
use anyhow::Result;
use conformance::ledger::RunLog;
use conformance::ledger::compare::{Change, Comparison};
use conformance::report::comparison;
use conformance::report::html::compared;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask compare mine.ndjson theirs.ndjson            who supports what
  cargo xtask compare before.ndjson after.ndjson           two runs of one target: what got better and worse
  cargo xtask compare *.ndjson --html table.html --all
  cargo xtask compare base.ndjson run.ndjson --markdown comparison.md      for a pull request

Logs are written by `cargo xtask verify --log`.
Of two runs of one target it also shows response times that doubled or halved, and answers whose tokens changed by a tenth.
That is no verdict, and never changes the exit code.
Exit codes:
  0 nothing got worse   1 between two runs of one target something did";

/// Which logs, and what to write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run logs, written by `verify --log`
    #[arg(value_name = "RUN.ndjson", required = true, num_args = 2..)]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    own: Own,
    /// Print what is the same for all, too
    #[arg(long)]
    all: bool,
    /// Write the runs side by side, each result with its evidence, as one HTML page that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write what changed between two runs of one target as Markdown, for a pull request
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Compares; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let written = [("--html", &arguments.html), ("--markdown", &arguments.markdown)];
    let written = written.into_iter().filter_map(|(name, path)| Some((name.to_owned(), path.as_deref()?)));
    files::check(written)?;
    let suite = arguments.own.suite()?;
    let judged = |path: &PathBuf| {
        let mut log = logs::read_for(&suite, path)?.judge(&suite);
        log.count_tokens();
        // Logs may be large: what is compared and shown of each is little.
        log.abridge();
        Ok(log)
    };
    let logs = arguments.logs.iter().map(judged).collect::<Result<Vec<RunLog>>>()?;
    let comparison = Comparison::of(&logs);
    let text = comparison::text(&comparison, arguments.all, console::colors_enabled(), print::width());
    print::show(&text)?;
    if let Some(path) = &arguments.html {
        files::write(path, compared::page(&comparison, &logs))?;
    }
    if let Some(path) = &arguments.markdown {
        files::write(path, comparison::markdown(&comparison))?;
    }
    let changes = comparison.changes().unwrap_or_default();
    Ok(u8::from(changes.iter().any(|changed| changed.change == Change::Worse)))
}
