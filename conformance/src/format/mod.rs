//! Text answers: pure parsers that turn lines into JSON, with the place of every problem.
//!
//! A format that only one contract has stands in `contracts/`. The grammars are the published ones of `schemas/`.
//!
//! Grammars are read at run time, so that a revision or a contract of somebody else can bring its own. Reading one takes
//! a millisecond, and a line takes four to five times as long as with a compiled grammar, so their interpreter is optimised
//! in every build.

pub(crate) mod codes;
pub(crate) mod declared;
mod grammar;
pub(crate) mod json;
mod line;
pub(crate) mod mirrored;
mod parsed;

pub(crate) use grammar::{Grammar, problem, unreadable};
pub(crate) use line::{Line, Part};
pub use parsed::{Format, Parsed};

/// The formats of every contract.
pub(crate) const GENERAL: &[Format] = &[Format { name: "json", parse: json::parse }];
