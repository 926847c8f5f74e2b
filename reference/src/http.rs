//! The HTTP side: requests in, one call, JSON out.

use std::process::ExitCode;

/// What follows `reference serve`.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Serves until it is stopped.
pub(crate) fn run(_arguments: Arguments) -> ExitCode {
    ExitCode::FAILURE
}
