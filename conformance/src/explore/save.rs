//! Writing a finding down: a folder that is built like `fixtures/`, with the corpus and a case file that repeats it.

use super::World;
use super::shrink::Finding;
use super::stage::{Answered, NAME, Probe, steps};
use crate::contracts;
use crate::explore::fixed::Made;
use crate::load::Suite;
use crate::model::{CaseFile, Counterexample};
use json_patch::jsonptr::PointerBuf;
use json_patch::{Patch, PatchOperation, ReplaceOperation};
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::Path;

/// Makes room for a finding: takes away what an earlier run saved there.
///
/// # Errors
/// When the folder holds anything but folders that are named like contracts, which is no finding that was saved.
pub(super) fn clear(folder: &Path, suite: &Suite) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let is_ours = entry.file_type()?.is_dir()
            && entry.file_name().to_str().is_some_and(|name| suite.contract(name).is_some());
        if !is_ours {
            let message =
                format!("{} is not of a finding that was saved: move it, or save elsewhere", entry.path().display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
    }
    fs::remove_dir_all(folder)
}

/// Writes the case of a finding into a folder that holds its corpus. Its checks must notice ever after what the target answered.
pub(super) fn save(
    folder: &Path,
    finding: &Finding,
    made: Vec<Made>,
    answered: Option<Answered>,
    world: &World,
) -> io::Result<()> {
    let contract = &finding.asked.contract;
    let home = folder.join(contract.name());
    fs::create_dir_all(home.join("cases"))?;
    let file = home.join("cases").join(format!("{NAME}.json"));
    let suite = world.suite.keyed(contract);
    let step = match &finding.asked.probe {
        Probe::Call(step) => step,
        Probe::Live(name) => {
            let case = suite.and_then(|home| home.cases.iter().find(|case| case.name == *name));
            return case.map_or(Ok(()), |case| fs::copy(&case.file, &file).map(drop));
        }
    };
    for (check, golden) in made.iter().filter_map(|made| Some((&made.file, made.golden.as_ref()?))) {
        fs::create_dir_all(home.join("goldens"))?;
        fs::write(home.join("goldens").join(check.golden.as_deref().unwrap_or(NAME)), text(&json!(golden)))?;
    }
    let part = contracts::shape(contract.name()).map_or("", |shape| shape.part());
    let case = CaseFile {
        about: "A random call over a random corpus, as small as it could be made. What is due is what the reference answered.".to_owned(),
        needs: vec![if part.is_empty() { "corpus".to_owned() } else { format!("corpus/{part}") }],
        steps: suite.map_or_else(|| vec![step.as_ref().clone()], |suite| steps(suite, step)),
        ..CaseFile::default()
    };
    let mut checks = Vec::new();
    for mut check in made.into_iter().map(|made| made.file) {
        let Some(answered) = answered.as_ref().filter(|answered| answered.violated.contains(&check.requirement)) else {
            continue;
        };
        let also = answered.violated.iter().filter(|id| **id != check.requirement).cloned().collect();
        let replaced = ReplaceOperation { path: PointerBuf::new(), value: answered.evidence.clone() };
        let patch = Patch(vec![PatchOperation::Replace(replaced)]);
        check.broken_by.push(Counterexample {
            about: "what the target answered".to_owned(),
            also,
            binds_because: None,
            patch,
        });
        checks.push(check);
    }
    fs::write(file, text(&json!(CaseFile { checks, ..case })))
}

fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::clear;
    use crate::load::Suite;
    use std::fs;

    #[test]
    fn only_what_was_saved_is_taken_away() {
        let suite = Suite::load(testing::root()).unwrap();
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("finding");
        clear(&folder, &suite).unwrap();
        fs::create_dir_all(folder.join(&suite.contracts[0].contract.name).join("cases")).unwrap();
        fs::write(folder.join("mine"), "").unwrap();
        let error = clear(&folder, &suite).unwrap_err().to_string();
        assert!(error.ends_with("mine is not of a finding that was saved: move it, or save elsewhere"), "{error}");
        assert!(folder.join("mine").exists());
        fs::remove_file(folder.join("mine")).unwrap();
        clear(&folder, &suite).unwrap();
        assert!(!folder.exists());
    }
}
