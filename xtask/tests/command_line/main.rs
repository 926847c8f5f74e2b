//! `cargo xtask` as a person and a CI server meet it: a real process, its words, its files and its exit codes.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod action;
mod catalogue;
mod comment;
mod comparison;
mod corpus;
mod diff;
mod documents;
mod explore;
mod export;
mod files;
mod hub;
mod init;
mod install;
mod known;
mod logs;
mod machine;
mod made;
mod modern_only;
mod neighbours;
mod numbers;
mod older;
mod own;
mod pull_requests;
mod release;
mod reports;
mod retries;
mod scaffold;
mod secrets;
mod seeders;
mod selecting;
mod serving;
mod shards;
#[cfg(target_os = "linux")]
mod signals;
mod spoken;
mod started;
mod tap;
mod tokens;
mod unsteady;
mod usage;
mod variants;
mod watch;

use std::process::Command;

/// What a CI server that runs these tests may tell every program: to use colours, and to write into the report of its job.
const OF_CI: [&str; 3] = ["CLICOLOR_FORCE", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"];

/// The runner with these arguments.
fn xtask(arguments: &[&str]) -> Command {
    let mut command = plain(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments);
    command
}

/// A program that is told nothing of the terminal or the CI server of these tests.
fn plain(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env("NO_COLOR", "1").env("COLUMNS", "100");
    for name in OF_CI {
        command.env_remove(name);
    }
    command
}

/// The commands that a help lists.
fn listed(help: &str) -> Vec<String> {
    let commands = help.split("\nOptions:\n").next().unwrap();
    // A line that goes on with a description is further in.
    let lines = commands.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}
