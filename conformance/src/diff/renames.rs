//! What is only called otherwise: requirements and arguments. All that names them is compared as if it did so by the new name, so
//! that a rename is one change.

use super::catalogue::{self, change};
use super::change::{Change, Class};
use super::side::ContractSide;
use super::touch;
use crate::model::{Requirement, Step, SweepValues};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

use Class::Compatible;

/// Old names with the new ones.
#[derive(Default)]
pub(super) struct Renames {
    /// Ids of requirements.
    requirements: BTreeMap<String, String>,
    /// Arguments, by operation.
    arguments: BTreeMap<String, BTreeMap<String, String>>,
}

impl Renames {
    /// Finds them. `changes` are those of the schemas, which tell what arguments are called.
    pub(super) fn of(before: &ContractSide, now: &ContractSide, changes: &[Change]) -> Self {
        let mut renames = Self::default();
        for change in changes.iter().filter(|change| change.kind == "argument-renamed") {
            for subject in std::iter::once(&change.subject).chain(&change.also) {
                if let (Some((operation, _)), Some(was), Some(is)) =
                    (subject.split_once(": "), change.was.as_str(), change.now.as_str())
                {
                    let of = renames.arguments.entry(operation.to_owned()).or_default();
                    of.insert(was.to_owned(), is.to_owned());
                }
            }
        }
        let has = |side: &ContractSide, id: &str| side.contract.requirements.iter().any(|one| one.id == id);
        let all = before.contract.requirements.iter();
        let gone: Vec<&Requirement> = all.filter(|one| !has(now, &one.id)).collect();
        let all = now.contract.requirements.iter();
        let mut new: Vec<&Requirement> = all.filter(|one| !has(before, &one.id)).collect();
        for old in gone {
            let judged = judging(before, &old.id);
            let says = renames.text(&old.text);
            let is_same = |fresh: &Requirement| {
                let is_alike = (&says, old.level, old.origin) == (&fresh.text, fresh.level, fresh.origin);
                is_alike
                    || fresh.formerly.contains(&old.id)
                    || (!judged.is_empty() && judged == judging(now, &fresh.id))
            };
            if let Some(at) = new.iter().position(|fresh| is_same(fresh)) {
                renames.requirements.insert(old.id.clone(), new.remove(at).id.clone());
            }
        }
        renames
    }

    /// What target files have to follow. Renamed arguments are told by the schemas.
    pub(super) fn changes(&self, now: &ContractSide) -> Vec<Change> {
        let told = self.requirements.iter().map(|(was, is)| {
            let fresh = now.contract.requirements.iter().find(|fresh| fresh.id == *is);
            let is_known = fresh.is_some_and(|fresh| fresh.formerly.contains(was));
            let hint = match is_known {
                true => String::new(),
                false => format!("; with \"formerly\": [\"{was}\"] beside its id, they are told the new one"),
            };
            let says = format!("the requirement is called {is}; target files that name it must be changed{hint}");
            change(now, "requirement-renamed", was, (json!(was), json!(is)), says, (Compatible, Compatible))
        });
        told.collect()
    }

    /// The side before, as if it used the new names, where the side now does so.
    pub(super) fn applied(&self, before: &ContractSide, now: &ContractSide) -> ContractSide {
        let mut side = before.clone();
        if self.requirements.is_empty() && self.arguments.is_empty() {
            return side;
        }
        for requirement in &mut side.contract.requirements {
            if let Some(is) = self.requirements.get(&requirement.id) {
                requirement.id.clone_from(is);
            }
            let fresh = now.contract.requirements.iter().find(|fresh| fresh.id == requirement.id);
            if fresh.is_none_or(|fresh| fresh.text != requirement.text) {
                requirement.text = self.text(&requirement.text);
            }
        }
        let new = |id: &String| self.requirements.get(id).unwrap_or(id).clone();
        side.templates = side.templates.iter().map(|(id, text)| (new(id), self.text(text))).collect();
        for (name, case) in &mut side.cases {
            *case = self.ids(case);
            if now.cases.get(name).is_none_or(|fresh| fresh.steps != case.steps) {
                case.steps.iter_mut().for_each(|step| self.step(step));
            }
        }
        side.always = side.always.as_ref().map(|always| self.ids(always));
        side.schemas.values_mut().for_each(|schema| *schema = self.ids(schema));
        side
    }

    /// A sentence with arguments under their new names.
    fn text(&self, text: &str) -> String {
        let all = self.arguments.values().flatten();
        all.fold(text.to_owned(), |text, (was, is)| text.replace(&format!("`{was}`"), &format!("`{is}`")))
    }

    fn ids<T: Serialize + DeserializeOwned + Clone>(&self, of: &T) -> T {
        let value = serde_json::to_value(of).map(|value| self.value(value));
        // What was one stays one, since nothing but texts is replaced.
        value.and_then(serde_json::from_value).unwrap_or_else(|_| of.clone())
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.requirements.get(&text).cloned().unwrap_or(text)),
            Value::Array(values) => values.into_iter().map(|value| self.value(value)).collect(),
            Value::Object(members) => {
                Value::Object(members.into_iter().map(|(name, value)| (name, self.value(value))).collect())
            }
            other => other,
        }
    }

    fn step(&self, step: &mut Step) {
        let Some(names) = self.arguments.get(&step.call) else { return };
        let renamed = |with: &Map<String, Value>| -> Map<String, Value> {
            with.iter().map(|(name, value)| (names.get(name).unwrap_or(name).clone(), value.clone())).collect()
        };
        step.with = renamed(&step.with);
        if let Some(sweep) = &mut step.sweep {
            sweep.argument = sweep.argument.as_ref().map(|name| names.get(name).unwrap_or(name).clone());
            if let SweepValues::List(rows) = &mut sweep.over {
                rows.iter_mut().filter_map(Value::as_object_mut).for_each(|row| *row = renamed(row));
            }
        }
    }
}

/// How a requirement is judged, whatever it is called.
fn judging(side: &ContractSide, id: &str) -> BTreeSet<String> {
    let told = catalogue::checks(side, id).map(|(_, check)| {
        let mut judging = touch::judging(check);
        judging["requirement"].take();
        judging.to_string()
    });
    told.collect()
}
