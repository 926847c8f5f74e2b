//! What a folder of cases and corpora may hold: its own files, and nothing that leads out of it.

use super::{DataProblem, Problems};
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
