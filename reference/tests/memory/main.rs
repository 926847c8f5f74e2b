//! What the decisions say of the reference alone on memory, asked of the real program over its real transports.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod client;
mod corpus;
mod loading;
mod refusals;
#[path = "../support/mod.rs"]
mod support;
mod tools;
