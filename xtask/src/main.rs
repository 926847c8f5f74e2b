//! `cargo xtask`: the runner. One file a command, nothing else.

mod address;
mod bless;
mod cli;
mod corpus_recall;
mod coverage;
mod edits;
mod generate;
mod list;
mod mutants;
mod official_mcp;
mod reference;
mod reports;
mod serve;
mod tokens;
mod verify;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
