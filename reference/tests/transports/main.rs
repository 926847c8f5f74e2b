//! What the transports do alike for every contract, asked of the real program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod eras;
mod http;
mod mcp;
mod modern;
mod modern_http;
mod modern_stdio;
mod options;
#[path = "../support/mod.rs"]
mod support;
