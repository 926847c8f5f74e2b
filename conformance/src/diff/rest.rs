//! What a revision says of itself: by what servers of it are recognised, whether it has shipped, and what else has no place of its own.

use super::catalogue::change;
use super::change::{Change, Class};
use super::side::ContractSide;
use crate::model::{Operation, Requirement, Revision, Sign};
use serde_json::{Value, json};
use std::collections::BTreeSet;

use Class::{Breaking, Compatible, Editorial};

/// Every change of a view that is compared with itself: another revision has signs and files of its own.
pub(super) fn changes(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    if before.contract.revision != now.contract.revision {
        return Vec::new();
    }
    // Before a contract had a list of revisions, it said nothing of the only one.
    if before.revision == Revision::only() {
        return files(before, now);
    }
    let mut changes = signs(before, now);
    changes.extend(frozen(before, now));
    changes.extend(words(before, now));
    changes.extend(files(before, now));
    changes
}

/// That a revision does not count as shipped any more, or that it does now.
pub(super) fn frozen(before: &ContractSide, now: &ContractSide) -> Option<Change> {
    let both = (before.revision.frozen, now.revision.frozen);
    let (kind, says, clients) = match both {
        (true, false) => ("revision-unfrozen", "what it promises is not kept fast any more", Breaking),
        (false, true) => ("revision-frozen", "it has shipped, and what it promises is kept fast", Compatible),
        _ => return None,
    };
    let subject = now.contract.key().full();
    Some(change(now, kind, &subject, (json!(both.0), json!(both.1)), says.to_owned(), (Compatible, clients)))
}

/// Signs that came, went or are others. A server that shows one is judged by another revision than before.
fn signs(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let (was, is) = (&before.revision.signs, &now.revision.signs);
    let told = |kind: &str, about: &str, both: (Value, Value), says: String| {
        change(now, kind, &format!("sign: {about}"), both, says, (Breaking, Compatible))
    };
    let same = |one: &Sign, other: &Sign| one.about == other.about;
    let without_words = |sign: &Sign| json!(Sign { about: String::new(), ..sign.clone() });
    let mut changes = Vec::new();
    for old in was {
        match is.iter().find(|fresh| same(old, fresh)) {
            Some(fresh) if fresh == old => {}
            Some(fresh) => {
                let says = "servers of the revision are recognised otherwise".to_owned();
                changes.push(told("sign-changed", &fresh.about, (json!(old), json!(fresh)), says));
            }
            None => match is.iter().find(|fresh| without_words(fresh) == without_words(old)) {
                Some(fresh) => {
                    let both = (json!(old.about), json!(fresh.about));
                    let says = format!("{} (before: {})", fresh.about, old.about);
                    changes.push(change(now, "wording", &fresh.about, both, says, (Editorial, Editorial)));
                }
                None => {
                    let says = "whoever shows it is not recognised by it any more".to_owned();
                    changes.push(told("sign-removed", &old.about, (json!(old), Value::Null), says));
                }
            },
        }
    }
    let is_new = |fresh: &&Sign| !was.iter().any(|old| same(old, fresh) || without_words(old) == without_words(fresh));
    for fresh in is.iter().filter(is_new) {
        let says = "whoever shows it is recognised by it".to_owned();
        changes.push(told("sign-added", &fresh.about, (Value::Null, json!(fresh)), says));
    }
    changes
}

/// What else is said of the revision and of its requirements.
fn words(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let (was, is) = (&before.revision, &now.revision);
    let mut pairs = vec![
        ("the name of the revision".to_owned(), json!(was.name), json!(is.name)),
        ("the day of the revision".to_owned(), json!(was.date), json!(is.date)),
        ("what the revision is about".to_owned(), json!(was.about), json!(is.about)),
        ("why the revision as a whole is approved".to_owned(), json!(was.approved), json!(is.approved)),
        ("freedoms".to_owned(), json!(before.contract.freedoms), json!(now.contract.freedoms)),
    ];
    let notes = |one: &Requirement| json!([one.no_opposite, one.over, one.unjudged, one.clients]);
    for fresh in &now.contract.requirements {
        if let Some(old) = before.contract.requirement(&fresh.id) {
            pairs.push((format!("what is noted of {}", fresh.id), notes(old), notes(fresh)));
        }
    }
    for (name, fresh) in &now.contract.operations {
        let notes = |one: &Operation| json!([one.about, one.given]);
        if let Some(old) = before.contract.operations.get(name) {
            pairs.push((format!("what is noted of {name}"), notes(old), notes(fresh)));
        }
    }
    let differing = pairs.into_iter().filter(|(_, was, is)| was != is);
    let told = differing.map(|(name, was, is)| {
        let says = format!("{name} is otherwise");
        change(now, "wording", &name, (was, is), says, (Editorial, Editorial))
    });
    told.collect()
}

/// Files of the fixtures that ask nothing of anybody by themselves: legal answers, what random calls are made of.
fn files(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let names: BTreeSet<&String> = before.others.keys().chain(now.others.keys()).collect();
    let differing = names.into_iter().filter_map(|name| {
        let (was, is) = (before.others.get(name), now.others.get(name));
        (was != is).then(|| {
            let says = format!("{name} is otherwise");
            change(now, "file-changed", name, (json!(was), json!(is)), says, (Compatible, Compatible))
        })
    });
    differing.collect()
}
