//! What is known to be wrong with a target, in its own file or in files beside it.

use super::TargetError;
use crate::files;
use crate::load::Suite;
use crate::model::{Era, KnownFailure, KnownFile, Unsupported};
use crate::text::suggest;
use std::collections::BTreeSet;
use std::path::Path;

impl KnownFile {
    /// Reads a file of known failures.
    ///
    /// # Errors
    /// When it cannot be read, has unknown keys, or names requirements and cases that do not exist.
    pub fn read(path: &Path, suite: &Suite) -> Result<Self, TargetError> {
        let wrong = |message: String| TargetError::known(path, &[message]);
        let text = files::text(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
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
        if !suite.knows(id) {
            problems.push(format!("unknown requirement `{id}`{}", suite.hint(id)));
        }
        if reason.trim().is_empty() {
            problems.push(format!("`{id}` has no reason: say why, or where it is tracked"));
        }
    }
    let cases = suite.contracts.iter().flat_map(|contract| &contract.cases).map(|case| case.name.as_str());
    for case in known.iter().filter_map(|known| known.case.as_deref()) {
        if !suite.knows_case(case) {
            problems.push(format!("unknown case `{case}`{}", suggest::hint(case, cases.clone())));
        }
    }
    problems.extend(twice(known, unsupported));
    problems
}

/// What is named twice. The second could match nothing, and would be called stale.
pub(super) fn twice(known: &[KnownFailure], unsupported: &[Unsupported]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let places =
        known.iter().map(|one| (one.requirement.as_str(), one.case.as_deref(), one.transport, one.era, one.revision));
    let mut problems: Vec<String> = places
        .filter(|place| !seen.insert(*place))
        .map(|(id, case, ..)| {
            let case = case.map_or_else(String::new, |case| format!(" in {case}"));
            format!("the known failure {id}{case} is named twice")
        })
        .collect();
    let mut seen = BTreeSet::new();
    let again = unsupported.iter().filter(|one| !seen.insert((one.requirement.as_str(), one.era)));
    problems.extend(again.map(|one| format!("`{}` is named unsupported twice", one.requirement)));
    let shares = |known: Option<Era>, era: Option<Era>| known.is_none() || era.is_none() || known == era;
    let is_both = |known: &&KnownFailure| {
        unsupported.iter().any(|one| one.requirement == known.requirement && shares(known.era, one.era))
    };
    let both = known.iter().filter(is_both);
    problems.extend(both.map(|one| format!("`{}` is named both unsupported and a known failure", one.requirement)));
    problems
}
