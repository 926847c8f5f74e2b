//! Real servers that do their worst: the run ends, says what happened, and asks nobody but the target.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

#[path = "../support/processes.rs"]
mod processes;

mod bodies;
mod connections;
mod lifecycle;
mod redirects;
mod repeat;
mod reports;
mod secrets;
mod server;
mod statuses;
mod trial;
mod unreachable;
