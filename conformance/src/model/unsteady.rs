//! What a check says that does not say the same in every run.

use crate::text::plural;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How often a check says what, in runs of the same cases. Runs in which it has nothing to look at are in none of the three.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsteady {
    /// How many runs there were.
    pub runs: usize,
    /// In how many of them it passes.
    pub passes: usize,
    /// In how many of them it fails.
    pub fails: usize,
    /// In how many of them it could not be told.
    pub incomplete: usize,
}

impl fmt::Display for Unsteady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [("passes in", self.passes), ("fails in", self.fails), ("could not be judged in", self.incomplete)];
        let parts = all.iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what} {count}"));
        write!(f, "unsteady: {} of {}", parts.collect::<Vec<_>>().join(" and "), plural(self.runs, "run"))
    }
}
