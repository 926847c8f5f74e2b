//! What judging says of evidence.

use super::{Channel, ContractKey, Place, Unsteady};
use crate::text::pointer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What one check says of one case at one endpoint.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The contract.
    pub contract: ContractKey,
    /// The transport of the endpoint.
    #[serde(flatten)]
    pub transport: Channel,
    /// The case, by its path below `cases/`.
    pub case: String,
    /// The requirement.
    pub requirement: String,
    /// What the check says.
    pub verdict: Verdict,
    /// Why, when it is not a pass; at most a few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
    /// How many more of its calls have such a reason.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_calls: usize,
    /// How many values or relations were looked at.
    pub exercised: usize,
    /// That it is not the same in every run, where there were several: then the worst verdict stands here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsteady: Option<Unsteady>,
}

impl Finding {
    /// The endpoint.
    pub fn place(&self) -> Place {
        Place { contract: self.contract.clone(), transport: self.transport }
    }
}

/// What one check says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Verdict {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// The evidence holds nothing that the check is about.
    Skip,
    /// It could not be told.
    Incomplete,
}

impl Verdict {
    /// How much it says against a target: of two verdicts on one requirement, the one that says more counts.
    pub(crate) fn severity(self) -> u8 {
        match self {
            Self::Skip => 0,
            Self::Pass => 1,
            Self::Incomplete => 2,
            Self::Fail => 3,
        }
    }
}

/// One reason for a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Detail {
    /// What is wrong, in a sentence.
    pub message: String,
    /// Where in the evidence, as a JSON Pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What was expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// What was received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Value>,
}

impl Detail {
    /// The message of a reason that has nothing to add to what was expected and what was received.
    pub const UNEQUAL: &str = "not as expected";

    /// A reason that needs no comparison.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), at: None, expected: None, found: None }
    }

    /// The place in the evidence.
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.at = Some(pointer.into());
        self
    }

    /// What was expected and what was received.
    pub fn compare(mut self, expected: Value, found: Value) -> Self {
        self.expected = Some(expected);
        self.found = Some(found);
        self
    }

    /// The step and the exchange that `at` points into.
    pub fn exchange(&self) -> Option<(usize, usize)> {
        pointer::exchange(self.at.as_deref()?)
    }
}

/// Whether there is nothing to write of a number.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A finding for a check whose case was not run, or not to its end.
pub fn not_told(place: &Place, case: &str, requirement: &str, verdict: Verdict, why: &str) -> Finding {
    Finding {
        contract: place.contract.clone(),
        transport: place.transport,
        case: case.to_owned(),
        requirement: requirement.to_owned(),
        verdict,
        details: vec![Detail::new(why)],
        more_calls: 0,
        exercised: 0,
        unsteady: None,
    }
}
