//! The program as somebody has it who installed it: alone in a folder, without cargo, without a checkout, with a cache of its own.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod cache;
mod commands;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A machine on which the program is installed, and nothing else of ours.
struct Machine {
    folder: TempDir,
}

/// What a process said and how it ended.
#[derive(Debug, PartialEq)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Machine {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bin", "home", "work", "temporary"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let machine = Self { folder };
        let built = env!("CARGO_BIN_EXE_retrieval-contracts");
        if fs::hard_link(built, machine.program()).is_err() {
            fs::copy(built, machine.program()).unwrap();
        }
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self) -> PathBuf {
        self.path("bin/retrieval-contracts")
    }

    /// The folders that the data is unpacked in, by what stands in the cache.
    fn unpacked(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path("home/.cache/retrieval-contracts")).unwrap();
        entries.map(|entry| entry.unwrap().path()).filter(|path| !path.ends_with("retrieval-contracts.lock")).collect()
    }

    /// The program in an empty folder, with nothing in its environment that it does not need.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.program());
        command.args(words).current_dir(self.path("work")).env_clear();
        command.env("HOME", self.path("home")).env("TMPDIR", self.path("temporary"));
        command.env("NO_COLOR", "1").env("COLUMNS", "100").stdin(Stdio::null());
        command
    }

    fn says(&self, words: &[&str]) -> Said {
        said(&mut self.command(words))
    }
}

fn said(command: &mut Command) -> Said {
    told(command.output().unwrap())
}

fn told(output: Output) -> Said {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}
