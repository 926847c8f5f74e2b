//! What findings mean for a run, and what the run comes to.

use super::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The verdict of a check after known failures: what it means for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// As it is due.
    Verified,
    /// The evidence holds nothing that the check is about.
    NotExercised,
    /// The target does not claim to support it.
    Unsupported,
    /// Not as it is due, but only advice.
    Advice,
    /// Not as it is due, and known.
    KnownFailure,
    /// It could not be told.
    Incomplete,
    /// Not as it is due.
    Violated,
}

impl Outcome {
    /// Every outcome, in the order in which reports count them.
    pub const ALL: [Self; 7] = [
        Self::Verified,
        Self::Violated,
        Self::Incomplete,
        Self::KnownFailure,
        Self::Advice,
        Self::NotExercised,
        Self::Unsupported,
    ];
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Verified => "verified",
            Self::NotExercised => "not exercised",
            Self::Unsupported => "unsupported",
            Self::Advice => "advice",
            Self::KnownFailure => "known failure",
            Self::Incomplete => "incomplete",
            Self::Violated => "violated",
        })
    }
}

/// A finding and what it means.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The finding.
    pub finding: Finding,
    /// What it means for the run.
    pub outcome: Outcome,
    /// The reason of a known failure or of what is unsupported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

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
