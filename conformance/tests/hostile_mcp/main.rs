//! MCP servers that do their worst: each call says what happened, the run ends, and leaves nothing behind.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

#[path = "../support/processes.rs"]
mod processes;

mod bodies;
mod lifecycle;
mod lines;
mod program;
mod refusals;
mod repeat;
mod runs;
mod server;
mod sessions;
mod speed;
mod statuses;
mod streams;
mod talk;
mod tools;
mod trial;
mod values;
mod ways;
