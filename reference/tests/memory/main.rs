//! What the decisions say of the reference alone on memory, asked of the real program over its real transports.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod corpus;
#[path = "../support/listening.rs"]
mod listening;
mod loading;
mod program;
mod refusals;
mod tool;
