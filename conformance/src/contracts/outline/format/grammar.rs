//! The published grammar of a line.

/// Reads one line; `Rule` names what it can be.
#[derive(pest_derive::Parser)]
#[grammar = "../../schemas/outline/outline.pest"]
pub(super) struct Grammar;
