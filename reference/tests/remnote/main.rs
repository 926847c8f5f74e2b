//! What the decisions say of the reference alone on remnote, asked of the real program over its real transports.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod bridge;
mod client;
mod content;
mod corpus;
mod later;
mod loading;
mod refusals;
mod rich_text;
mod searches;
#[path = "../support/mod.rs"]
mod support;
