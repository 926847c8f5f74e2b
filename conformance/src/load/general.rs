//! Sentences that are general over operations: what judges each of them at which operation, and why nothing does.

use super::{Case, Check, ContractSuite, Problems};
use crate::model::Requirement;
use crate::text::suggest;
use std::collections::BTreeMap;

/// What judges a requirement at an operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Judged {
    /// How many cases.
    pub cases: usize,
    /// Whether a check of every exchange does.
    pub always: bool,
}

impl ContractSuite {
    /// What judges a requirement, by operation. A check judges at each operation whose exchanges it selects from.
    pub fn judged_at(&self, requirement: &str) -> BTreeMap<&str, Judged> {
        let mut judged: BTreeMap<&str, Judged> = BTreeMap::new();
        for case in &self.cases {
            for operation in operations(case, requirement) {
                judged.entry(operation).or_default().cases += 1;
            }
        }
        for always in self.always.iter().filter(|always| always.check.requirement == requirement) {
            let all = self.contract.operations.keys().filter(|name| always.is_about(name));
            all.for_each(|name| judged.entry(name).or_default().always = true);
        }
        judged
    }

    /// The requirements that are general over operations.
    pub fn general(&self) -> impl Iterator<Item = &Requirement> {
        self.contract.requirements.iter().filter(|requirement| !requirement.over.is_empty())
    }
}

/// The operations at which a case judges a requirement, each once.
fn operations<'c>(case: &'c Case, requirement: &str) -> Vec<&'c str> {
    let checks = case.checks.iter().filter(|check| check.requirement == requirement);
    let steps = checks.flat_map(Check::paths).flat_map(|path| path.steps(case.steps.len()));
    let allowed = case.allowed().filter(|(_, id)| *id == requirement);
    let mut names: Vec<&str> =
        steps.chain(allowed.map(|(at, _)| at)).filter_map(|at| Some(case.steps.get(at)?.call.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Each operation that a sentence is general over has something that judges it there, or a reason.
pub(super) fn lint(suite: &ContractSuite, found: &mut Problems<'_>) {
    let known = &suite.contract.operations;
    for (at, requirement) in suite.contract.requirements.iter().enumerate() {
        let place = format!("/requirements/{at}");
        let (id, judged) = (&requirement.id, suite.judged_at(&requirement.id));
        if requirement.over.len() == 1 {
            found.add(&place, format!("`{id}` is over one operation, so it is not general"));
        }
        for name in &requirement.over {
            let is_judged = judged.contains_key(name.as_str());
            match (known.contains_key(name), is_judged, requirement.unjudged.get(name)) {
                (false, ..) => {
                    let hint = suggest::hint(name, known.keys().map(String::as_str));
                    found.add(&place, format!("unknown operation `{name}`{hint}"));
                }
                (_, false, None) => found.add(
                    &place,
                    format!("nothing judges `{id}` at `{name}`; write a case, or give the reason in `unjudged`"),
                ),
                (_, true, Some(_)) => {
                    found.add(&place, format!("`{id}` is judged at `{name}`; remove the reason from `unjudged`"));
                }
                (_, false, Some(reason)) if reason.trim().is_empty() => {
                    found.add(&place, format!("`{id}` has no reason why nothing judges it at `{name}`"));
                }
                _ => {}
            }
        }
        for name in requirement.unjudged.keys().filter(|name| !requirement.over.contains(name)) {
            found.add(&place, format!("`{id}` is not over `{name}`, which `unjudged` names"));
        }
    }
}
