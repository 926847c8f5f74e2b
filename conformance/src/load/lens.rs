//! A view: the files of a contract as they are at one revision.
//!
//! Items of some revisions alone have a span (`since`, `until`), schemas and bindings are replaced by `revisions.json`, and numbers that
//! are bounds of arguments are taken from the schemas of the revision: `{ "$bound": "top_ke.maximum", "plus": 1 }` in place of a number,
//! and `{top_ke.maximum+1}` in a text. `{memoryId.name}` in a text is what the argument is called on the wire. Anywhere else, an entry of
//! a list or a member of an object belongs to some revisions as `{ "$item": value, "since": 2 }`, and a value that differs says so in its
//! place: `{ "$at": { "1": "full", "2": "json" } }`. What comes out has the shape that a contract of one revision has.

use super::bounds::Bounds;
use super::problems::{Problems, json, json_of, parsed, text};
use super::{DataProblem, inside};
use crate::files;
use crate::model::{Contract, Revision, RevisionsFile};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The keys whose items may have a span. A case file may have one as a whole.
const SPANNED: [&str; 10] =
    ["requirements", "excluded", "freedoms", "checks", "broken_by", "legal", "rewrite", "fixed", "beside", "looks"];

/// What a contract consists of at one revision.
#[derive(Debug)]
pub(crate) struct Lens {
    /// The revision that is looked at.
    pub(crate) revision: u32,
    /// What every revision up to it says, in order.
    told: Vec<Revision>,
    /// The files that are read in the place of others.
    in_place: BTreeMap<String, String>,
    /// Files of the folder that stand in the place of others at some revision.
    instead: BTreeSet<String>,
    /// The bounds of its arguments, and what these are called.
    pub(super) bounds: Bounds,
    /// Requirements of other revisions alone.
    elsewhere: BTreeSet<String>,
    /// Goldens of what other revisions have.
    goldens: RefCell<BTreeSet<String>>,
    /// Whether bounds are left as they are written.
    keeps_bounds: bool,
}

/// The revisions of a contract: those of its file, else the first one alone.
pub(crate) fn revisions(folder: &Path, root: &Path, problems: &mut Vec<DataProblem>) -> Vec<Revision> {
    let file = folder.join("revisions.json");
    if !file.exists() {
        return vec![Revision::only()];
    }
    let Some(read) = json::<RevisionsFile>(&file, root, problems) else { return Vec::new() };
    let mut found = Problems::of(&file, root, problems);
    for (at, (one, expected)) in read.revisions.iter().zip(1..).enumerate() {
        if one.revision != expected {
            found.add(
                format!("/revisions/{at}/revision"),
                format!("is {}, and the next one is {expected}", one.revision),
            );
        }
        for name in one.schemas.iter().flat_map(|(name, instead)| [name, instead]) {
            if !inside::is_below(name) {
                found.add(format!("/revisions/{at}/schemas"), inside::leads_out(name));
                return Vec::new();
            }
            if !folder.join(name).is_file() {
                found.add(format!("/revisions/{at}/schemas"), format!("{name} does not exist beside the contract"));
            }
        }
    }
    if read.revisions.is_empty() {
        found.add("/revisions", "names no revision");
    }
    read.revisions
}

impl Lens {
    /// Looks at a folder of `schemas/` at a revision. `contract` is `contract.json` as it is written.
    pub(crate) fn new(revision: u32, all: &[Revision], folder: &Path, contract: &Value) -> Self {
        let told: Vec<Revision> = all.iter().filter(|one| one.revision <= revision).cloned().collect();
        let instead = all.iter().flat_map(|one| one.schemas.values().cloned()).collect();
        let mut lens = Self {
            revision,
            in_place: told.iter().flat_map(|one| one.schemas.clone()).collect(),
            told,
            instead,
            bounds: Bounds::default(),
            elsewhere: BTreeSet::new(),
            goldens: RefCell::default(),
            keeps_bounds: false,
        };
        lens.elsewhere = &ids(requirements(contract)) - &ids(of_revision(contract, revision));
        let mut operations = contract["operations"].clone();
        for one in &lens.told {
            json_patch::merge(&mut operations, &Value::Object(one.operations.clone()));
        }
        let read = |(name, operation): (&String, &Value)| {
            let input = operation["input"].as_str().filter(|name| inside::is_below(name))?;
            let text = files::text(&folder.join(lens.schema(input))).ok()?;
            Some((name.clone(), serde_json::from_str(&text).ok()?))
        };
        let inputs = operations.as_object().into_iter().flatten().filter_map(read).collect();
        lens.bounds = Bounds { inputs, operations };
        lens
    }

    /// The same lens, which leaves bounds as they are written: where a number comes from, not which one it is.
    pub(crate) fn keeping_bounds(self) -> Self {
        Self { keeps_bounds: true, ..self }
    }

    /// The file that a schema of the contract is read from.
    pub(crate) fn schema<'s>(&'s self, name: &'s str) -> &'s str {
        self.in_place.get(name).map_or(name, String::as_str)
    }

    /// Whether a file of the folder is read only in the place of another one.
    pub(crate) fn is_instead(&self, file: &str) -> bool {
        self.instead.contains(file)
    }

    /// The contract itself at this revision.
    pub(crate) fn contract(
        &self,
        mut written: Value,
        file: &Path,
        root: &Path,
        problems: &mut Vec<DataProblem>,
    ) -> Option<Contract> {
        let mut found = Problems::of(file, root, problems);
        written["operations"] = self.bounds.operations.clone();
        let mut seen = self.seen(written, "", &mut found)?;
        self.retitle(&mut seen);
        let mut contract: Contract = parsed(seen, &mut found)?;
        contract.revision = self.revision;
        if let Some(document) = self.document() {
            document.clone_into(&mut contract.document);
        }
        contract.sections.extend(self.sections().cloned());
        Some(contract)
    }

    /// The sentences that take numbers from schemas, as they are written, by the id of their requirement.
    pub(crate) fn templates(&self, contract: &Value) -> BTreeMap<String, String> {
        let here = of_revision(contract, self.revision);
        let told = here.filter_map(|one| Some((one["id"].as_str()?, one["text"].as_str()?)));
        told.filter(|(_, text)| Bounds::are_in(text)).map(|(id, text)| (id.to_owned(), text.to_owned())).collect()
    }

    /// The files that are read in the place of others.
    pub(crate) fn in_place(&self) -> &BTreeMap<String, String> {
        &self.in_place
    }

    /// The document of the revision, where `revisions.json` names one.
    fn document(&self) -> Option<&str> {
        self.told.iter().rev().find_map(|one| one.document.as_deref())
    }

    /// Calls sections as the document of the revision does, and leaves out those that are gone.
    fn retitle(&self, contract: &mut Value) {
        let headings: BTreeMap<&str, Option<&str>> =
            self.told.iter().flat_map(|one| &one.headings).fold(BTreeMap::new(), |mut all, (first, now)| {
                all.insert(first, now.as_deref());
                all
            });
        let now = |section: &str| headings.get(section).copied().unwrap_or(Some(section)).map(str::to_owned);
        for list in ["requirements", "excluded"] {
            for item in contract.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(section) = item["section"].as_str().and_then(now) {
                    item["section"] = section.into();
                }
            }
        }
        if let Some(sections) = contract.get_mut("sections").and_then(Value::as_array_mut) {
            let mut named: Vec<String> = Vec::new();
            for section in sections.iter().filter_map(|section| now(section.as_str()?)) {
                if !named.contains(&section) {
                    named.push(section);
                }
            }
            *sections = named.into_iter().map(Value::from).collect();
        }
    }

    /// Sections that revisions up to this one have added.
    fn sections(&self) -> impl Iterator<Item = &String> {
        self.told.iter().flat_map(|one| &one.sections)
    }

    /// The goldens of what other revisions have.
    pub(crate) fn other_goldens(&self) -> BTreeSet<String> {
        self.goldens.borrow().clone()
    }

    /// Reads a file of the contract at this revision; nothing where it is a case of others.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        file: &Path,
        root: &Path,
        problems: &mut Vec<DataProblem>,
    ) -> Option<T> {
        let mut found = Problems::of(file, root, problems);
        let text = text(file, &mut found)?;
        // Then a problem has a line.
        if !["\"since\"", "\"until\"", "\"$bound\"", "\"$item\"", "\"$at\""].iter().any(|mark| text.contains(mark))
            && !Bounds::are_in(&text)
        {
            return json_of(&text, &mut found);
        }
        let value: Value = json_of(&text, &mut found)?;
        let seen = self.seen(value, "", &mut found)?;
        parsed(seen, &mut found)
    }

    /// A value as it is at this revision; nothing where it belongs to others.
    pub(crate) fn seen(&self, value: Value, place: &str, found: &mut Problems<'_>) -> Option<Value> {
        match value {
            Value::Object(mut members) => {
                if place.is_empty() && !self.has(&mut members) {
                    self.leave_out(&Value::Object(members));
                    return None;
                }
                if let Some(item) = members.remove("$item") {
                    if self.has(&mut members) {
                        return self.seen(item, place, found);
                    }
                    self.leave_out(&item);
                    return None;
                }
                if let Some(Value::Object(values)) = members.remove("$at") {
                    return self.seen(self.at(values)?, place, found);
                }
                if let Some(bound) = members.get("$bound").and_then(Value::as_str).filter(|_| !self.keeps_bounds) {
                    let more = members.get("plus").and_then(Value::as_i64).unwrap_or(0);
                    let bound = self.bounds.bound(bound, more).map_err(|why| found.add(place, why));
                    return Some(bound.unwrap_or_default());
                }
                let seen = members.into_iter().filter_map(|(key, value)| {
                    let place = format!("{place}/{key}");
                    let key = self.in_text(key, &place, found);
                    let value = match value {
                        Value::Array(items) if SPANNED.contains(&key.as_str()) => self.items(items, &place, found),
                        // A mistake need not break what the revision does not have.
                        Value::Array(ids) if key == "also" => {
                            let is_here = |id: &Value| id.as_str().is_none_or(|id| !self.elsewhere.contains(id));
                            let ids = ids.into_iter().filter_map(|id| self.seen(id, &place, found));
                            ids.filter(is_here).collect()
                        }
                        other => self.seen(other, &place, found)?,
                    };
                    Some((key, value))
                });
                Some(Value::Object(seen.collect()))
            }
            Value::Array(items) => {
                let items = items.into_iter().enumerate();
                let seen = items.filter_map(|(at, item)| self.seen(item, &format!("{place}/{at}"), found));
                Some(seen.collect())
            }
            Value::String(text) => Some(self.in_text(text, place, found).into()),
            other => Some(other),
        }
    }

    /// Of values by the first revision that has each, the one of this revision; nothing where that is null or there is none yet.
    fn at(&self, values: Map<String, Value>) -> Option<Value> {
        let since = |revision: &str| revision.parse::<u32>().ok().filter(|since| *since <= self.revision);
        let of_past = values.into_iter().filter_map(|(revision, value)| Some((since(&revision)?, value)));
        of_past.max_by_key(|(since, _)| *since).map(|(_, value)| value).filter(|value| !value.is_null())
    }

    /// The items that the revision has.
    fn items(&self, items: Vec<Value>, place: &str, found: &mut Problems<'_>) -> Value {
        let items = items.into_iter().enumerate().filter_map(|(at, mut item)| {
            if let Some(members) = item.as_object_mut()
                && !self.has(members)
            {
                self.leave_out(&item);
                return None;
            }
            self.seen(item, &format!("{place}/{at}"), found)
        });
        items.collect()
    }

    /// Takes the span of an item out of it, and says whether the revision has the item.
    fn has(&self, members: &mut Map<String, Value>) -> bool {
        let mut bound = |key| members.remove(key).and_then(|bound| bound.as_u64());
        let (since, until) = (bound("since").unwrap_or(1), bound("until").unwrap_or(u64::MAX));
        (since..=until).contains(&u64::from(self.revision))
    }

    fn in_text(&self, text: String, place: &str, found: &mut Problems<'_>) -> String {
        if self.keeps_bounds { text } else { self.bounds.text(text, place, found) }
    }

    fn leave_out(&self, item: &Value) {
        let mut ahead = vec![item];
        while let Some(value) = ahead.pop() {
            match value {
                Value::Object(members) => {
                    let golden = members.get("golden").and_then(Value::as_str);
                    self.goldens.borrow_mut().extend(golden.map(str::to_owned));
                    ahead.extend(members.values());
                }
                Value::Array(items) => ahead.extend(items),
                _ => {}
            }
        }
    }
}

/// The requirements of a contract file, as they are written.
fn requirements(contract: &Value) -> impl Iterator<Item = &Value> {
    contract["requirements"].as_array().into_iter().flatten()
}

fn ids<'v>(requirements: impl Iterator<Item = &'v Value>) -> BTreeSet<String> {
    requirements.filter_map(|one| one["id"].as_str().map(str::to_owned)).collect()
}

/// The requirements of a contract file that a revision has, as they are written.
fn of_revision(contract: &Value, revision: u32) -> impl Iterator<Item = &Value> {
    let bound = |one: &Value, key: &str, other: u64| one[key].as_u64().unwrap_or(other);
    let has =
        move |one: &&Value| (bound(one, "since", 1)..=bound(one, "until", u64::MAX)).contains(&u64::from(revision));
    requirements(contract).filter(has)
}
