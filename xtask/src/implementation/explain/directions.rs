//! Both proofs of a requirement: the counterexamples that make it fail, and the legal answers that it lets pass.

use conformance::load::{ContractSuite, Suite, Use};
use conformance::model::{LegalAnswer, Requirement};
use conformance::report::page::Page;
use conformance::text::inert;
use std::collections::{BTreeMap, BTreeSet};

/// Writes both.
pub(super) fn write(page: &mut Page, one: &Requirement, uses: &[Use<'_>], suite: &Suite, is_allowed: bool) {
    page.line(&page.bold("What makes it fail"));
    if is_allowed {
        page.wrapped("such a call is refused", "  ");
    }
    // Cases that are derived from one schema have the same counterexamples.
    let mut seen = BTreeSet::new();
    for mistake in uses.iter().flat_map(|used| &used.check.broken_by).filter(|one| seen.insert(&one.about)) {
        page.wrapped(&inert::line(&mistake.about), "  ");
    }
    page.line("");
    lets_pass(page, one, uses, suite);
}

/// The legal answers that name the requirement, then the others that change what it is judged by.
fn lets_pass(page: &mut Page, one: &Requirement, uses: &[Use<'_>], suite: &Suite) {
    let mut others: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut named = Vec::new();
    let is_its_owner =
        |contract: &&ContractSuite| contract.contract.name == one.owner() || suite.contract(one.owner()).is_none();
    for contract in suite.contracts.iter().filter(is_its_owner) {
        let operations = operations(uses, contract);
        for legal in contract.legal.iter().map(|legal| &legal.answer) {
            match role(legal, &one.id) {
                Some(role) => named.push((contract, legal, role)),
                None if legal.of.iter().any(|name| operations.contains(name.as_str())) => {
                    others.entry(&contract.contract.name).or_default().push(&legal.id);
                }
                None => {}
            }
        }
    }
    if named.is_empty() && others.is_empty() {
        return;
    }
    page.line(&page.bold("What it lets pass"));
    for (contract, legal, role) in named {
        let name = &contract.contract.name;
        page.wrapped(
            &format!("{name} {}: {}. {}", legal.id, inert::line(&legal.about), inert::line(&legal.source)),
            "  ",
        );
        page.wrapped(&role, "    ");
    }
    for (contract, ids) in others {
        // What belongs to a transport is judged in every contract.
        let ids = match contract == one.owner() {
            true => ids.join(", "),
            false => format!("{} legal answers", ids.len()),
        };
        page.wrapped(&format!("{contract}, with every check as before: {ids}"), "  ");
    }
    page.line("");
}

/// What a legal answer says of the requirement.
fn role(legal: &LegalAnswer, id: &str) -> Option<String> {
    let has = |list: &[String]| list.iter().any(|named| named == id);
    if has(&legal.against) {
        return Some("it fails, and only advises: a program that answers so conforms".to_owned());
    }
    if has(&legal.also) {
        return Some("it fails as a consequence, and only advises".to_owned());
    }
    legal.not_exercised.get(id).map(|reason| format!("it is exercised less: {}", inert::line(reason)))
}

/// The operations of a contract whose answers are judged.
fn operations<'s>(uses: &[Use<'s>], contract: &'s ContractSuite) -> BTreeSet<&'s str> {
    let mut operations = BTreeSet::new();
    for used in uses {
        match used.case {
            Some(case) if used.contract.is_some_and(|one| one.contract.name == contract.contract.name) => {
                operations.extend(case.steps.iter().map(|step| step.call.as_str()));
            }
            None => {
                let all = contract.contract.operations.keys().map(String::as_str);
                operations.extend(all.filter(|name| used.always.is_some_and(|always| always.is_about(name))));
            }
            Some(_) => {}
        }
    }
    operations
}
