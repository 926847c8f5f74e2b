//! Two revisions of the contracts → what changed, whom it breaks, and a document that shows it. [`Side::read`] touches files;
//! all the rest is pure.
//!
//! `side` reads, `shape` sees a JSON Schema as its readers do, `schemas`, `operations`, `catalogue` and `probes` find what
//! changed, `witness` and `sample` find documents, `approval` reads what was approved, `evidence` has stored evidence judged by
//! both revisions.

mod approval;
mod catalogue;
mod change;
mod evidence;
mod operations;
mod probes;
pub mod render;
mod sample;
mod schemas;
mod shape;
mod side;
pub mod surface;
mod touch;
mod witness;
pub mod words;

pub use approval::{Approval, Standing};
pub use change::{Change, Class, Witness};
pub use evidence::{Turn, Turned, turns};
pub use shape::{Field, Schemas};
pub(crate) use side::TRANSPORTS;
pub use side::{ContractSide, Side, SideError};

use catalogue::change;
use schemars::JsonSchema;
use schemas::{Compared, Role};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

use Class::{Breaking, Compatible, Editorial};

/// The version of the form of the JSON.
pub const FORMAT: &str = "contract-diff/1";

/// Everything that changed between two revisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diff {
    /// `contract-diff/1`.
    pub format: String,
    /// What stood before: a revision of git, or a folder.
    pub before: String,
    /// What stands now.
    pub now: String,
    /// The changes, those that break somebody first.
    pub changes: Vec<Reviewed>,
    /// The revision of each contract that changed, before and now.
    pub revisions: BTreeMap<String, (u32, u32)>,
    /// What stored evidence says of them, where there is any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turned: Vec<Turned>,
}

/// A change with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// What it is approved by.
    pub fingerprint: String,
    /// Whether it is approved.
    pub standing: Standing,
}

impl Diff {
    /// Compares two sides. `seen` are documents to look for witnesses in, by contract and operation: recorded answers.
    pub fn of((before, was): (&str, &Side), (now, is): (&str, &Side), seen: &Seen) -> Self {
        let mut changes = Vec::new();
        let mut revisions = BTreeMap::new();
        let names: BTreeSet<&String> = was.contracts.keys().chain(is.contracts.keys()).collect();
        for name in names {
            let (old, fresh) = (was.contracts.get(name), is.contracts.get(name));
            let found = match (old, fresh) {
                (Some(old), Some(fresh)) if old == fresh => Vec::new(),
                (Some(old), Some(fresh)) => contract(old, fresh, seen),
                (old, fresh) => old.or(fresh).map(|side| come_or_gone(side, old.is_none())).into_iter().collect(),
            };
            let revision = |side: Option<&ContractSide>| side.map_or(0, |side| side.contract.revision);
            let approvals = fresh.map_or_else(Vec::new, |side| approval::read(&side.approvals));
            let pair = (revision(old), revision(fresh));
            if !found.is_empty() {
                revisions.insert(name.clone(), pair);
            }
            changes.extend(found.into_iter().map(|change| {
                let fingerprint = change.fingerprint();
                let standing = match change.breaks() {
                    true => approval::standing(&fingerprint, &approvals, pair),
                    false => Standing::Free,
                };
                Reviewed { change, fingerprint, standing }
            }));
        }
        changes.sort_by_key(|one: &Reviewed| {
            let worst = one.change.implementations.min(one.change.clients);
            (one.change.contract.clone(), worst)
        });
        let format = FORMAT.to_owned();
        Self { format, before: before.to_owned(), now: now.to_owned(), changes, revisions, turned: Vec::new() }
    }

    /// The changes that break somebody and that nobody approved.
    pub fn unapproved(&self) -> impl Iterator<Item = &Reviewed> {
        self.changes.iter().filter(|one| matches!(one.standing, Standing::Unapproved { .. }))
    }
}

/// Documents that were seen, by contract, then by operation: arguments and answers.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Arguments of calls.
    pub arguments: BTreeMap<(String, String), Vec<Value>>,
    /// Answers, as far as they are JSON.
    pub answers: BTreeMap<(String, String), Vec<Value>>,
}

/// Every change of a contract that both sides have.
fn contract(before: &ContractSide, now: &ContractSide, seen: &Seen) -> Vec<Change> {
    let mut changes = operations::changes(before, now);
    changes.extend(described(before, now));
    changes.extend(catalogue::changes(before, now));
    changes.extend(schema_files(before, now, seen));
    changes.extend(grammars(before, now));
    changes.extend(probes::changes(before, now));
    for change in &mut changes {
        if change.requirements.is_empty() && !change.was.is_null() {
            change.requirements = spoken_of(now, &change.subject);
        }
    }
    changes
}

fn come_or_gone(side: &ContractSide, is_new: bool) -> Change {
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
    let pairs = [
        ("title", json!(was.title), json!(is.title)),
        ("document", json!(was.document), json!(is.document)),
        ("sections", json!(was.sections), json!(is.sections)),
        ("excluded", json!(was.excluded), json!(is.excluded)),
    ];
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

/// Grammars, as texts without comments and the space between words: what else they mean nothing here can tell.
fn grammars(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let mut changes = Vec::new();
    let names: BTreeSet<&String> = before.grammars.keys().chain(now.grammars.keys()).collect();
    for name in names {
        let (was, is) = (before.grammars.get(name), now.grammars.get(name));
        if was == is {
            continue;
        }
        let rules = |text: Option<&String>| {
            let lines = text.map_or("", String::as_str).lines();
            let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
            lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
        };
        let (says, classes) = match rules(was) == rules(is) {
            true => (format!("{name} says the same in other words"), (Editorial, Editorial)),
            false => (format!("the grammar {name} is another one"), (Breaking, Breaking)),
        };
        changes.push(change(now, "grammar", name, (json!(was), json!(is)), says, classes));
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
