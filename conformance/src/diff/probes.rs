//! What implementations are asked: cases, what always applies, and goldens.

use super::catalogue::{change, checks, of_check};
use super::change::{Change, Class, Witness, sorted};
use super::side::ContractSide;
use crate::model::{AlwaysCheck, CaseFile, CheckFile, Requirement};
use serde_json::{Value, json};
use std::collections::BTreeSet;

use Class::{Breaking, Compatible, Editorial};

/// Every change of cases, of what always applies, of goldens and of the corpus.
pub(super) fn changes(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let mut changes = cases(before, now);
    changes.extend(always(before, now));
    changes.extend(goldens(before, now));
    if before.corpus != now.corpus {
        let says = "the corpus is another one: targets load it anew".to_owned();
        let both = (json!(before.corpus), json!(now.corpus));
        changes.push(change(now, "corpus", "corpus", both, says, (Compatible, Compatible)));
    }
    changes
}

fn cases(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let mut changes = Vec::new();
    let is_moved = |case: &CaseFile, all: &ContractSide, others: &ContractSide| {
        let same = |(name, other): (&String, &CaseFile)| {
            !others.cases.contains_key(name) && calls(other) == calls(case) && json!(other.checks) == json!(case.checks)
        };
        all.cases.iter().find(|one| same(*one)).map(|(name, _)| name.clone())
    };
    for (name, case) in &before.cases {
        let subject = format!("cases/{name}");
        let fresh = now.cases.get(name);
        if fresh == Some(case) {
            continue;
        }
        let Some(fresh) = fresh else {
            changes.push(match is_moved(case, now, before) {
                Some(other) => {
                    let says = format!("the case is called {other}");
                    change(now, "case-renamed", &subject, (json!(name), json!(other)), says, (Editorial, Editorial))
                }
                None => {
                    let says = format!("the case is gone: {}", case.about);
                    let both = (summary(case), Value::Null);
                    change(now, "case-removed", &subject, both, says, (Compatible, Compatible))
                }
            });
            continue;
        };
        if calls(case) != calls(fresh) {
            let says = format!("the case asks otherwise: {}", fresh.about);
            let both = (calls(case), calls(fresh));
            changes.push(change(now, "case-changed", &subject, both, says, (Compatible, Compatible)));
        } else if case.about != fresh.about {
            let both = (json!(case.about), json!(fresh.about));
            changes.push(change(now, "wording", &subject, both, fresh.about.clone(), (Editorial, Editorial)));
        }
        let (was, is): (Vec<&CheckFile>, Vec<&CheckFile>) =
            (case.checks.iter().collect(), fresh.checks.iter().collect());
        changes.extend(checks_of(before, now, &subject, &was, &is));
    }
    for (name, case) in &now.cases {
        if !before.cases.contains_key(name) && is_moved(case, before, now).is_none() {
            let says = format!("the case is new: {}", case.about);
            let both = (Value::Null, summary(case));
            changes.push(change(now, "case-added", &format!("cases/{name}"), both, says, (Compatible, Compatible)));
        }
    }
    changes
}

fn always(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    if before.always == now.always {
        return Vec::new();
    }
    let of = |side: &ContractSide| {
        side.always.iter().flat_map(|always| &always.checks).map(reach).collect::<BTreeSet<String>>()
    };
    let mut changes = Vec::new();
    for reached in of(before).union(&of(now)) {
        let (was, is) = (reached_by(before, reached), reached_by(now, reached));
        changes.extend(checks_of(before, now, &format!("always {reached}"), &was, &is));
    }
    changes
}

/// The checks that apply to the same exchanges.
fn reached_by<'s>(side: &'s ContractSide, reached: &str) -> Vec<&'s CheckFile> {
    let all = side.always.iter().flat_map(|always| &always.checks);
    all.filter(|always| reach(always) == reached).map(|always| &always.check).collect()
}

/// Which exchanges a check applies to.
fn reach(always: &AlwaysCheck) -> String {
    json!([always.of, always.refused_too, always.corpus, always.without]).to_string()
}

/// Checks of one place on both sides, by their requirement. What requirements themselves did is told elsewhere.
fn checks_of(
    before: &ContractSide,
    now: &ContractSide,
    place: &str,
    was: &[&CheckFile],
    is: &[&CheckFile],
) -> Vec<Change> {
    let has = |side: &ContractSide, id: &str| side.contract.requirements.iter().any(|requirement| requirement.id == id);
    let ids: BTreeSet<&str> = was.iter().chain(is).map(|check| check.requirement.as_str()).collect();
    let mut changes = Vec::new();
    for id in ids.into_iter().filter(|id| has(before, id) && has(now, id)) {
        let old: Vec<&&CheckFile> = was.iter().filter(|check| check.requirement == id).collect();
        let fresh: Vec<&&CheckFile> = is.iter().filter(|check| check.requirement == id).collect();
        for (old, fresh) in old.iter().zip(&fresh) {
            changes.extend(of_check((before, now), place, old, fresh));
        }
        let told = |check: &CheckFile| sorted(&serde_json::to_value(check).unwrap_or_default());
        let mut counted = |kind: &str, both: (Value, Value), says: String| {
            changes.push(change(now, kind, &format!("{place}: {id}"), both, says, (Compatible, Compatible)));
        };
        for check in old.iter().skip(fresh.len()) {
            counted("check-removed", (told(check), Value::Null), format!("{id} is not judged here any more"));
        }
        for check in fresh.iter().skip(old.len()) {
            counted("check-added", (Value::Null, told(check)), format!("{id} is judged here too"));
        }
    }
    changes
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

fn calls(case: &CaseFile) -> Value {
    sorted(&json!({ "steps": case.steps, "needs": case.needs }))
}

fn summary(case: &CaseFile) -> Value {
    let requirements: BTreeSet<&str> = case.checks.iter().map(|check| check.requirement.as_str()).collect();
    json!({ "calls": calls(case), "requirements": requirements })
}
