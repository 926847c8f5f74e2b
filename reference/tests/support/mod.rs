//! The program, started for a test: over a corpus, behind HTTP, behind MCP on standard streams.

#![allow(dead_code, reason = "no test needs all of it")]

pub(crate) mod http;
pub(crate) mod mcp;
pub(crate) mod modern;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The corpora of the suite.
pub(crate) const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures");

/// The program, not yet started.
pub(crate) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reference"));
    command.args(arguments);
    command
}

/// How the program ends when it is started without input.
pub(crate) fn ended(arguments: &[&str]) -> Output {
    program(arguments).stdin(Stdio::null()).output().unwrap()
}

/// What the program says of a corpus that it cannot serve.
pub(crate) fn refused(command: &[&str], corpus: &TempDir) -> String {
    let output = ended(&[command, &over(corpus)].concat());
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{message}");
    message
}

/// A folder built like `fixtures`, with the corpus of one contract: names of files, and their texts.
pub(crate) fn corpus(contract: &str, files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join(contract).join("corpus");
    std::fs::create_dir_all(&below).unwrap();
    for (name, text) in files {
        std::fs::write(below.join(name), text).unwrap();
    }
    folder
}

/// The option that names a corpus.
pub(crate) fn over(folder: &TempDir) -> [&str; 2] {
    ["--corpus", text_of(folder.path())]
}

pub(crate) fn text_of(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A process that ends with this value.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    /// Sends a signal, as `kill` names it.
    pub(crate) fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap().success());
    }

    /// The exit code, once it has ended.
    pub(crate) fn code(&mut self) -> Option<i32> {
        self.0.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already, which is what some tests are about.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
