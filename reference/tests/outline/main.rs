//! What the decisions say of the reference alone on outline, asked of the real program over its standard streams.
//!
//! What any program must do is a case of the suite and not repeated here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bundles;
mod client;
mod listings;
mod loading;
mod refusals;
mod round_trip;
mod searches;
mod second;
#[path = "../support/mod.rs"]
mod support;
