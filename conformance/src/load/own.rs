//! The texts of our own public files: whoever shows them gives away nothing of a target.

use super::Suite;
use crate::files;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use walkdir::WalkDir;

/// Texts that are known word for word.
#[derive(Debug, Clone, Default)]
pub struct OwnTexts {
    /// What the cases ask and expect, which says nothing of what a target holds.
    pub asked: BTreeSet<String>,
    /// What the corpora hold, and the goldens that are made of them.
    pub corpora: BTreeSet<String>,
}

impl Suite {
    /// The texts of the cases and of the corpora. A file that cannot be read adds nothing.
    pub fn own_texts(&self) -> OwnTexts {
        let mut own = OwnTexts::default();
        for contract in &self.contracts {
            for case in &contract.cases {
                case.steps.iter().for_each(|step| add(&json!(step), &mut own.asked));
            }
            let (corpus, goldens) = (contract.corpus.as_path(), contract.goldens.as_path());
            if let Some(probes) = corpus.parent() {
                read(probes, &[corpus, goldens], &mut own.asked);
            }
            read(corpus, &[], &mut own.corpora);
            read(goldens, &[], &mut own.corpora);
        }
        own
    }
}

/// Reads the files of a folder: JSON, JSON line by line, and lines of text.
fn read(folder: &Path, without: &[&Path], texts: &mut BTreeSet<String>) {
    let entries = WalkDir::new(folder).into_iter().filter_entry(|entry| !without.contains(&entry.path())).flatten();
    for file in entries.filter(|entry| entry.file_type().is_file()) {
        let Ok(text) = files::text(file.path()) else { continue };
        if let Ok(value) = serde_json::from_str(&text) {
            add(&value, texts);
            continue;
        }
        for line in text.lines() {
            match serde_json::from_str(line) {
                Ok(value) => add(&value, texts),
                Err(_) => _ = texts.insert(line.to_owned()),
            }
        }
    }
}

/// Every text in a value, and every name of a field.
fn add(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => _ = texts.insert(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| add(value, texts)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            texts.insert(name.clone());
            add(value, texts);
        }),
        _ => {}
    }
}
