//! Two views of a contract, compared.

use super::catalogue::change;
use super::change::{self, Change, Class};
use super::renames::Renames;
use super::schemas::{Compared, Role};
use super::shape::{Field, Schemas};
use super::side::ContractSide;
use super::{Seen, bounds, catalogue, grammars, operations, probes, rest, sections, touch};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

use Class::{Breaking, Compatible, Editorial};

/// Every change between two views of a contract.
pub(super) fn views(before: &ContractSide, now: &ContractSide, seen: &Seen) -> Vec<Change> {
    if before == now {
        return Vec::new();
    }
    let mut changes = operations::changes(before, now);
    changes.extend(schema_files(before, now, seen));
    // What is only called otherwise is told once. All that names it is compared under its new name.
    let renames = Renames::of(before, now, &changes);
    let renamed = renames.applied(before, now);
    changes.extend(renames.changes(now));
    let before = &renamed;
    changes.extend(described(before, now));
    changes.extend(sections::changes(before, now));
    changes.extend(catalogue::changes(before, now));
    changes.extend(grammars::changes(before, now, seen));
    changes.extend(probes::changes(before, now, seen));
    changes.extend(rest::changes(before, now));
    for change in &mut changes {
        if change.requirements.is_empty() && !change.was.is_null() {
            change.requirements = spoken_of(now, &change.subject);
        }
        if change.kind == "argument-range" {
            change.lacks = bounds::unreached(before, now, &change.subject);
        }
    }
    catalogue::ask(&mut changes);
    changes
}

pub(super) fn come_or_gone(side: &ContractSide, is_new: bool) -> Change {
    let name = side.contract.name.as_str();
    let told = json!(side.contract.document);
    match is_new {
        true => {
            let says = format!("the contract {name} is new");
            change(side, "contract-added", name, (Value::Null, told), says, (Compatible, Compatible))
        }
        false => {
            let says = format!("the contract {name} is gone");
            change(side, "contract-removed", name, (told, Value::Null), says, (Compatible, Breaking))
        }
    }
}

/// What is said of the contract as a whole.
fn described(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let (was, is) = (&before.contract, &now.contract);
    let pairs = [("title", json!(was.title), json!(is.title)), ("document", json!(was.document), json!(is.document))];
    let differing = pairs.into_iter().filter(|(_, was, is)| was != is);
    let told = differing.map(|(name, was, is)| {
        change(now, "wording", name, (was, is), format!("{name} is another one"), (Editorial, Editorial))
    });
    told.collect()
}

/// The schemas of arguments and answers, then those that no operation leads to.
fn schema_files(before: &ContractSide, now: &ContractSide, seen: &Seen) -> Vec<Change> {
    let (old, fresh) = (Schemas(&before.schemas), Schemas(&now.schemas));
    let binding = || {
        let both = now.contract.requirements.iter().chain(&before.contract.requirements);
        both.filter(|requirement| requirement.binds())
    };
    let binds = |id: &str| binding().any(|requirement| requirement.id == id);
    let refuses = |name: &str| {
        let named = format!("`{name}`");
        !name.is_empty() && binding().any(|one| one.text.contains(&named) && one.text.contains("refused"))
    };
    let mut changes: Vec<Change> = Vec::new();
    let mut compared: BTreeSet<&str> = BTreeSet::new();
    if before.schemas == now.schemas {
        return changes;
    }
    let mut found: Vec<(String, Change)> = Vec::new();
    let none = (Vec::new(), BTreeMap::new());
    for (name, operation) in &now.contract.operations {
        let Some(was_operation) = before.contract.operations.get(name) else { continue };
        let arguments = [(old, &was_operation.input), (fresh, &operation.input)];
        let arguments = arguments.map(|(schemas, file)| {
            let fields = schemas.fields(file).into_iter().map(|field| (field.path.clone(), field));
            fields.collect::<BTreeMap<String, Field>>()
        });
        let key = (now.contract.name.clone(), name.clone());
        let output = was_operation.output.as_ref().zip(operation.output.as_ref());
        let input = (Role::Argument, &was_operation.input, &operation.input, &seen.arguments);
        let output = output.map(|(was, is)| (Role::Field, was, is, &seen.answers));
        for (role, was, is, seen) in [Some(input), output].into_iter().flatten() {
            compared.extend([was.as_str(), is.as_str()]);
            if is_alike((old, was), (fresh, is)) {
                continue;
            }
            let compared = Compared {
                contract: &now.contract.name,
                of: name,
                role,
                before: (old, was),
                now: (fresh, is),
                seen: seen.get(&key).unwrap_or(&none.0),
                arguments: [&arguments[0], &arguments[1]],
                binds: &binds,
                refuses: &refuses,
                is_one_on_the_wire: &|old, fresh| {
                    operations::is_one_on_the_wire((before, was_operation, old), (now, operation, fresh))
                },
            };
            found.extend(compared.changes());
        }
    }
    let reached: BTreeSet<String> = compared.iter().flat_map(|file| fresh.reached(file)).collect();
    let others = now.schemas.keys().filter(|file| !reached.contains(*file) && before.schemas.contains_key(*file));
    for file in others.filter(|file| !is_alike((old, file), (fresh, file))) {
        let compared = Compared {
            contract: &now.contract.name,
            of: file,
            role: Role::Field,
            before: (old, file),
            now: (fresh, file),
            seen: &none.0,
            arguments: [&none.1, &none.1],
            binds: &binds,
            refuses: &refuses,
            is_one_on_the_wire: &|_, _| false,
        };
        found.extend(compared.changes());
    }
    changes.extend(touch::once(found));
    changes.extend(files_as_such(before, now, changes.is_empty()));
    changes
}

/// Whether all that a schema is put together of is written as it was.
fn is_alike((old, was): (Schemas<'_>, &str), (fresh, is): (Schemas<'_>, &str)) -> bool {
    was == is && fresh.reached(is).iter().all(|file| old.0.get(file) == fresh.0.get(file))
}

/// Files that are written otherwise: new and gone ones, and those of which nothing but the words changed.
fn files_as_such(before: &ContractSide, now: &ContractSide, nothing_was_found: bool) -> Vec<Change> {
    let mut changes = Vec::new();
    let names: BTreeSet<&String> = before.schemas.keys().chain(now.schemas.keys()).collect();
    for name in names {
        let (was, is) = (before.schemas.get(name), now.schemas.get(name));
        if was == is {
            continue;
        }
        let plain = |schema: Option<&Value>| schema.map(|schema| change::sorted(&touch::without_annotations(schema)));
        let says = match (was, is) {
            (None, _) => format!("the file {name} is new"),
            (_, None) => format!("the file {name} is gone"),
            _ if plain(was) == plain(is) => format!("{name} says the same in other words"),
            _ if nothing_was_found => format!("{name} is put together otherwise and allows the same"),
            _ => continue,
        };
        let both = (json!(was), json!(is));
        changes.push(change(now, "wording", name, both, says, (Editorial, Editorial)));
    }
    changes
}

/// The requirements that name the member which a change is about.
fn spoken_of(side: &ContractSide, subject: &str) -> Vec<String> {
    let name = place(subject).rsplit('.').next().unwrap_or_default().trim_end_matches("[]");
    if name.is_empty() || !subject.contains(": ") {
        return Vec::new();
    }
    let named = format!("`{name}`");
    let all = side.contract.requirements.iter().filter(|requirement| requirement.text.contains(&named));
    all.map(|requirement| requirement.id.clone()).collect()
}

/// The place in a subject, without what it belongs to.
fn place(subject: &str) -> &str {
    subject.split_once(": ").map_or("", |(_, place)| place)
}
