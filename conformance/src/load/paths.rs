//! Names in the paths of checks that lead nowhere.

use super::{Case, Check, ContractSuite, Problems, Selector};
use crate::text::suggest;
use std::collections::BTreeSet;

/// Where a path goes into the arguments of a call.
const ARGUMENT: &str = "request.with.";

/// Paths into arguments name arguments that are there, and a check of whole exchanges looks into each of them.
pub(super) fn lint(check: &Check, case: Option<&Case>, suite: &ContractSuite, place: &str, found: &mut Problems<'_>) {
    let of_operations = suite.contract.operations.values().flat_map(|operation| &operation.arguments);
    let sent = case.into_iter().flat_map(|case| &case.steps).flat_map(|step| step.arguments());
    let known: BTreeSet<&str> = of_operations.map(String::as_str).chain(sent).collect();
    for (_, text) in check.selects() {
        for name in text.split(ARGUMENT).skip(1).map(beginning).filter(|name| !known.contains(name)) {
            let hint = suggest::hint(name, known.iter().copied());
            found.add(place, format!("`{text}`: no operation has an argument `{name}`{hint}"));
        }
    }
    let of_whole = matches!(&check.each, Some(Selector::Evidence(path)) if path.whole_exchange);
    let looks_inside = check.select.values().any(|selector| matches!(selector, Selector::Relative(_)));
    if of_whole && !looks_inside {
        found.add(place, "`each` chooses exchanges, and no path looks into one: a path into it begins with `@`");
    }
}

/// The name at the beginning of what follows in a path.
fn beginning(rest: &str) -> &str {
    let is_of_name = |character: char| character.is_alphanumeric() || "_-".contains(character);
    rest.find(|character| !is_of_name(character)).map_or(rest, |end| &rest[..end])
}
