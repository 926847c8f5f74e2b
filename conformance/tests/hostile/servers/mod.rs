//! Real servers that do their worst: the run ends, says what happened, and asks nobody but the target.

mod bodies;
mod client;
mod connections;
mod kept;
mod lifecycle;
mod pace;
mod redirects;
mod repeat;
mod reports;
mod secrets;
mod statuses;
mod unreachable;

use crate::trial::{SUITE, Trial};
use conformance::targets::{Address, EndpointFile, TargetFile};
use testing::{Answer, Server};

/// One search, that many requirements are about.
const SEARCH: &str = "params/offered";
/// A search, and the frame behind each of its results.
const FRAMES: &str = "live/newest";

/// An answer without results.
const NOTHING: &str = r#"{"data":[]}"#;

/// Runs the search against a server that gives one answer to everything.
fn tried(answer: Answer, timeout: u64) -> Trial {
    let server = Server::new(move |_| answer.clone());
    tried_at(&server.address, SEARCH, timeout)
}

/// Runs a case against an address, one request after another.
fn tried_at(address: &str, case: &str, timeout: u64) -> Trial {
    tried_file(&TargetFile { timeout: Some(timeout), jobs: Some(1), ..target(address) }, case)
}

/// Runs a case against what a target file describes.
fn tried_file(file: &TargetFile, case: &str) -> Trial {
    Trial::of(&SUITE, file, case)
}

/// The recall contract at an address.
fn target(address: &str) -> TargetFile {
    let endpoint = EndpointFile::new("recall", Address::Http(address.to_owned()));
    TargetFile { name: "hostile".to_owned(), endpoints: vec![endpoint], ..TargetFile::default() }
}
