//! Text answers: pure parsers that turn lines into JSON, with the place of every problem.
//!
//! A format that only one contract has stands in `contracts/`. The grammars are the published ones of `schemas/`.

mod grammar;
pub(crate) mod json;
mod parsed;

pub(crate) use grammar::{problem, unreadable};
pub use parsed::{Format, Parsed};

/// The formats of every contract.
pub(crate) const GENERAL: &[Format] = &[Format { name: "json", parse: json::parse }];
