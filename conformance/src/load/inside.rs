//! What a folder of cases and corpora may hold: its own files, and nothing that leads out of it.

use super::{DataProblem, Problems};
use crate::model::Contract;
use std::path::{Component, Path};
use walkdir::WalkDir;

/// Whether a name of a data file leads to something below the folder that it is joined to.
pub(super) fn is_below(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// The message of a name that does not.
pub(super) fn leads_out(name: &str) -> String {
    format!("`{name}` leads out of its folder: name a file below it")
}

/// Whether a contract is called as its folder is, and its schemas are files beside it; what is not is added to `found`, and nothing
/// that it names is read.
pub(super) fn keeps_home(contract: &Contract, folder: &Path, found: &mut Problems<'_>) -> bool {
    let home = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut keeps = home == contract.name;
    if !keeps {
        found.add(
            "/name",
            format!("is `{}`, and the folder is `{home}`: both are the name of the contract", contract.name),
        );
    }
    for (name, operation) in &contract.operations {
        let named = [
            ("input", Some(&operation.input)),
            ("output", operation.output.as_ref()),
            ("item", operation.item.as_ref()),
        ];
        for (key, file) in named {
            if let Some(file) = file.filter(|file| !is_below(file)) {
                found.add(format!("/operations/{name}/{key}"), leads_out(file));
                keeps = false;
            }
        }
    }
    keeps
}

/// Says which entries of a folder are neither files nor folders, and which links lead out of it.
pub(super) fn entries(folder: &Path, root: &Path, problems: &mut Vec<DataProblem>) {
    let Ok(home) = folder.canonicalize() else { return };
    // What cannot be read is named where it is read.
    for entry in WalkDir::new(folder).into_iter().filter_map(Result::ok) {
        let kind = entry.file_type();
        let message = if kind.is_symlink() {
            let target = entry.path().canonicalize();
            match target.is_ok_and(|target| target.starts_with(&home)) {
                true => continue,
                false => "is a link that leads out of the folder: put a copy there",
            }
        } else if kind.is_file() || kind.is_dir() {
            continue;
        } else {
            "is neither a file nor a folder"
        };
        Problems::of(entry.path(), root, problems).add("", message);
    }
}
