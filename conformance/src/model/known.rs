//! What is known to be wrong with a target.

use super::{Era, TransportKind};
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file of known failures: the same tables as in a target file, for a target that has none, or shared by several.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownFile {
    /// Failures that are known, each with a reason.
    #[serde(default, rename = "known-failure")]
    pub known_failures: Vec<KnownFailure>,
    /// Requirements that the target does not claim to support, each with a reason.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
}

/// A failure that is known.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownFailure {
    /// The requirement that is violated.
    pub requirement: String,
    /// The case in which it is; any when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The transport over which it is; any when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<TransportKind>,
    /// The era of MCP in which it is; any when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<Era>,
    /// The revision of the contract at which it is; any when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// What was observed, or where it is tracked.
    pub reason: String,
    /// The day after which it is no longer excused.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "day")]
    #[schemars(with = "Option<String>")]
    pub until: Option<NaiveDate>,
}

/// A requirement that a target does not claim to support.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unsupported {
    /// The requirement.
    pub requirement: String,
    /// The era of MCP in which it is not supported; any when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<Era>,
    /// Why.
    pub reason: String,
}

/// A TOML date, `2027-03-01`.
mod day {
    use chrono::NaiveDate;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<NaiveDate>, D::Error> {
        let written = toml::value::Datetime::deserialize(from)?.to_string();
        NaiveDate::parse_from_str(&written, "%Y-%m-%d")
            .map(Some)
            .map_err(|_| D::Error::custom(format!("`{written}` is no day, as in 2027-03-01")))
    }

    pub(super) fn serialize<S: Serializer>(day: &Option<NaiveDate>, to: S) -> Result<S::Ok, S::Error> {
        day.map(|day| day.to_string()).serialize(to)
    }
}
