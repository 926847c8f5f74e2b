//! Targets that do their worst, against the library: the run ends, says what happened, asks nobody but the target, and leaves
//! nothing behind.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod mcp;
mod pasted;
mod programs;
mod reports;
mod servers;
mod trial;
