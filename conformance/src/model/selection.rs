//! Which cases of a suite are run.

use super::{Requirement, Shard};
use glob::Pattern;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// What was asked for; everything when nothing is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Selection {
    /// The contracts; all of the target's when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<String>,
    /// Only cases that judge one of these requirements; all when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// Only cases that one of these matches: with `*`, `?` or `[…]` the whole name, otherwise a part of it. All when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty", alias = "case", deserialize_with = "one_or_several")]
    pub cases: Vec<String>,
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
        self.requirements.is_empty() && self.cases.is_empty() && !self.part
    }

    /// Whether a contract is among what was asked for.
    pub fn has_contract(&self, name: &str) -> bool {
        self.contracts.is_empty() || self.contracts.iter().any(|wanted| wanted == name)
    }

    /// Whether a case of this name is among what was asked for.
    pub fn has_case_named(&self, name: &str) -> bool {
        self.cases.is_empty() || self.cases.iter().any(|pattern| is_matched(pattern, name))
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

/// Whether it is a pattern, which stands for all names that it matches, and not a part of a name.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether a name is matched: as a whole by a pattern with `*`, `?` or `[…]`, otherwise by a part of it.
pub fn is_matched(pattern: &str, name: &str) -> bool {
    let glob = Pattern::new(pattern).ok().filter(|_| is_pattern(pattern));
    glob.map_or_else(|| name.contains(pattern), |glob| glob.matches(name))
}

/// Reads a list, or the one text that logs had in its place before.
fn one_or_several<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrSeveral {
        One(String),
        Several(Vec<String>),
    }
    Ok(match OneOrSeveral::deserialize(from)? {
        OneOrSeveral::One(one) => vec![one],
        OneOrSeveral::Several(several) => several,
    })
}
