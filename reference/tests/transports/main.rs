//! What the transports do alike for every contract, asked of the real program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod http;
mod mcp;
mod options;
#[path = "../support/mod.rs"]
mod support;
