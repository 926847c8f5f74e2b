//! What implementations answered, by the changed contracts: a line for each requirement that turned, wherever it did. What takes a new run
//! comes last, and is named together: where calls changed, it is most of what is asked.

use crate::diff::{Diff, Turn, Turned};
use crate::text::{inert, listed, plural};
use std::collections::BTreeMap;

/// The lines, each with whether it says that something is violated now.
pub(super) fn answered(diff: &Diff) -> Vec<(bool, String)> {
    let of = |turn: Turn| diff.turned.iter().filter(move |one| one.turn == turn);
    let violated = lines(of(Turn::Violated), "is violated now").into_iter().map(|line| (true, line));
    let kept = lines(of(Turn::Kept), "was violated and is not any more").into_iter().map(|line| (false, line));
    violated.chain(kept).chain(untold(of(Turn::Untold)).into_iter().map(|line| (false, line))).collect()
}

/// A line for each requirement of an implementation, with the places where it turned.
fn lines<'t>(turned: impl Iterator<Item = &'t Turned>, turn: &str) -> Vec<String> {
    let said = by_requirement(turned).into_iter();
    said.map(|((target, requirement), places)| format!("{target}: {requirement} over {} {turn}", places.join(", ")))
        .collect()
}

/// A line for all requirements of an implementation that cannot be told at the same places.
fn untold<'t>(turned: impl Iterator<Item = &'t Turned>) -> Vec<String> {
    let mut together: BTreeMap<(String, Vec<String>), Vec<String>> = BTreeMap::new();
    for ((target, requirement), places) in by_requirement(turned) {
        together.entry((target, places)).or_default().push(requirement);
    }
    let said = together.into_iter();
    said.map(|((target, places), requirements)| {
        let all = requirements.len();
        let (count, names) = (plural(all, "requirement"), listed(&requirements, all));
        format!("{target}: {count} over {} cannot be told without a new run: {names}", places.join(", "))
    })
    .collect()
}

/// By implementation and requirement: where it turned.
fn by_requirement<'t>(turned: impl Iterator<Item = &'t Turned>) -> BTreeMap<(String, String), Vec<String>> {
    let mut places: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for Turned { target, contract, transport, requirement, .. } in turned {
        let of = if requirement.starts_with(contract.name()) { String::new() } else { format!(" of {contract}") };
        let key = (inert::line(target).to_string(), format!("{requirement}{of}"));
        places.entry(key).or_default().push(transport.to_string());
    }
    places
}
