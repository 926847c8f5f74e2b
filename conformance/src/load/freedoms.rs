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
    for name in answer.of.iter().chain(answer.rewrite.iter().flat_map(|rewrite| &rewrite.of)) {
        let Some(operation) = operations.get(name) else {
            let hint = suggest::hint(name, operations.keys().map(String::as_str));
            found.add(format!("{place}/of"), format!("unknown operation `{name}`{hint}"));
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

impl Suite {
    /// The decided requirements of which nothing shows that they only advise: no legal answer is against them, every
    /// counterexample violates something binding too, and no reason is given.
    pub fn without_opposite(&self) -> Vec<&str> {
        let lacks = |requirement: &&Requirement| {
            requirement.origin == Origin::Decided
                && requirement.no_opposite.is_none()
                && !self.has_opposite(&requirement.id)
        };
        self.requirements().filter(lacks).map(|requirement| requirement.id.as_str()).collect()
    }

    fn has_opposite(&self, id: &str) -> bool {
        let binds = |also: &String| self.requirement(also).is_some_and(Requirement::binds);
        let legal = self.contracts.iter().flat_map(|contract| &contract.legal);
        let mut against = legal.flat_map(|legal| &legal.answer.against);
        let uses = self.uses(id);
        let mut mistakes = uses.iter().flat_map(|used| &used.check.broken_by);
        against.any(|named| named == id) || mistakes.any(|mistake| !mistake.also.iter().any(binds))
    }
}
