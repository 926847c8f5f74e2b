//! Which requirements and cases a person asked for, and what there is where that is nothing.

use crate::shared::workspace;
use anyhow::{Result, bail};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{is_matched, is_pattern};
use conformance::text::{listed, plural, suggest};
use std::collections::BTreeSet;

/// At most this many names are listed.
const MOST_NAMED: usize = 12;

/// The ids of the requirements that are asked for: a pattern with `*`, `?` or `[…]` stands for all that it matches.
///
/// # Errors
/// When no requirement has an id, or a pattern matches none. The message names what is near.
pub(crate) fn requirements(asked: &[String], suite: &Suite) -> Result<Vec<String>> {
    let mut ids = Vec::new();
    for one in asked {
        let matched = suite.requirements().map(|requirement| &requirement.id).filter(|id| is_matched(one, id));
        let matched: Vec<String> = matched.cloned().collect();
        if is_pattern(one) {
            if matched.is_empty() {
                bail!("no requirement matches `{one}`; `{} list` shows all", crate::shared::program::name());
            }
            ids.extend(matched);
        } else if suite.knows(one) || matched.is_empty() {
            workspace::known_requirements(std::slice::from_ref(one), suite)?;
            ids.push(one.clone());
        } else {
            let named = &matched[..matched.len().min(MOST_NAMED)];
            bail!("unknown requirement `{one}`; did you mean {}?", listed(named, matched.len()));
        }
    }
    Ok(ids)
}

/// What to say of a run in which nothing was selected: which cases there are.
pub(crate) fn nothing(log: &RunLog, suite: &Suite) -> String {
    let selection = &log.header.selection;
    let contracts = suite.contracts.iter().filter(|contract| {
        let name = &contract.contract.name;
        log.header.endpoints.iter().any(|place| place.contract.name() == name) && selection.has_contract(name)
    });
    let names: BTreeSet<&str> = contracts.flat_map(|contract| &contract.cases).map(|case| case.name.as_str()).collect();
    if names.is_empty() {
        let spoken: Vec<String> = log.header.endpoints.iter().map(ToString::to_string).collect();
        return format!("the target has no endpoint of these contracts; it has {}", listed(&spoken, spoken.len()));
    }
    let near = selection.cases.iter().filter_map(|name| suggest::nearest(name, names.iter().copied()));
    let near: Vec<String> = near.map(|name| format!("did you mean `{name}`? ")).collect();
    let folders: BTreeSet<&str> = names.iter().map(|name| name.split('/').next().unwrap_or(name)).collect();
    let folders: Vec<String> = folders.into_iter().map(|folder| format!("{folder}/")).collect();
    format!(
        "no case was selected; {}the target is judged by {}, in {}",
        near.concat(),
        plural(names.len(), "case"),
        listed(&folders, folders.len())
    )
}
