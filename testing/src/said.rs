//! What a process says.

use std::process::{Command, Output};

/// What a process wrote and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Said {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Runs a command to its end.
pub fn said(command: &mut Command) -> Said {
    command.output().unwrap().into()
}
