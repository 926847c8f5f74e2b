//! What is wrong with the data files: every problem with its place, told at once.

use crate::files;
use crate::model::Operation;
use crate::text::suggest;
use crate::text::typed::nearest;
use serde::de::DeserializeOwned;
use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with the data files.
#[derive(Debug, thiserror::Error)]
pub struct LoadError {
    /// Each problem with its place.
    pub problems: Vec<DataProblem>,
    /// The folder of the contracts that a user brings, where they are wrong.
    pub of: Option<PathBuf>,
}

/// One problem of a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataProblem {
    /// The file, below the root.
    pub file: String,
    /// The place in it: `line 3 column 7`, or a JSON Pointer.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Some(folder) => {
                write!(f, "the contracts of {} have {} problem(s):", folder.display(), self.problems.len())?
            }
            None => write!(f, "the suite's own data files have {} problem(s):", self.problems.len())?,
        }
        self.problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl fmt::Display for DataProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.is_empty() {
            true => write!(f, "{}: {}", self.file, self.message),
            false => write!(f, "{} at {}: {}", self.file, self.place, self.message),
        }
    }
}

/// Collects the problems of one file.
pub(crate) struct Problems<'p> {
    file: String,
    all: &'p mut Vec<DataProblem>,
}

impl<'p> Problems<'p> {
    pub(crate) fn of(file: &Path, root: &Path, all: &'p mut Vec<DataProblem>) -> Self {
        let file = file.strip_prefix(root).unwrap_or(file);
        Self { file: file.display().to_string(), all }
    }

    pub(crate) fn add(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.all.push(DataProblem { file: self.file.clone(), place: place.into(), message: message.into() });
    }

    /// Says which of these arguments an operation does not have.
    pub(crate) fn arguments<'n>(
        &mut self,
        place: &str,
        call: &str,
        operation: &Operation,
        names: impl Iterator<Item = &'n str>,
    ) {
        let known = || operation.arguments.iter().map(String::as_str);
        for name in names.filter(|name| !known().any(|known| known == *name)) {
            let hint = suggest::hint(name, known().collect::<Vec<_>>());
            self.add(place, format!("`{call}` has no argument `{name}`{hint}"));
        }
    }

    /// The value, or nothing and one more problem.
    pub(crate) fn take<T>(&mut self, place: impl Into<String>, result: Result<T, String>) -> Option<T> {
        result.map_err(|message| self.add(place, message)).ok()
    }
}

/// Makes something of a value that was read; a problem says the path of what does not fit.
pub(super) fn parsed<T: DeserializeOwned>(value: serde_json::Value, problems: &mut Problems<'_>) -> Option<T> {
    serde_path_to_error::deserialize(value)
        .map_err(|error| problems.add(error.path().to_string(), nearest(&error.inner().to_string())))
        .ok()
}

/// Parses a file; a problem says the line and column, and the path of the value.
pub(super) fn json<T: DeserializeOwned>(file: &Path, root: &Path, problems: &mut Vec<DataProblem>) -> Option<T> {
    let mut problems = Problems::of(file, root, problems);
    let text = text(file, &mut problems)?;
    json_of(&text, &mut problems)
}

/// The text of a file.
pub(super) fn text(file: &Path, problems: &mut Problems<'_>) -> Option<String> {
    let read = files::text(file).map_err(|error| format!("cannot be read: {error}"));
    problems.take("", read)
}

/// Parses the text of a file; a problem says the line and column, and the path of the value.
pub(super) fn json_of<T: DeserializeOwned>(text: &str, problems: &mut Problems<'_>) -> Option<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = serde_path_to_error::deserialize(&mut deserializer);
    if let (Ok(_), Err(error)) = (&parsed, deserializer.end()) {
        problems.add(format!("line {} column {}", error.line(), error.column()), "something follows the JSON value");
        return None;
    }
    match parsed {
        Ok(value) => Some(value),
        Err(error) => {
            let inner = error.inner();
            let message = inner.to_string();
            let message = nearest(message.split(" at line ").next().unwrap_or(&message));
            let place = format!("line {} column {} ({})", inner.line(), inner.column(), error.path());
            problems.add(place, message);
            None
        }
    }
}
