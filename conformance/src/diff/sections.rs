//! The headings of the document. One that is renamed is one change, however many requirements stand under it.

use super::catalogue::change;
use super::change::{Change, Class};
use super::side::ContractSide;
use crate::text::plural;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

use Class::Editorial;

/// Every change of sections, of the requirements' place in them, and of what nothing can check.
pub(super) fn changes(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let renamed = renamed(before, now);
    let called = |section: &String| renamed.get(section).unwrap_or(section).clone();
    let mut changes = Vec::new();
    let moved = |section: &str| {
        let all = before.contract.requirements.iter().filter(|requirement| requirement.section == section);
        all.map(|requirement| requirement.id.clone()).collect::<Vec<String>>()
    };
    for (was, is) in &renamed {
        let ids = moved(was);
        let says = format!("the section is called \"{is}\", with {}", plural(ids.len(), "requirement"));
        let mut one = change(now, "section-renamed", was, (json!(was), json!(is)), says, (Editorial, Editorial));
        one.requirements = ids;
        changes.push(one);
    }
    let mut excluded = before.contract.excluded.clone();
    excluded.iter_mut().for_each(|one| one.section = called(&one.section));
    let sections: Vec<String> = before.contract.sections.iter().map(called).collect();
    for (name, was, is) in [
        ("sections", json!(sections), json!(now.contract.sections)),
        ("excluded", json!(excluded), json!(now.contract.excluded)),
    ] {
        if was != is {
            let says = format!("{name} is another list");
            changes.push(change(now, "wording", name, (was, is), says, (Editorial, Editorial)));
        }
    }
    for old in &before.contract.requirements {
        let fresh = now.contract.requirements.iter().find(|fresh| fresh.id == old.id);
        if let Some(fresh) = fresh.filter(|fresh| fresh.section != called(&old.section)) {
            let says = format!("{} (before: {})", fresh.section, old.section);
            let both = (json!(old.section), json!(fresh.section));
            changes.push(change(now, "requirement-section", &old.id, both, says, (Editorial, Editorial)));
        }
    }
    changes
}

/// Headings that went, each with the one that came in its place: all that stood under the one stands under the other.
fn renamed(before: &ContractSide, now: &ContractSide) -> BTreeMap<String, String> {
    let gone = before.contract.sections.iter().filter(|section| !now.contract.sections.contains(section));
    let is_new = |section: &&str| !before.contract.sections.iter().any(|old| old == section);
    let renamed = gone.filter_map(|was| {
        let of = |side: &ContractSide, section: &str| {
            let requirements = side.contract.requirements.iter().filter(|one| one.section == section);
            let ids = requirements.map(|one| one.id.clone());
            let excluded = side.contract.excluded.iter().filter(|one| one.section == section);
            ids.chain(excluded.map(|one| one.sentence.clone())).collect::<BTreeSet<String>>()
        };
        let stood = of(before, was);
        let mut fits = now.contract.sections.iter().map(String::as_str).filter(is_new).filter(|is| {
            let stands = of(now, is);
            !stood.is_disjoint(&stands)
        });
        Some((was.clone(), fits.next()?.to_owned()))
    });
    renamed.collect()
}
