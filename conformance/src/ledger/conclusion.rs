//! What a run comes to, and the exit code that says so. Pure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a run comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// Conforms; at least one check ran.
    Conforms,
    /// A `must` is violated, or a known failure is stale.
    DoesNotConform,
    /// The suite itself is broken.
    SuiteBroken,
    /// Something could not be judged.
    Incomplete,
    /// The target is not there.
    NotReachable,
    /// Nothing was selected.
    NothingSelected,
    /// The run was interrupted; the report is written.
    Interrupted,
}

impl Conclusion {
    /// The exit code of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Conforms => 0,
            Self::DoesNotConform => 1,
            Self::SuiteBroken => 2,
            Self::Incomplete => 3,
            Self::NotReachable => 4,
            Self::NothingSelected => 5,
            Self::Interrupted => 130,
        }
    }
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Conforms => "conforms",
            Self::DoesNotConform => "does not conform",
            Self::SuiteBroken => "the suite itself is broken",
            Self::Incomplete => "incomplete: something could not be judged",
            Self::NotReachable => "the target is not reachable",
            Self::NothingSelected => "nothing was selected",
            Self::Interrupted => "interrupted",
        })
    }
}
