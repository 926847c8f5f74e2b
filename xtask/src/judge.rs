//! `cargo xtask judge`: judge stored evidence again by the present suite, and render any report from it.

use crate::output::Output;
use crate::workspace;
use anyhow::{Context, Result};
use conformance::load::Suite;
use conformance::rejudge::Stored;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask verify recall --http http://127.0.0.1:8083 --log run.ndjson
  cargo xtask judge run.ndjson                     by the suite as it is now, without a target
  cargo xtask judge run.ndjson --html report.html --quiet

Cases that ask for other calls than the log has stay incomplete, as do new ones. The exit codes are those of verify.";

/// Which log, and what to make of it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A run log, written by `verify --log`
    #[arg(value_name = "RUN.ndjson")]
    run: PathBuf,
    /// Hold the target to advice too, and to exercising everything
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    output: Output,
}

/// Judges and reports; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    arguments.output.check()?;
    let suite = workspace::suite()?;
    let mut stored = read(&arguments.run, &suite)?;
    stored.header.strict |= arguments.strict;
    let log = stored.judge(&suite);
    arguments.output.write(log, &suite)
}

/// Reads a log, and says on standard error what of it the suite does not know any more.
pub(crate) fn read(path: &Path, suite: &Suite) -> Result<Stored> {
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let stored = Stored::read(BufReader::new(file)).with_context(|| format!("the log {}", path.display()))?;
    tell_gone(&stored, path, suite);
    Ok(stored)
}

/// Says on standard error what of a log a suite does not know any more.
pub(crate) fn tell_gone(stored: &Stored, path: &Path, suite: &Suite) {
    let gone = stored.gone(suite);
    if !gone.is_empty() {
        eprintln!("{}: the suite has these cases no more: {}", path.display(), gone.join(", "));
    }
}
