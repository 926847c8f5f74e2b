//! What the schema of legal answers cannot say, and freedoms and decisions without any.

use super::legal::{Legal, fits};
use super::{ContractSuite, DataProblem, Problems, Suite};
use crate::model::{LegalAnswer, Origin, Requirement};
use crate::text::suggest;
use std::collections::BTreeSet;
use std::path::Path;

/// Finds names that lead nowhere, answers that say too little or too much, and freedoms without a legal answer.
pub(super) fn lint(contract: &ContractSuite, suite: &Suite, root: &Path, problems: &mut Vec<DataProblem>) {
    let mut found = Problems::of(&contract.goldens.with_file_name("legal.json"), root, problems);
    let mut seen = BTreeSet::new();
    for (at, legal) in contract.legal.iter().enumerate() {
        let (answer, place) = (&legal.answer, format!("/legal/{at}"));
        if !seen.insert(&answer.id) {
            found.add(&place, format!("`{}` occurs twice", answer.id));
        }
        if answer.rewrite.is_empty() == answer.variant.is_none() {
            found.add(&place, "a legal answer has exactly one of `rewrite` and `variant`");
        }
        if answer.variant.is_some() && !(answer.cases.is_empty() && answer.without.is_empty()) {
            found.add(&place, "a variant answers every case, so it takes neither `cases` nor `without`");
        }
        for (name, text) in [("about", &answer.about), ("source", &answer.source)] {
            if text.trim().is_empty() {
                found.add(format!("{place}/{name}"), "says nothing");
            }
        }
        operations(answer, contract, &place, &mut found);
        cases(legal, contract, &place, &mut found);
        arguments(answer, contract, &place, &mut found);
        requirements(answer, suite, &place, &mut found);
        let freedoms = || contract.contract.freedoms.iter().map(|freedom| freedom.id.as_str());
        if let Some(freedom) = answer.freedom.as_deref().filter(|named| !freedoms().any(|known| known == *named)) {
            let hint = suggest::hint(freedom, freedoms().collect::<Vec<_>>());
            found.add(format!("{place}/freedom"), format!("unknown freedom `{freedom}`{hint}"));
        }
    }
    freedoms(contract, root, problems);
}

/// The operations of a legal answer exist, and are spoken over each protocol that it names.
fn operations(answer: &LegalAnswer, contract: &ContractSuite, place: &str, found: &mut Problems<'_>) {
    let operations = &contract.contract.operations;
    if answer.of.is_empty() {
        found.add(format!("{place}/of"), "names no operation");
    }
    let own = answer.of.iter().map(|name| (format!("{place}/of"), name));
    let of_rewrites = answer.rewrite.iter().enumerate();
    let of_rewrites = of_rewrites
        .flat_map(|(at, rewrite)| rewrite.of.iter().map(move |name| (format!("{place}/rewrite/{at}/of"), name)));
    for (at, name) in own.chain(of_rewrites) {
        let Some(operation) = operations.get(name) else {
            let hint = suggest::hint(name, operations.keys().map(String::as_str));
            found.add(at, format!("unknown operation `{name}`{hint}"));
            continue;
        };
        for over in answer.over.iter().filter(|over| answer.of.contains(name) && operation.binding(**over).is_none()) {
            found.add(format!("{place}/over"), format!("`{name}` is not spoken over {over}"));
        }
    }
}

fn cases(legal: &Legal, contract: &ContractSuite, place: &str, found: &mut Problems<'_>) {
    for pattern in &legal.answer.cases {
        let pattern = pattern.strip_prefix('!').unwrap_or(pattern);
        if !contract.cases.iter().any(|case| fits(pattern, &case.name)) {
            let hint = suggest::hint(pattern, contract.cases.iter().map(|case| case.name.as_str()));
            found.add(format!("{place}/cases"), format!("no case fits `{pattern}`{hint}"));
        }
    }
}

/// The arguments that a legal answer leaves out are those of its operations.
fn arguments(answer: &LegalAnswer, contract: &ContractSuite, place: &str, found: &mut Problems<'_>) {
    let operations = answer.of.iter().filter_map(|name| contract.contract.operations.get(name));
    let known: Vec<&str> = operations.flat_map(|one| &one.arguments).map(String::as_str).collect();
    for name in answer.without.iter().filter(|name| !known.contains(&name.as_str())) {
        let hint = suggest::hint(name, known.iter().copied());
        found.add(format!("{place}/without"), format!("no operation of it has an argument `{name}`{hint}"));
    }
}

/// What fails because of a legal answer only advises, and what it exercises less says why.
fn requirements(answer: &LegalAnswer, suite: &Suite, place: &str, found: &mut Problems<'_>) {
    let mut named = |id: &str, name: &str, is_advice: bool| match suite.requirement(id) {
        Some(requirement) if is_advice && requirement.binds() => {
            found.add(format!("{place}/{name}"), format!("`{id}` binds, so no legal answer may violate it"));
        }
        Some(_) => {}
        None => {
            let ids = suite.requirements().map(|requirement| requirement.id.as_str());
            found.add(format!("{place}/{name}"), format!("unknown requirement `{id}`{}", suggest::hint(id, ids)));
        }
    };
    answer.against.iter().for_each(|id| named(id, "against", true));
    answer.also.iter().for_each(|id| named(id, "also", true));
    answer.not_exercised.keys().for_each(|id| named(id, "not-exercised", false));
    for id in answer.also.iter().filter(|id| answer.against.contains(id)) {
        found.add(format!("{place}/also"), format!("`{id}` is named by `against` already"));
    }
    for (id, _) in answer.not_exercised.iter().filter(|(_, reason)| reason.trim().is_empty()) {
        found.add(format!("{place}/not-exercised"), format!("`{id}` has no reason"));
    }
}

fn freedoms(contract: &ContractSuite, root: &Path, problems: &mut Vec<DataProblem>) {
    let file = root.join("schemas").join(&contract.contract.name).join("contract.json");
    let mut found = Problems::of(&file, root, problems);
    let mut seen = BTreeSet::new();
    for (at, freedom) in contract.contract.freedoms.iter().enumerate() {
        let place = format!("/freedoms/{at}");
        if !seen.insert(&freedom.id) {
            found.add(&place, format!("`{}` occurs twice", freedom.id));
        }
        if !contract.legal.iter().any(|legal| legal.answer.freedom.as_ref() == Some(&freedom.id)) {
            found.add(&place, format!("no legal answer is an example of `{}`; write one in legal.json", freedom.id));
        }
    }
}

/// A requirement that the suite decided only advises, and something shows it: a legal answer that is against it, or a
/// counterexample that violates nothing binding. Otherwise a reason says why nothing can.
pub(super) fn decisions(suite: &Suite, root: &Path, problems: &mut Vec<DataProblem>) {
    let shown = with_opposite(suite);
    for contract in &suite.contracts {
        let file = root.join("schemas").join(&contract.contract.name).join("contract.json");
        let mut found = Problems::of(&file, root, problems);
        for (at, requirement) in contract.contract.requirements.iter().enumerate() {
            decision(requirement, shown.contains(requirement.id.as_str()), &format!("/requirements/{at}"), &mut found);
        }
    }
}

/// The same of what belongs to transports.
pub(super) fn decisions_of_transports(suite: &Suite, root: &Path, problems: &mut Vec<DataProblem>) {
    let shown = with_opposite(suite);
    let mut found = Problems::of(&root.join("schemas/suite/transports.json"), root, problems);
    for (at, requirement) in suite.transports.requirements.iter().enumerate() {
        decision(requirement, shown.contains(requirement.id.as_str()), &format!("/requirements/{at}"), &mut found);
    }
}

fn decision(requirement: &Requirement, is_shown: bool, place: &str, found: &mut Problems<'_>) {
    let id = &requirement.id;
    let reason = requirement.no_opposite.as_deref();
    match (requirement.origin == Origin::Decided, is_shown, reason) {
        (true, false, None) => found.add(
            place,
            format!(
                "`{id}` is decided by the suite, and nothing shows that it only advises: write a legal answer with it in \
                 `against`, a counterexample that violates no `must`, or a reason in `no-opposite`"
            ),
        ),
        (true, false, Some(reason)) if reason.trim().is_empty() => {
            found.add(format!("{place}/no-opposite"), "says nothing");
        }
        (false, _, Some(_)) => {
            found.add(format!("{place}/no-opposite"), format!("`{id}` is not decided by the suite; delete the reason"));
        }
        (true, true, Some(_)) => {
            let message = format!("a legal answer or a counterexample shows that `{id}` only advises; delete the reason");
            found.add(format!("{place}/no-opposite"), message);
        }
        _ => {}
    }
}

/// The requirements that a correct program may violate, as a legal answer or a counterexample shows.
fn with_opposite(suite: &Suite) -> BTreeSet<&str> {
    let binding: BTreeSet<&str> =
        suite.requirements().filter(|one| one.binds()).map(|requirement| requirement.id.as_str()).collect();
    let legal = suite.contracts.iter().flat_map(|contract| &contract.legal);
    let mut shown: BTreeSet<&str> = legal.flat_map(|legal| &legal.answer.against).map(String::as_str).collect();
    let of_cases = suite.contracts.iter().flat_map(|contract| &contract.cases).flat_map(|case| &case.checks);
    let of_contracts = suite.contracts.iter().flat_map(|contract| &contract.always);
    let always = of_contracts.chain(suite.transports.checks.values().flatten()).map(|always| &always.check);
    for check in of_cases.chain(always) {
        if check.broken_by.iter().any(|mistake| !mistake.also.iter().any(|also| binding.contains(also.as_str()))) {
            shown.insert(&check.requirement);
        }
    }
    shown
}
