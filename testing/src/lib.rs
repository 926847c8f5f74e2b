//! What the tests of several packages share: where the data is, the reference as a program, servers made by hand, and what
//! processes say and leave behind.
//!
//! It depends on none of our packages, so that the tests of the reference can use it as well as those of the judge.

#![expect(clippy::unwrap_used, reason = "only tests call this, and a panic fails the test")]

mod inert;
mod processes;
mod reference;
mod request;
mod said;
mod script;
mod server;

pub use inert::assert_inert;
pub use processes::assert_nothing_runs;
pub use reference::reference;
pub use request::{Request, skip_request};
pub use said::{Said, said};
pub use script::{McpScript, Script};
pub use server::{Answer, Server, answer, head, ok, redirect, unused_address, whole};

use std::path::{Path, PathBuf};

/// The checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The contracts of the checkout, by name: the folders in `schemas/`, except the one for our own files.
pub fn contracts() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("schemas")).unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.file_type().unwrap().is_dir());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "suite");
    names.sort();
    assert!(!names.is_empty(), "the checkout has no contract");
    names
}

/// The folder of a contract's corpus, cases and goldens.
pub fn fixtures(contract: &str) -> PathBuf {
    root().join("fixtures").join(contract)
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// The folder of the data that a target of a contract must hold.
pub fn corpus(contract: &str) -> PathBuf {
    fixtures(contract).join("corpus")
}
