//! `cargo xtask judge`: judge stored evidence again by the present suite, and render any report from it.

use crate::shared::logs;
use crate::shared::output::Output;
use crate::shared::own::Own;
use anyhow::Result;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask verify recall --http http://127.0.0.1:8083 --log run.ndjson
  cargo xtask judge run.ndjson                     by the suite as it is now, without a target
  cargo xtask judge run.ndjson --html report.html --quiet

Cases that ask for other calls than the log has stay incomplete, as do new ones. The exit codes are those of verify.";

/// Which log, and what to print and write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A run log, written by `verify --log`
    #[arg(value_name = "RUN.ndjson")]
    run: PathBuf,
    /// Hold the target to advice too, and to exercising everything
    #[arg(long)]
    strict: bool,
    /// Leave out what clients refuse although the protocol allows it (`client.*`)
    #[arg(long)]
    no_clients: bool,
    /// Exit with 3 when less than this share of the binding requirements is exercised at an endpoint, in percent
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    require_exercised: Option<u8>,
    #[command(flatten)]
    own: Own,
    #[command(flatten)]
    output: Output,
}

/// Judges and reports; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    arguments.output.check()?;
    let suite = arguments.own.suite()?;
    let mut stored = logs::read_for(&suite, &arguments.run)?;
    stored.header.strict |= arguments.strict;
    stored.header.selection.no_clients |= arguments.no_clients;
    stored.header.require_exercised = arguments.require_exercised.or(stored.header.require_exercised);
    let log = stored.judge(&suite);
    arguments.output.write(log, &suite)
}
