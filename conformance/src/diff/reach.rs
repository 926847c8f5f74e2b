//! Where each requirement is judged: over which transports, in which eras of MCP, of which servers, in which answers. A requirement that
//! is still judged, but not everywhere that it was, binds nobody where it is not.

use super::catalogue::{change, checks, counterexample};
use super::change::{Change, Class, sorted};
use super::side::{ALONE, ContractSide, OVER};
use super::touch::judging;
use crate::model::{AlwaysCheck, CaseFile, Era, Requirement, TransportFamily, TransportKind};
use crate::text::listed;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use strum::VariantArray;

use Class::{Breaking, Compatible};

/// Something by which exchanges and servers differ, and which a check or a case may be limited in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Limit {
    Transport,
    Era,
    Corpus,
    OtherEra,
    Operation,
    Answer,
    Gives,
    Found,
}

/// What a check is limited to; what is not named here does not limit it.
type Reach = BTreeMap<Limit, BTreeSet<String>>;

/// Every requirement that binds and is not judged somewhere where it was.
pub(super) fn changes(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    if (&before.cases, &before.always, &before.schemas) == (&now.cases, &now.always, &now.schemas) {
        return Vec::new();
    }
    let both = now.contract.requirements.iter().filter(|one| one.binds());
    both.filter_map(|fresh| stayed((before, now), before.contract.requirement(&fresh.id)?, fresh)).collect()
}

/// Whether anything judges a requirement: a check, a call that it allows, or cases that are made of a keyword.
pub(super) fn is_judged(side: &ContractSide, id: &str) -> bool {
    side.contract.requirement(id).is_some_and(|one| !reaches(side, one).is_empty())
}

fn stayed((before, now): (&ContractSide, &ContractSide), old: &Requirement, fresh: &Requirement) -> Option<Change> {
    let id = fresh.id.as_str();
    let (was, is) = (reaches(before, old), reaches(now, fresh));
    let unjudged = |lost: Value, says: String| {
        let mut change = change(now, "requirement-unjudged", id, (lost, Value::Null), says, (Compatible, Breaking));
        change.witness = counterexample(before, id, "a violation before, noticed by nothing now");
        change
    };
    if was.is_empty() || was == is {
        return None;
    }
    if is.is_empty() {
        let judged: Vec<Value> = checks(before, id).map(|(_, check)| judging(check)).collect();
        return Some(unjudged(
            sorted(&json!(judged)),
            format!("nothing judges {id} any more, so that nobody is held to it"),
        ));
    }
    // Of what era the requirement is, is told by itself.
    let era = fresh.era.map(|era| BTreeSet::from([era.to_string()]));
    let within =
        |place: &Place| era.as_ref().is_none_or(|era| place.get(&Limit::Era).is_none_or(|one| era.contains(one)));
    let all = places(now, was.iter().chain(&is));
    let (mut covered, mut lost) = (Vec::new(), Vec::new());
    for place in all.iter().filter(|place| within(place) && was.iter().any(|reach| has(reach, place))) {
        covered.push(place);
        if !is.iter().any(|reach| has(reach, place)) {
            lost.push(place);
        }
    }
    let words = words(&covered, &lost)?;
    Some(unjudged(json!(words), format!("nothing judges {id} {words} any more")))
}

/// A request that gives an argument which a check leaves out.
const OTHER: &str = "another";

/// One of the circumstances that a check may be limited to.
type Place = BTreeMap<Limit, String>;

fn has(reach: &Reach, place: &Place) -> bool {
    reach.iter().all(|(side, values)| place.get(side).is_none_or(|value| values.contains(value)))
}

/// All circumstances that these reaches tell apart.
fn places<'r>(now: &ContractSide, all: impl Iterator<Item = &'r Reach> + Clone) -> Vec<Place> {
    let limited: BTreeSet<Limit> = all.clone().flat_map(|reach| reach.keys().copied()).collect();
    limited.into_iter().fold(vec![Place::new()], |places, side| {
        let mut values: BTreeSet<String> =
            all.clone().filter_map(|reach| reach.get(&side)).flatten().cloned().collect();
        values.extend(known(side, now));
        let with = |place: &Place, value: &String| {
            let mut place = place.clone();
            place.insert(side, value.clone());
            place
        };
        places.iter().flat_map(|place| values.iter().map(move |value| with(place, value))).collect()
    })
}

/// What there is besides what checks are limited to.
fn known(side: Limit, now: &ContractSide) -> Vec<String> {
    match side {
        Limit::Transport => spoken(now).map(|kind| kind.to_string()).collect(),
        Limit::Era => [Era::Legacy, Era::Modern].map(|era| era.to_string()).into(),
        Limit::Operation => now.contract.operations.keys().cloned().collect(),
        Limit::Gives => vec![OTHER.to_owned()],
        Limit::Corpus | Limit::OtherEra | Limit::Answer | Limit::Found => vec![String::new()],
    }
}

/// The transports that a contract is spoken over.
fn spoken(side: &ContractSide) -> impl Iterator<Item = TransportKind> + '_ {
    let operations = &side.contract.operations;
    let is_spoken = |kind: &TransportKind| {
        operations.is_empty() || operations.values().any(|one| one.binding(kind.protocol()).is_some())
    };
    TransportKind::VARIANTS.iter().copied().filter(is_spoken)
}

/// In words, what distinguishes the circumstances that are lost; nothing where none is.
fn words(covered: &[&Place], lost: &[&Place]) -> Option<String> {
    let values = |places: &[&Place], side: Limit| -> BTreeSet<String> {
        places.iter().filter_map(|place| place.get(&side).cloned()).collect()
    };
    let sides: Vec<Limit> = lost.first()?.keys().copied().collect();
    let told = sides.into_iter().filter(|side| values(covered, *side) != values(lost, *side));
    let told: Vec<String> =
        told.map(|side| phrase(side, &values(lost, side).into_iter().collect::<Vec<_>>())).collect();
    Some(if told.is_empty() { "everywhere that it was judged".to_owned() } else { told.join(", ") })
}

fn phrase(side: Limit, values: &[String]) -> String {
    let named = listed(values, values.len());
    match side {
        Limit::Transport => format!("over {named}"),
        Limit::Era => format!("in the {named} era"),
        Limit::Corpus => "of a server that does not hold the corpus".to_owned(),
        Limit::OtherEra => "of a server that has both eras of MCP".to_owned(),
        Limit::Operation => format!("at {named}"),
        Limit::Answer => "in what is refused".to_owned(),
        Limit::Gives => "in requests that give some of the arguments".to_owned(),
        Limit::Found if values.iter().all(String::is_empty) => "without a condition".to_owned(),
        Limit::Found => format!("where {named} finds something"),
    }
}

/// Everywhere that a requirement is judged.
fn reaches(side: &ContractSide, requirement: &Requirement) -> BTreeSet<Reach> {
    let id = requirement.id.as_str();
    let always = side.always.iter().flat_map(|always| &always.checks).filter(|one| one.check.requirement == id);
    let judges = |case: &&CaseFile| {
        let allows = case.steps.iter().any(|step| step.answered.as_deref() == Some(id));
        allows || case.checks.iter().any(|check| check.requirement == id)
    };
    let cases = side.cases.values().filter(judges).map(of_case);
    let made = side.schemas.values().any(|schema| is_mapped(schema, id)).then(Reach::new);
    let mut all: BTreeSet<Reach> = always.map(|one| of_always(side, one)).chain(cases).chain(made).collect();
    if let Some(era) = requirement.era {
        let limit = |mut reach: Reach| {
            reach.entry(Limit::Era).or_insert_with(|| BTreeSet::from([era.to_string()]));
            reach
        };
        all = all.into_iter().map(limit).collect();
    }
    all
}

fn of_always(side: &ContractSide, always: &AlwaysCheck) -> Reach {
    let mut reach = Reach::new();
    let (over, of): (Vec<&String>, Vec<&String>) = always.of.iter().partition(|name| name.starts_with(OVER));
    let families = over.iter().filter_map(|name| name.strip_prefix(OVER));
    let families: Vec<TransportFamily> = families.filter_map(|name| serde_json::from_value(json!(name)).ok()).collect();
    if !families.is_empty() {
        let kinds = TransportKind::VARIANTS.iter().filter(|kind| families.iter().any(|family| family.covers(**kind)));
        reach.insert(Limit::Transport, kinds.map(ToString::to_string).collect());
    }
    if !of.is_empty() && side.contract.operations.len() > of.len() {
        reach.insert(Limit::Operation, of.into_iter().cloned().collect());
    }
    if let Some(era) = always.era {
        reach.insert(Limit::Era, BTreeSet::from([era.to_string()]));
    }
    if !always.corpus.is_empty() {
        reach.insert(Limit::Corpus, BTreeSet::from(["corpus".to_owned()]));
    }
    if !always.refused_too {
        reach.insert(Limit::Answer, BTreeSet::from(["accepted".to_owned()]));
    }
    if !always.without.is_empty() {
        reach.insert(Limit::Gives, BTreeSet::from([String::new()]));
    }
    reach
}

fn of_case(case: &CaseFile) -> Reach {
    let mut reach = Reach::new();
    let needs = |what: &str| case.needs.iter().any(|need| need == what);
    if case.needs.iter().any(|need| need != ALONE) {
        reach.insert(Limit::Corpus, BTreeSet::from(["corpus".to_owned()]));
    }
    if needs(ALONE) {
        reach.insert(Limit::OtherEra, BTreeSet::from([ALONE.to_owned()]));
    }
    let eras: BTreeSet<String> = case
        .era
        .iter()
        .chain(case.steps.iter().filter_map(|step| step.era.as_ref()).take(1))
        .map(ToString::to_string)
        .collect();
    if !eras.is_empty() {
        reach.insert(Limit::Era, eras);
    }
    if let Some(family) = case.steps.iter().find_map(|step| step.over) {
        let kinds = TransportKind::VARIANTS.iter().filter(|kind| family.covers(**kind));
        reach.insert(Limit::Transport, kinds.map(ToString::to_string).collect());
    }
    let found: Vec<&str> = case.steps.iter().filter_map(|step| step.when.as_deref()).collect();
    if !found.is_empty() {
        reach.insert(Limit::Found, BTreeSet::from([found.join(" and ")]));
    }
    reach
}

fn is_mapped(schema: &Value, id: &str) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(name, value)| match (name.as_str(), value) {
            ("x-requirements", Value::Object(mapped)) => mapped.values().any(|one| one == id),
            _ => is_mapped(value, id),
        }),
        Value::Array(values) => values.iter().any(|value| is_mapped(value, id)),
        _ => false,
    }
}
