//! A view: the files of a contract as they are at one revision.
//!
//! Items of some revisions alone have a span (`since`, `until`), schemas and bindings are replaced by `revisions.json`, and numbers that
//! are bounds of arguments are taken from the schemas of the revision: `{ "$bound": "top_ke.maximum", "plus": 1 }` in place of a number,
//! and `{top_ke.maximum+1}` in a text. `{memoryId.name}` in a text is what the argument is called on the wire. Anywhere else, an entry of
//! a list or a member of an object belongs to some revisions as `{ "$item": value, "since": 2 }`. What comes out has the shape that a
//! contract of one revision has.

use super::DataProblem;
use super::problems::{Problems, json, parsed};
use crate::files;
use crate::model::{Contract, Revision, RevisionsFile};
use crate::text::suggest;
use regex::{Captures, Regex};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

/// The keys whose items may have a span. A case file may have one as a whole.
const SPANNED: [&str; 10] =
    ["requirements", "excluded", "freedoms", "checks", "broken_by", "legal", "rewrite", "fixed", "beside", "looks"];

/// A bound of an argument in a text.
static IN_TEXT: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the pattern is fixed")]
    Regex::new(r"\{([A-Za-z_/-]+\.[a-zA-Z]+)([+-][0-9]+)?\}").expect("the pattern is sound")
});

/// What a contract consists of at one revision.
#[derive(Debug)]
pub(crate) struct Lens {
    /// The revision that is looked at.
    pub(crate) revision: u32,
    /// What every revision up to it says, in order.
    told: Vec<Revision>,
    /// Schemas of the folder that stand in the place of others at some revision.
    instead: BTreeSet<String>,
    /// The input schema of each operation.
    inputs: Vec<(String, Value)>,
    /// The operations of the revision, with their bindings.
    bound: Value,
    /// Requirements of other revisions alone.
    elsewhere: BTreeSet<String>,
    /// Goldens of what other revisions have.
    goldens: RefCell<BTreeSet<String>>,
}

/// The revisions of a contract: those of its file, else the first one alone.
pub(crate) fn revisions(folder: &Path, root: &Path, problems: &mut Vec<DataProblem>) -> Vec<Revision> {
    let file = folder.join("revisions.json");
    if !file.exists() {
        return vec![Revision { revision: 1, name: "1".to_owned(), ..Revision::default() }];
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
            told,
            instead,
            inputs: Vec::new(),
            bound: Value::Null,
            elsewhere: BTreeSet::new(),
            goldens: RefCell::default(),
        };
        let ids = |items: &Value| -> BTreeSet<String> {
            let all = items["requirements"].as_array().into_iter().flatten();
            all.filter_map(|one| one["id"].as_str().map(str::to_owned)).collect()
        };
        let here = items_at(contract, revision);
        lens.elsewhere = &ids(contract) - &here;
        let operations = lens.operations(contract["operations"].clone());
        lens.inputs = operations
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, operation)| {
                let text = files::text(&folder.join(lens.schema(operation["input"].as_str()?))).ok()?;
                Some((name.clone(), serde_json::from_str(&text).ok()?))
            })
            .collect();
        lens.bound = operations;
        lens
    }

    /// The file that a schema of the contract is read from.
    pub(crate) fn schema<'s>(&'s self, name: &'s str) -> &'s str {
        let last = self.told.iter().rev().find_map(|one| one.schemas.get(name));
        last.map_or(name, String::as_str)
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
        written["operations"] = self.operations(written["operations"].take());
        let seen = self.seen(written, "", &mut found)?;
        let mut contract: Contract = parsed(seen, &mut found)?;
        contract.revision = self.revision;
        for (heading, now) in self.told.iter().flat_map(|one| &one.headings) {
            let of_requirements = contract.requirements.iter_mut().map(|one| &mut one.section);
            let of_excluded = contract.excluded.iter_mut().map(|one| &mut one.section);
            let all = of_requirements.chain(of_excluded).chain(&mut contract.sections);
            all.filter(|section| *section == heading).for_each(|section| section.clone_from(now));
        }
        if let Some(document) = self.document() {
            document.clone_into(&mut contract.document);
        }
        contract.sections.extend(self.sections().cloned());
        Some(contract)
    }

    /// The files that are read in the place of others.
    pub(crate) fn in_place(&self) -> BTreeMap<String, String> {
        self.told.iter().flat_map(|one| one.schemas.clone()).collect()
    }

    /// The document of the revision, where `revisions.json` names one.
    fn document(&self) -> Option<&str> {
        self.told.iter().rev().find_map(|one| one.document.as_deref())
    }

    /// Sections that revisions up to this one have added.
    fn sections(&self) -> impl Iterator<Item = &String> {
        self.told.iter().flat_map(|one| &one.sections)
    }

    /// The goldens of what other revisions have.
    pub(crate) fn other_goldens(&self) -> BTreeSet<String> {
        self.goldens.borrow().clone()
    }

    /// The operations of the revision.
    fn operations(&self, mut operations: Value) -> Value {
        for one in &self.told {
            json_patch::merge(&mut operations, &Value::Object(one.operations.clone()));
        }
        operations
    }

    /// Reads a file of the contract at this revision; nothing where it is a case of others.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        file: &Path,
        root: &Path,
        problems: &mut Vec<DataProblem>,
    ) -> Option<T> {
        let text = files::text(file).unwrap_or_default();
        // Then a problem has a line.
        if !["\"since\"", "\"until\"", "\"$bound\"", "\"$item\""].iter().any(|mark| text.contains(mark))
            && !IN_TEXT.is_match(&text)
        {
            return json(file, root, problems);
        }
        let value: Value = json(file, root, problems)?;
        let mut found = Problems::of(file, root, problems);
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
                if let Some(bound) = members.get("$bound").and_then(Value::as_str) {
                    let more = members.get("plus").and_then(Value::as_i64).unwrap_or(0);
                    let bound = self.bound(bound, more).map_err(|why| found.add(place, why));
                    return Some(bound.unwrap_or_default());
                }
                let seen = members.into_iter().filter_map(|(key, value)| {
                    let place = format!("{place}/{key}");
                    let key = self.text(key, &place, found);
                    let value = match value {
                        Value::Array(items) if SPANNED.contains(&key.as_str()) => self.items(items, &place, found),
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
            Value::String(text) => Some(self.text(text, place, found).into()),
            other => Some(other),
        }
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

    fn text(&self, text: String, place: &str, found: &mut Problems<'_>) -> String {
        if !IN_TEXT.is_match(&text) {
            return text;
        }
        let replaced = IN_TEXT.replace_all(&text, |captures: &Captures<'_>| {
            let more = captures.get(2).and_then(|more| more.as_str().parse().ok()).unwrap_or(0);
            match self.bound(&captures[1], more) {
                Ok(Value::String(name)) => name,
                Ok(bound) => bound.to_string(),
                Err(why) => {
                    found.add(place, why);
                    captures[0].to_owned()
                }
            }
        });
        replaced.into_owned()
    }

    /// A bound of an argument: `top_ke.maximum`, or `search/top_ke.maximum` where operations differ in it.
    fn bound(&self, name: &str, more: i64) -> Result<Value, String> {
        let unknown = |why: String| format!("`{name}` is not a bound of an argument: {why}");
        let (path, keyword) =
            name.rsplit_once('.').ok_or_else(|| unknown("it has no keyword, as in `limit.maximum`".into()))?;
        let (operation, argument) = path.split_once('/').map_or((None, path), |(one, rest)| (Some(one), rest));
        if keyword == "name" {
            return self.name_of(operation, argument).map_err(unknown);
        }
        let of = self.inputs.iter().filter(|(name, _)| operation.is_none_or(|wanted| wanted == name));
        let properties = || of.clone().filter_map(|(_, input)| input["properties"].as_object());
        let mut values: Vec<&Value> = properties().filter_map(|all| all.get(argument)?.get(keyword)).collect();
        values.dedup();
        match values.as_slice() {
            [Value::Number(number)] if more == 0 => Ok(number.clone().into()),
            [Value::Number(number)] => match number.as_i64() {
                Some(number) => Ok((number + more).into()),
                None => Err(unknown(format!("{number} is not a whole number"))),
            },
            [other] => Err(unknown(format!("it is {other}"))),
            [] => {
                let known: Vec<&str> = properties().flat_map(Map::keys).map(String::as_str).collect();
                Err(unknown(format!("no input schema has it{}", suggest::hint(argument, known))))
            }
            _ => Err(unknown("operations differ in it, so name one: `operation/argument.keyword`".into())),
        }
    }

    /// What an argument is called on the wire, where every transport of every operation that has it says the same.
    fn name_of(&self, operation: Option<&str>, argument: &str) -> Result<Value, String> {
        let of = self.inputs.iter().filter(|(name, _)| operation.is_none_or(|wanted| wanted == name));
        let having = of.filter(|(_, input)| !input["properties"][argument].is_null());
        let bindings = having.flat_map(|(name, _)| self.bound[name].as_object().into_iter().flatten());
        let bindings = bindings.filter(|(key, _)| ["http", "mcp", "cli"].contains(&key.as_str()));
        let names: BTreeSet<&str> =
            bindings.map(|(_, binding)| binding["rename"][argument].as_str().unwrap_or(argument)).collect();
        match names.iter().collect::<Vec<_>>().as_slice() {
            [name] => Ok((**name).into()),
            [] => Err("no input schema has it".into()),
            _ => Err("it is called differently, so name an operation: `operation/argument.name`".into()),
        }
    }
}

/// The ids of the requirements of a contract file that a revision has.
fn items_at(contract: &Value, revision: u32) -> BTreeSet<String> {
    let all = contract["requirements"].as_array().into_iter().flatten();
    let bound = |one: &Value, key: &str, other: u64| one[key].as_u64().unwrap_or(other);
    let has = |one: &&Value| (bound(one, "since", 1)..=bound(one, "until", u64::MAX)).contains(&u64::from(revision));
    all.filter(has).filter_map(|one| one["id"].as_str().map(str::to_owned)).collect()
}
