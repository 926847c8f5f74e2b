//! What is known to be wrong with a target, in its own file or in files beside it.

use super::TargetError;
use crate::load::Suite;
use crate::model::TransportKind;
use crate::suggest;
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

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
    /// Why.
    pub reason: String,
}

impl KnownFile {
    /// Reads a file of known failures.
    ///
    /// # Errors
    /// When it cannot be read, has unknown keys, or names requirements and cases that do not exist.
    pub fn read(path: &Path, suite: &Suite) -> Result<Self, TargetError> {
        let wrong = |message: String| TargetError::known(path, &[message]);
        let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let file: Self = toml::from_str(&text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        match problems(&file.known_failures, &file.unsupported, suite) {
            problems if problems.is_empty() => Ok(file),
            problems => Err(TargetError::known(path, &problems)),
        }
    }
}

/// What makes no sense: names that lead nowhere, reasons that are none, what is named twice.
pub(super) fn problems(known: &[KnownFailure], unsupported: &[Unsupported], suite: &Suite) -> Vec<String> {
    let mut problems = Vec::new();
    let failures = known.iter().map(|known| (&known.requirement, &known.reason));
    for (id, reason) in failures.chain(unsupported.iter().map(|one| (&one.requirement, &one.reason))) {
        if suite.requirement(id).is_none() {
            let ids = suite.requirements().map(|requirement| requirement.id.as_str());
            problems.push(format!("unknown requirement `{id}`{}", suggest::hint(id, ids)));
        }
        if reason.trim().is_empty() {
            problems.push(format!("`{id}` has no reason: say why, or where it is tracked"));
        }
    }
    let cases = suite.contracts.iter().flat_map(|contract| &contract.cases).map(|case| case.name.as_str());
    for case in known.iter().filter_map(|known| known.case.as_deref()) {
        if !cases.clone().any(|name| name == case) {
            problems.push(format!("unknown case `{case}`{}", suggest::hint(case, cases.clone())));
        }
    }
    problems.extend(twice(known, unsupported));
    problems
}

/// What is named twice. The second could match nothing, and would be called stale.
pub(super) fn twice(known: &[KnownFailure], unsupported: &[Unsupported]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let places = known.iter().map(|one| (one.requirement.as_str(), one.case.as_deref(), one.transport));
    let mut problems: Vec<String> = places
        .filter(|place| !seen.insert(*place))
        .map(|(id, case, _)| {
            let case = case.map_or_else(String::new, |case| format!(" in {case}"));
            format!("the known failure {id}{case} is named twice")
        })
        .collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let unsupported = unsupported.iter().map(|one| one.requirement.as_str());
    let again: Vec<&str> = unsupported.filter(|id| !seen.insert(id)).collect();
    problems.extend(again.into_iter().map(|id| format!("`{id}` is named unsupported twice")));
    let both = known.iter().filter(|one| seen.contains(one.requirement.as_str()));
    problems.extend(both.map(|one| format!("`{}` is named both unsupported and a known failure", one.requirement)));
    problems
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
