//! What findings mean for a run, and what the run comes to.

use super::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict of a check after known failures: what it means for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Outcome {
    /// As it is due.
    Verified,
    /// The evidence holds nothing that the check is about.
    #[strum(to_string = "not exercised")]
    NotExercised,
    /// The target does not claim to support it.
    Unsupported,
    /// The protocol allows it, and clients refuse it all the same.
    #[strum(to_string = "client advice")]
    ClientAdvice,
    /// Not as it is due, but only advice.
    Advice,
    /// Not as it is due, and known.
    #[strum(to_string = "known failure")]
    KnownFailure,
    /// It could not be told.
    Incomplete,
    /// It is as it is due in some runs, and not in others.
    Unsteady,
    /// Not as it is due.
    Violated,
}

impl Outcome {
    /// Every outcome, in the order in which reports count them.
    pub const ALL: [Self; 9] = [
        Self::Verified,
        Self::Violated,
        Self::Unsteady,
        Self::Incomplete,
        Self::KnownFailure,
        Self::Advice,
        Self::ClientAdvice,
        Self::NotExercised,
        Self::Unsupported,
    ];

    /// Whether there is more to say of it than that it is so: a check has found something, or was kept from it.
    pub(crate) fn has_findings(self) -> bool {
        !matches!(self, Self::Verified | Self::NotExercised | Self::Unsupported)
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
    /// The requirement that names the fault, where this failure only follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
}

/// What a run comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Conclusion {
    /// Conforms; at least one check ran.
    Conforms,
    /// A `must` is violated, or a known failure is stale.
    #[strum(to_string = "does not conform")]
    DoesNotConform,
    /// The suite itself is broken.
    #[strum(to_string = "the suite itself is broken")]
    SuiteBroken,
    /// Something could not be judged.
    #[strum(to_string = "incomplete: something could not be judged")]
    Incomplete,
    /// The target is not there.
    #[strum(to_string = "the target is not reachable")]
    NotReachable,
    /// Nothing was selected.
    #[strum(to_string = "nothing was selected")]
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
