//! `cargo xtask`: the runner. One file a command, nothing else.

mod bless;
mod cli;
mod generate;
mod list;
mod verify;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
