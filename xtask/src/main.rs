//! `cargo xtask`: the runner. One file a command, nothing else.

mod address;
mod bless;
mod cli;
mod compare;
mod completions;
mod corpus_recall;
mod coverage;
mod diff;
mod edits;
mod explain;
mod explore;
mod export;
mod generate;
mod history;
mod judge;
mod known;
mod list;
mod man;
mod mutants;
mod official_mcp;
mod output;
mod reference;
mod reports;
mod serve;
mod tokens;
mod verify;
mod watch;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
