//! What tells that a corpus is there: reading it, and the documents that are looked for.

use super::documents::documents;
use super::{Case, Problems, inside};
use crate::model::{Contract, Look, SentinelFile, Step};
use crate::text::suggest;
use regex::Regex;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Looks for the documents of a corpus.
#[derive(Debug, Clone)]
pub struct Sentinel {
    looks: Vec<Look>,
    folder: PathBuf,
}

/// A call, and the documents that its answer has to show.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// Which look it belongs to, by position.
    pub(crate) look: usize,
    /// Whether a refusal says that they are not there.
    pub(crate) refused_is_missing: bool,
    /// The documents.
    pub(crate) documents: Vec<Document>,
}

/// A document that is looked for.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// What it is called: its file and its name in there.
    pub(crate) name: String,
    /// What an answer that shows it holds, one of these.
    pub(crate) marks: Vec<Value>,
}

/// The arguments of a call, and the documents that it shows.
type Looked = (Map<String, Value>, Vec<Document>);

impl Sentinel {
    /// What its calls are called as a case, in logs and reports.
    pub(crate) const CASE: &'static str = "sentinel";

    /// Reads the sentinel of a corpus, and adds what makes no sense to `found`.
    pub(super) fn read(folder: &Path, contract: &Contract, file: SentinelFile, found: &mut Problems<'_>) -> Self {
        for (at, look) in file.looks.iter().enumerate() {
            let place = format!("/looks/{at}");
            match contract.operations.get(&look.call) {
                None => found.add(&place, format!("there is no operation `{}`", look.call)),
                Some(operation) => {
                    let step = Step { walk: look.walk.clone(), ..Step::of(&look.call, look.with.clone()) };
                    found.arguments(&format!("{place}/with"), &look.call, operation, step.arguments());
                }
            }
            if !inside::is_below(&look.of) {
                found.add(&place, inside::leads_out(&look.of));
            } else if !folder.join(&look.of).is_file() {
                found.add(&place, format!("the corpus has no file `{}`", look.of));
            }
            if look.marks.is_empty() {
                found.add(&place, "names no marks");
            }
            for contradiction in &look.violates {
                let others = file.looks.iter().filter(|other| other.of == look.of);
                let ids: Vec<&str> = others.filter_map(|other| other.id.as_deref()).collect();
                if !ids.contains(&contradiction.unlike.as_str()) {
                    let hint = suggest::hint(&contradiction.unlike, ids.iter().copied());
                    found.add(&place, format!("no look of {} is called `{}`{hint}", look.of, contradiction.unlike));
                }
                let id = contradiction.requirement.as_str();
                if !contract.requirements.iter().any(|one| one.id == id && one.binds()) {
                    found.add(&place, format!("`{id}` is not a requirement that binds"));
                }
            }
            if let Some(id) = look.lost.as_ref().filter(|id| !contract.requirements.iter().any(|one| one.id == **id)) {
                found.add(&place, format!("`{id}` is not a requirement"));
            }
            if let Some(Err(error)) = look.only.as_deref().map(Regex::new) {
                found.add(&place, format!("`only` is no regular expression: {error}"));
            }
        }
        Self { looks: file.looks, folder: folder.to_owned() }
    }

    /// The looks, in their order.
    pub(crate) fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// How many documents are looked for.
    ///
    /// # Errors
    /// When a file of the corpus cannot be read, or a document lacks what a look speaks of, for people to read.
    pub fn documents(&self) -> Result<usize, String> {
        let (_, sights) = self.sights()?;
        let names = sights.iter().flat_map(|sight| &sight.documents).map(|document| &document.name);
        Ok(names.collect::<BTreeSet<_>>().len())
    }

    /// The calls, as the steps of a case, and what the answers of each have to show.
    ///
    /// # Errors
    /// When a file of the corpus cannot be read, or a document lacks what a look speaks of, for people to read.
    pub(crate) fn sights(&self) -> Result<(Case, Vec<Sight>), String> {
        let (mut steps, mut sights) = (Vec::new(), Vec::new());
        for (at, look) in self.looks.iter().enumerate() {
            for (with, documents) in self.seen_by(look)? {
                steps.push(Step { walk: look.walk.clone(), ..Step::of(&look.call, with) });
                sights.push(Sight { look: at, refused_is_missing: look.refused_is_missing, documents });
            }
        }
        let case = Case {
            name: Self::CASE.to_owned(),
            file: self.folder.join("sentinel.json"),
            needs: vec!["corpus".to_owned()],
            steps,
            ..Case::default()
        };
        Ok((case, sights))
    }

    /// The documents of a look, by the arguments of the calls that show them.
    fn seen_by(&self, look: &Look) -> Result<Vec<Looked>, String> {
        let file = self.folder.join(&look.of);
        let wrong = |what: String| format!("{}: {what}", file.display());
        let only = look.only.as_deref().map(Regex::new).transpose().map_err(|error| wrong(error.to_string()))?;
        let mut calls: Vec<Looked> = Vec::new();
        for (line, document) in (1..).zip(documents(&file)?) {
            let lacks = |pointer: &str| wrong(format!("line {line} has no {pointer}"));
            let at = |pointer: &str| document.pointer(pointer).ok_or_else(|| lacks(pointer));
            let name = match at(&look.name)? {
                Value::String(name) => name.clone(),
                other => other.to_string(),
            };
            if only.as_ref().is_some_and(|only| !only.is_match(&name)) {
                continue;
            }
            let mut with = look.with.clone();
            for value in with.values_mut() {
                if let Some(pointer) = value.get("$of").and_then(Value::as_str) {
                    *value = at(pointer)?.clone();
                }
            }
            let marks = look.marks.iter().map(|mark| at(mark).cloned()).collect::<Result<_, _>>()?;
            let document = Document { name: format!("{} {name}", look.of), marks };
            match calls.iter_mut().find(|(arguments, _)| *arguments == with) {
                Some((_, documents)) => documents.push(document),
                None => calls.push((with, vec![document])),
            }
        }
        Ok(calls)
    }
}
