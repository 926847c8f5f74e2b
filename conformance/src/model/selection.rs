//! Which cases of a suite are run.

use super::{Requirement, Shard};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was asked for; everything when nothing is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Selection {
    /// The contracts; all of the target's when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<String>,
    /// Only cases that judge one of these requirements; all when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// Only cases whose name contains this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// Cases that are a part of what there is, so that nothing can be said of what they do not reach.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub part: bool,
    /// The cases of this shard alone; the rest is run elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Nothing is said of what clients refuse although the protocol allows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_clients: bool,
}

impl Selection {
    /// Whether everything of the target is run.
    pub fn is_whole(&self) -> bool {
        self.contracts.is_empty() && self.has_every_case()
    }

    /// Whether every case of the contracts is run, so that what always applies finds an exchange to lie on.
    pub(crate) fn has_every_case(&self) -> bool {
        self.has_every_case_of_its_shard() && self.shard.is_none()
    }

    /// The same, of what belongs to the shard.
    pub(crate) fn has_every_case_of_its_shard(&self) -> bool {
        self.requirements.is_empty() && self.case.is_none() && !self.part
    }

    /// Whether a contract is among what was asked for.
    pub(crate) fn has_contract(&self, name: &str) -> bool {
        self.contracts.is_empty() || self.contracts.iter().any(|wanted| wanted == name)
    }

    /// Whether a finding of this requirement is among what was asked for.
    pub(crate) fn has_requirement(&self, id: &str) -> bool {
        self.requirements.is_empty() || self.requirements.iter().any(|wanted| wanted == id)
    }

    /// Whether anything is said of a requirement, as far as that hangs on whose it is.
    pub(crate) fn speaks_of(&self, requirement: &Requirement) -> bool {
        !(self.no_clients && requirement.is_of_clients())
    }
}
