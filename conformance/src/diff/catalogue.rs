//! What is promised: the requirements, and how each is judged.

use super::change::{Change, Class, Witness};
use super::schemas::Compared;
use super::shape::Schemas;
use super::side::ContractSide;
use super::touch::{judging, proofs};
use super::{Seen, tried};
use crate::model::{AlwaysCheck, CheckFile, Era, Requirement};
use serde_json::{Value, json};
use std::collections::BTreeMap;

use Class::{Breaking, Compatible, Editorial};

/// Every change of requirements. Both sides call them by the names of now.
pub(super) fn changes(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let (was, is) = (by_id(before), by_id(now));
    let mut changes = Vec::new();
    for (id, requirement) in &was {
        match is.get(id) {
            Some(fresh) => changes.extend(stayed((before, now), requirement, fresh)),
            None => changes.push(removed(before, requirement)),
        }
    }
    changes.extend(is.iter().filter(|(id, _)| !was.contains_key(*id)).map(|(_, requirement)| added(now, requirement)));
    changes
}

/// Takes back the questions about sentences whose checks say otherwise too: what they say is asked for there.
pub(super) fn ask(changes: &mut [Change]) {
    let judged: Vec<String> = changes
        .iter()
        .filter(|change| change.kind == "check-changed" && change.breaks())
        .flat_map(|change| change.requirements.clone())
        .collect();
    let reworded = changes.iter_mut().filter(|change| change.kind == "requirement-reworded");
    reworded.filter(|change| judged.contains(&change.subject)).for_each(|change| change.asks = None);
}

fn by_id(side: &ContractSide) -> BTreeMap<&str, &Requirement> {
    side.contract.requirements.iter().map(|requirement| (requirement.id.as_str(), requirement)).collect()
}

fn added(now: &ContractSide, requirement: &Requirement) -> Change {
    let binds = if requirement.binds() { Breaking } else { Compatible };
    let says = format!("new, {} and {}: {}", requirement.level, requirement.origin, requirement.text);
    let mut change =
        change(now, "requirement-added", &requirement.id, (Value::Null, told(requirement)), says, (binds, Compatible));
    change.witness = counterexample(now, &requirement.id, "not asked for before, a violation now");
    change
}

fn removed(before: &ContractSide, requirement: &Requirement) -> Change {
    let binds = if requirement.binds() { Breaking } else { Compatible };
    let says = format!("gone, {} and {}: {}", requirement.level, requirement.origin, requirement.text);
    let mut change = change(
        before,
        "requirement-removed",
        &requirement.id,
        (told(requirement), Value::Null),
        says,
        (Compatible, binds),
    );
    change.witness = counterexample(before, &requirement.id, "a violation before, not asked for now");
    change
}

fn stayed((before, now): (&ContractSide, &ContractSide), old: &Requirement, fresh: &Requirement) -> Vec<Change> {
    let mut changes = Vec::new();
    let id = fresh.id.as_str();
    let moved = match (old.binds(), fresh.binds()) {
        (false, true) => (Breaking, Compatible),
        (true, false) => (Compatible, Breaking),
        // Both bind, or both advise.
        (true, true) => (Editorial, Editorial),
        (false, false) => (Compatible, Compatible),
    };
    for (kind, was, is) in [
        ("requirement-level", old.level.to_string(), fresh.level.to_string()),
        ("requirement-origin", old.origin.to_string(), fresh.origin.to_string()),
    ] {
        if was != is {
            let says = format!("{is} ({was} before): {}", fresh.text);
            let mut change = change(now, kind, id, (json!(was), json!(is)), says, moved);
            let shows = if fresh.binds() { "advice before, a violation now" } else { "a violation before, advice now" };
            change.witness = counterexample(now, id, shows).filter(|_| change.breaks());
            changes.push(change);
        }
    }
    if old.era != fresh.era {
        // A server is held to more, a client can rely on less, or both.
        let is_wider = (fresh.era.is_none() || old.era.is_some()) && fresh.binds();
        let is_narrower = (old.era.is_none() || fresh.era.is_some()) && old.binds();
        let breaks = |is_so| if is_so { Breaking } else { Compatible };
        let named = |era: Option<Era>| era.map_or_else(|| "both eras".to_owned(), |era| format!("the {era} era"));
        let says = format!("of {} ({} before): {}", named(fresh.era), named(old.era), fresh.text);
        let (was, is) = (json!(old.era), json!(fresh.era));
        changes.push(change(now, "requirement-era", id, (was, is), says, (breaks(is_wider), breaks(is_narrower))));
    }
    if old.conditional != fresh.conditional {
        let breaks = if fresh.binds() { Breaking } else { Compatible };
        let (classes, says) = match fresh.conditional {
            true => ((Compatible, breaks), "need not be seen where everything has to be exercised"),
            false => ((breaks, Compatible), "has to be seen where everything has to be exercised"),
        };
        let both = (json!(old.conditional), json!(fresh.conditional));
        changes.push(change(now, "requirement-conditional", id, both, format!("{id} {says}"), classes));
    }
    if old.text != fresh.text {
        let (was, is) = (&old.text, &fresh.text);
        let mut change =
            change(now, "requirement-reworded", id, (json!(was), json!(is)), String::new(), (Editorial, Editorial));
        let template = |side: &ContractSide| side.templates.get(id).cloned();
        let follows = template(now).is_some() && template(now) == template(before);
        change.says = format!("{is} (before: {was})");
        change.follows = follows;
        if !follows && (old.binds() || fresh.binds()) {
            change.asks = Some("say that it means the same, or give what it says now an id of its own".to_owned());
        }
        changes.push(change);
    }
    changes
}

/// A change of how a requirement is judged where it is judged as before: in a case, or always. `place` is what reports call it.
pub(super) fn of_check(
    (before, now): (&ContractSide, &ContractSide),
    place: &str,
    (old, fresh): (&CheckFile, &CheckFile),
    seen: &Seen,
) -> Option<Change> {
    let (was, is) = (judging(old), judging(fresh));
    if was == is {
        let both = (proofs(old), proofs(fresh));
        if now.follows(&both.1, before, &both.0) {
            return None;
        }
        let says = format!("other counterexamples of {}", fresh.requirement);
        let subject = format!("{place}: {}", fresh.requirement);
        return (both.0 != both.1)
            .then(|| change(now, "counterexamples", &subject, both, says, (Editorial, Editorial)));
    }
    let requirement = now.contract.requirements.iter().find(|requirement| requirement.id == fresh.requirement);
    let breaking = if requirement.is_some_and(Requirement::binds) { Breaking } else { Compatible };
    let subject = format!("{place}: {}", fresh.requirement);
    let mut says = format!("{} is judged otherwise", fresh.requirement);
    let mut classes = (breaking, breaking);
    let witness;
    match ((&old.schema, &fresh.schema), (&old.equals, &fresh.equals)) {
        ((Some(one), Some(other)), _) => {
            let sides = [(before, one), (now, other)].map(|(side, schema)| Schemas(&side.schemas).beside(schema));
            let found = Compared::of_check(&now.contract.name, [&sides[0], &sides[1]]).changes();
            let worst = |class: &dyn Fn(&Change) -> Class| {
                let all = found.iter().map(|(_, change)| class(change));
                if all.min() == Some(Breaking) { breaking } else { Compatible }
            };
            classes = (worst(&|change| change.implementations), worst(&|change| change.clients));
            if found.is_empty() {
                classes = (Editorial, Editorial);
            }
            witness = found.into_iter().find_map(|(_, change)| change.witness);
        }
        (_, (Some(one), Some(other))) => {
            let shows = format!("right before; {} is right now", other.0);
            witness = Some(Witness { shows, document: one.0.clone() });
        }
        _ => {
            let tried = tried::both((before, old), (now, fresh), seen);
            says.push_str(&tried.told());
            if tried.is_told_apart() {
                let breaks = |is: bool| if is { breaking } else { Compatible };
                classes = (breaks(tried.refused.is_some()), breaks(tried.accepted.is_some()));
            }
            witness = tried.witness();
        }
    }
    let follows = now.follows(&is, before, &was);
    if follows {
        // Who does not ask for more does not get more.
        classes.1 = Compatible;
    }
    let mut change = change(now, "check-changed", &subject, (was, is), says, classes);
    change.witness = witness.filter(|_| change.breaks());
    change.requirements = vec![fresh.requirement.clone()];
    change.follows = follows;
    Some(change)
}

/// The checks of a side for a requirement, with the place of each.
pub(super) fn checks<'s>(side: &'s ContractSide, id: &'s str) -> impl Iterator<Item = (String, &'s CheckFile)> {
    let always = side.always.iter().flat_map(|always| &always.checks);
    let always = always.map(|AlwaysCheck { of, check, .. }| (format!("always of {}", of.join(", ")), check));
    let cases = side
        .cases
        .iter()
        .flat_map(|(name, case)| case.checks.iter().map(move |check| (format!("cases/{name}"), check)));
    always.chain(cases).filter(move |(_, check)| check.requirement == id)
}

/// A call, and the mistake in its answer that a requirement catches.
pub(super) fn counterexample(side: &ContractSide, id: &str, shows: &str) -> Option<Witness> {
    let of_cases = side.cases.values().flat_map(|case| case.checks.iter().map(move |check| (Some(case), None, check)));
    let always = side.always.iter().flat_map(|always| &always.checks);
    let always = always.map(|AlwaysCheck { of, check, .. }| (None, of.first().map(String::as_str), check));
    of_cases
        .chain(always)
        .filter(|(_, _, check)| check.requirement == id)
        .find_map(|(case, operation, check)| {
            let broken = check.broken_by.first()?;
            let step = broken.patch.iter().find_map(|edit| edit.path().first()?.decoded().parse::<usize>().ok());
            let step = case.and_then(|case| case.steps.get(step.unwrap_or(0)));
            let document = match step {
                Some(step) => json!({ "call": step.call, "with": step.with, "mistake": broken.about }),
                None => json!({ "call": operation.unwrap_or("any call"), "mistake": broken.about }),
            };
            Some(Witness { shows: shows.to_owned(), document })
        })
        .or_else(|| derived(side, id, shows))
}

/// The same for a requirement that is judged by cases which are made of a keyword of an input schema.
fn derived(side: &ContractSide, id: &str, shows: &str) -> Option<Witness> {
    let places = side.schemas.iter().flat_map(|(file, schema)| {
        let properties = schema["properties"].as_object().into_iter().flatten();
        properties.map(move |(name, property)| (file, name, property))
    });
    places.into_iter().find_map(|(file, name, property)| {
        let mapped = property["x-requirements"].as_object()?;
        let (keyword, _) = mapped.iter().find(|(_, mapped)| *mapped == id)?;
        let value = property.get(keyword).cloned().unwrap_or(Value::Bool(true));
        let at = format!("schemas/{}/{file}", side.contract.name);
        Some(Witness { shows: shows.to_owned(), document: json!({ "at": at, "argument": name, keyword: value }) })
    })
}

fn told(requirement: &Requirement) -> Value {
    json!({ "level": requirement.level, "origin": requirement.origin, "text": requirement.text })
}

pub(super) fn change(
    side: &ContractSide,
    kind: &str,
    subject: &str,
    both: (Value, Value),
    says: String,
    classes: (Class, Class),
) -> Change {
    let mut change = Change::new(&side.contract.name, kind, subject, both, says, classes);
    if kind.starts_with("requirement-") {
        change.requirements.push(subject.to_owned());
    }
    change
}
