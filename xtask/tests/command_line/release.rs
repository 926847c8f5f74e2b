//! A release on a server of this machine, with an archive for this system.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use testing::{Answer, Server, root, said, whole};

/// Files of a release.
pub(crate) struct Release {
    server: Server,
    pub(crate) folder: TempDir,
}

/// What uname and our archives call this system.
pub(crate) fn archive() -> String {
    let system = if cfg!(target_os = "macos") { "macos" } else { std::env::consts::OS };
    format!("retrieval-contracts-{}-{system}.tar.gz", std::env::consts::ARCH)
}

impl Release {
    /// One whose program is this script.
    pub(crate) fn of(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let packed = folder.path().join("retrieval-contracts");
        fs::create_dir(&packed).unwrap();
        let program = packed.join("retrieval-contracts");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        run(Command::new("chmod").arg("+x").arg(&program));
        let archive = archive();
        run(Command::new("tar").args(["-czf", &archive, "retrieval-contracts"]).current_dir(folder.path()));
        fs::remove_dir_all(packed).unwrap();
        fs::copy(root().join("install.sh"), folder.path().join("install.sh")).unwrap();
        let files = folder.path().to_owned();
        // The folder of a release is the last but one part of the path, whatever is before it.
        let server = Server::new(move |request| {
            let name = request.target().rsplit('/').next().unwrap();
            Answer::Bytes(match fs::read(files.join(name)) {
                Ok(bytes) => whole("200 OK", "", bytes),
                Err(_) => whole("404 Not Found", "", ""),
            })
        });
        let release = Self { server, folder };
        release.sign();
        release
    }

    /// One whose program is the runner of these tests.
    pub(crate) fn of_the_runner() -> Self {
        Self::of(&format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_xtask")))
    }

    /// Writes the checksum of the archive.
    pub(crate) fn sign(&self) {
        let sum = said(Command::new("sh").current_dir(self.folder.path()).args([
            "-c",
            &format!("if command -v sha256sum >/dev/null; then sha256sum {0}; else shasum -a 256 {0}; fi", archive()),
        ]));
        assert_eq!(sum.code, Some(0), "{}", sum.err);
        fs::write(self.file(&format!("{}.sha256", archive())), sum.out).unwrap();
    }

    pub(crate) fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// The address of the server.
    pub(crate) fn address(&self) -> &str {
        &self.server.address
    }

    /// How many requests came.
    pub(crate) fn requests(&self) -> usize {
        self.server.requests().len()
    }
}

/// Whether a file can be started.
pub(crate) fn version(program: &Path) -> String {
    said(Command::new(program).arg("--version")).out
}

fn run(command: &mut Command) {
    let said = said(command);
    assert_eq!(said.code, Some(0), "{}", said.err);
}
