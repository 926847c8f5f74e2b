//! The command line of the records contract: flags in, one call, text out.

use std::process::ExitCode;

/// What follows `reference qipu`.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Runs one call and prints its answer.
pub(crate) fn run(_arguments: Arguments) -> ExitCode {
    ExitCode::FAILURE
}
