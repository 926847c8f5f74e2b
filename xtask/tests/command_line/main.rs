//! `cargo xtask` as a person and a CI server meet it: a real process, its words, its files and its exit codes.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod action;
mod catalogue;
mod comparison;
mod corpus;
mod diff;
mod documents;
mod explore;
mod export;
mod init;
mod known;
mod logs;
mod made;
mod reports;
mod retries;
mod seeders;
mod shards;
mod tap;
mod tokens;
mod usage;
mod watch;

use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// What a process said and how it ended.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

/// The runner with these arguments.
fn xtask(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments).env("NO_COLOR", "1").env("COLUMNS", "100");
    command
}

fn said(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().unwrap();
    Said { code: status.code(), out: String::from_utf8(stdout).unwrap(), err: String::from_utf8(stderr).unwrap() }
}

/// The commands that a help lists.
fn listed(help: &str) -> Vec<String> {
    let commands = help.split("\nOptions:\n").next().unwrap();
    // A line that goes on with a description is further in.
    let lines = commands.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

/// A shell script in a folder of its own, called by its shell so that writing it cannot be in the way of starting it.
struct Script {
    folder: TempDir,
}

impl Script {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("program.sh"), text).unwrap();
        Self { folder }
    }

    /// A file beside the script.
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What `--cli` takes.
    fn command(&self) -> String {
        format!("/bin/sh {}", self.file("program.sh").display())
    }
}
