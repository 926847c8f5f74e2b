//! What implementations are asked: cases, what always applies, and goldens.

use super::catalogue::{change, checks};
use super::change::{Change, Class, Witness, sorted};
use super::checks::{Checks, Told};
use super::side::ContractSide;
use super::touch::{calls, judging};
use super::{Seen, reach};
use crate::model::{AlwaysCheck, CaseFile, CheckFile, Requirement};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

use Class::{Breaking, Compatible, Editorial};

/// Every change of cases, of what always applies, of goldens and of the corpus.
pub(super) fn changes(before: &ContractSide, now: &ContractSide, seen: &Seen) -> Vec<Change> {
    let mut checks = Checks::new((before, now), seen);
    let mut changes = cases(before, now, &mut checks);
    always(before, now, &mut checks);
    changes.append(&mut checks.told());
    changes.extend(reach::changes(before, now));
    changes.extend(goldens(before, now));
    if before.corpus != now.corpus {
        let says = "the corpus is another one: targets load it anew".to_owned();
        let both = (json!(before.corpus), json!(now.corpus));
        changes.push(change(now, "corpus", "corpus", both, says, (Compatible, Compatible)));
    }
    changes
}

fn cases<'s>(before: &'s ContractSide, now: &'s ContractSide, checks: &mut Checks<'s>) -> Vec<Change> {
    let mut changes = Vec::new();
    let moved = moved(before, now);
    for (name, case) in &before.cases {
        let subject = format!("cases/{name}");
        let Some((other, fresh)) = now.cases.get_key_value(moved.get(name).unwrap_or(name)) else {
            let says = format!("the case is gone: {}", case.about);
            let both = (summary(case), Value::Null);
            changes.push(change(now, "case-removed", &subject, both, says, (Compatible, Compatible)));
            checks.compare(&subject, case.checks.iter(), std::iter::empty(), Told::WithItsPlace);
            continue;
        };
        if other != name {
            let says = format!("the case is called {other}");
            changes.push(change(
                now,
                "case-renamed",
                &subject,
                (json!(name), json!(other)),
                says,
                (Editorial, Editorial),
            ));
        }
        if fresh == case {
            continue;
        }
        let subject = format!("cases/{other}");
        let both = (calls(case), calls(fresh));
        if both.0 != both.1 && !now.follows(&both.1, before, &both.0) {
            let says = format!("the case asks otherwise: {}", fresh.about);
            changes.push(change(now, "case-changed", &subject, both, says, (Compatible, Compatible)));
        } else if case.about != fresh.about {
            let both = (json!(case.about), json!(fresh.about));
            changes.push(change(now, "wording", &subject, both, fresh.about.clone(), (Editorial, Editorial)));
        }
        checks.compare(&subject, case.checks.iter(), fresh.checks.iter(), Told::Alone);
    }
    let are_moved: BTreeSet<&String> = moved.values().collect();
    for (name, case) in now.cases.iter().filter(|(name, _)| !are_moved.contains(name)) {
        if !before.cases.contains_key(name) {
            let (subject, says) = (format!("cases/{name}"), format!("the case is new: {}", case.about));
            let both = (Value::Null, summary(case));
            changes.push(change(now, "case-added", &subject, both, says, (Compatible, Compatible)));
            checks.compare(&subject, std::iter::empty(), case.checks.iter(), Told::WithItsPlace);
        }
    }
    changes
}

/// Whether two cases, each with its name, are likely the same one.
type Likeness<'l> = dyn Fn((&String, &CaseFile), (&String, &CaseFile)) -> bool + 'l;

/// Cases that are called otherwise now, by their names before: those that are most alike first.
fn moved(before: &ContractSide, now: &ContractSide) -> BTreeMap<String, String> {
    let tail = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let checks = |case: &CaseFile| sorted(&case.checks.iter().map(judging).collect::<Value>());
    let ids = |case: &CaseFile| case.checks.iter().map(|check| check.requirement.clone()).collect::<BTreeSet<String>>();
    let likenesses: [&Likeness<'_>; 5] = [
        &|(_, one), (_, other)| calls(one) == calls(other) && checks(one) == checks(other),
        &|(_, one), (_, other)| calls(one) == calls(other),
        &|(_, one), (_, other)| !one.checks.is_empty() && checks(one) == checks(other),
        &|(_, one), (_, other)| one.about == other.about,
        &|(name, one), (called, other)| tail(name) == tail(called) && !ids(one).is_disjoint(&ids(other)),
    ];
    let mut gone: Vec<(&String, &CaseFile)> =
        before.cases.iter().filter(|(name, _)| !now.cases.contains_key(*name)).collect();
    let mut new: Vec<(&String, &CaseFile)> =
        now.cases.iter().filter(|(name, _)| !before.cases.contains_key(*name)).collect();
    let mut moved = BTreeMap::new();
    for is_alike in likenesses {
        gone.retain(|old| {
            let Some(at) = new.iter().position(|fresh| is_alike(*old, *fresh)) else { return true };
            moved.insert(old.0.clone(), new.remove(at).0.clone());
            false
        });
    }
    moved
}

fn always<'s>(before: &'s ContractSide, now: &'s ContractSide, checks: &mut Checks<'s>) {
    if before.always == now.always {
        return;
    }
    let of = |side: &ContractSide| {
        side.always.iter().flat_map(|always| &always.checks).map(reach).collect::<BTreeSet<String>>()
    };
    for reached in of(before).union(&of(now)) {
        let place = format!("always {reached}");
        checks.compare(&place, reached_by(before, reached), reached_by(now, reached), Told::Alone);
    }
}

/// The checks that apply to the same exchanges.
fn reached_by<'s>(side: &'s ContractSide, reached: &str) -> impl Iterator<Item = &'s CheckFile> {
    let all = side.always.iter().flat_map(|always| &always.checks);
    all.filter(move |always| reach(always) == reached).map(|always| &always.check)
}

/// Which exchanges a check applies to.
fn reach(always: &AlwaysCheck) -> String {
    let mut reach = json!([always.of, always.refused_too, always.corpus, always.without]);
    let era = always.era.map(|era| json!(era));
    let more = era.into_iter().chain(always.form.then(|| json!("form")));
    if let Some(parts) = reach.as_array_mut() {
        parts.extend(more);
    }
    reach.to_string()
}

fn goldens(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let mut changes = Vec::new();
    for (name, fresh) in &now.goldens {
        let Some(old) = before.goldens.get(name).filter(|old| *old != fresh) else { continue };
        let uses: Vec<&CheckFile> = uses(now, name).collect();
        let binds = uses.iter().any(|check| {
            now.contract
                .requirements
                .iter()
                .any(|requirement| requirement.id == check.requirement && requirement.binds())
        });
        let (was, is) = (items(old), items(fresh));
        let is_same = !uses.is_empty()
            && uses.iter().all(|check| check.unordered || check.by.is_some())
            && is_permutation(was, is);
        let classes = match () {
            () if is_same => (Editorial, Editorial),
            // Other data has other answers.
            () if before.corpus != now.corpus || !binds => (Compatible, Compatible),
            () if was.len() == is.len() && was.iter().zip(is).all(|(was, is)| is_part(was, is)) => {
                (Breaking, Compatible)
            }
            () if was.len() == is.len() && was.iter().zip(is).all(|(was, is)| is_part(is, was)) => {
                (Compatible, Breaking)
            }
            () => (Breaking, Breaking),
        };
        let says = format!("the golden goldens/{name} is another one");
        let mut changed =
            change(now, "golden-changed", &format!("goldens/{name}"), (old.clone(), fresh.clone()), says, classes);
        changed.requirements = uses.iter().map(|check| check.requirement.clone()).collect();
        changed.requirements.dedup();
        changed.witness = differing(was, is).filter(|_| changed.breaks());
        changes.push(changed);
    }
    changes
}

/// The checks that compare with a golden.
fn uses<'s>(side: &'s ContractSide, name: &'s str) -> impl Iterator<Item = &'s CheckFile> {
    let ids = side.contract.requirements.iter().map(|requirement: &Requirement| requirement.id.as_str());
    ids.flat_map(|id| checks(side, id))
        .map(|(_, check)| check)
        .filter(move |check| check.golden.as_deref() == Some(name))
}

/// The first item that is not the same: what came was right before and is wrong now.
fn differing(was: &[Value], is: &[Value]) -> Option<Witness> {
    let at = (0..was.len().max(is.len())).find(|at| was.get(*at) != is.get(*at))?;
    let item = |items: &[Value]| items.get(at).cloned().unwrap_or_default();
    let shows = format!("item {at} was right before; right now is {}", item(is));
    Some(Witness { shows, document: item(was) })
}

/// Whether one value says all that another one says, and perhaps more.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(name, value)| whole.get(name).is_some_and(|other| is_part(value, other)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len() && part.iter().zip(whole).all(|(part, whole)| is_part(part, whole))
        }
        _ => part == whole,
    }
}

fn is_permutation(one: &[Value], other: &[Value]) -> bool {
    let sorted = |values: &[Value]| {
        let mut texts: Vec<String> = values.iter().map(|value| sorted(value).to_string()).collect();
        texts.sort();
        texts
    };
    sorted(one) == sorted(other)
}

fn items(golden: &Value) -> &[Value] {
    golden.as_array().map_or(&[], Vec::as_slice)
}

fn summary(case: &CaseFile) -> Value {
    let requirements: BTreeSet<&str> = case.checks.iter().map(|check| check.requirement.as_str()).collect();
    json!({ "calls": calls(case), "requirements": requirements })
}
