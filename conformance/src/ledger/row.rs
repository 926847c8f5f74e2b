//! A requirement at an endpoint, and what became of it.

use crate::model::{Channel, ContractKey, Outcome, Place, Requirement};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A requirement at an endpoint.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    #[serde(flatten)]
    pub transport: Channel,
    /// The requirement.
    pub requirement: Requirement,
    /// What became of it.
    pub outcome: Outcome,
    /// How many checks judged it.
    pub checks: usize,
    /// How many values or relations they looked at.
    pub exercised: usize,
    /// Why it was not exercised, or is not supported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Row {
    /// Whether the contract itself asks for it, and not its transport.
    pub(super) fn is_of_contract(&self) -> bool {
        self.requirement.owner() == self.contract.name()
    }

    /// The endpoint.
    pub fn place(&self) -> Place {
        Place { contract: self.contract.clone(), transport: self.transport }
    }

    pub(super) fn is_at(&self, place: &Place) -> bool {
        (&self.contract, self.transport) == (&place.contract, place.transport)
    }

    /// Whether a check judged it here. What a target declares unsupported is not looked at.
    pub(super) fn is_exercised(&self) -> bool {
        self.exercised > 0 && self.outcome != Outcome::Unsupported
    }
}
