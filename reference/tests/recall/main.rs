//! What the decisions say of the reference alone on recall, asked of the real program over a real socket.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod client;
mod corpus;
mod loading;
mod refusals;
mod searches;
#[path = "../support/mod.rs"]
mod support;
