//! Contracts that a user brings: a folder with `schemas/<name>` and `fixtures/<name>`, read beside the built-in ones, and trusted no
//! more than a target.
//!
//! Before anything of it is parsed, it is looked through: what is in it, how large it is, and how it is called.

use super::problems::DataProblem;
use super::{Brought, LoadError, Problems, Suite, files, later};
use crate::text::{fingerprint, inert};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;
use walkdir::WalkDir;

/// So many files have all contracts of a folder at most, each no larger than this, and all of them together.
const MOST_FILES: usize = 10_000;
const LARGEST: u64 = 16 << 20;
const MOST_BYTES: u64 = 256 << 20;
/// Folders are nested no deeper.
const DEEPEST: usize = 16;
/// A contract is called by no more characters than this.
const LONGEST_NAME: usize = 40;
/// So many contracts has a folder at most.
const MOST_CONTRACTS: usize = 50;

/// What is said of a link.
const IS_LINK: &str = "is a link, and nothing outside of the folder is read: put a copy there";

/// What the ids of requirements begin with that belong to no contract, and folders that hold none.
const RESERVED: [&str; 8] = ["cli", "client", "http", "mcp", "protocol", "sentinel", "suite", "transports"];

impl Suite {
    /// Reads `schemas/` and `fixtures/` below `root`, and the contracts that a user has in another folder of that layout. With
    /// `fixtures`, cases, goldens and corpora are those of that folder, as for [`load_with`](Self::load_with).
    ///
    /// Nothing outside of `folder` is read, whatever its files name, and what judging by it takes is bounded.
    ///
    /// # Errors
    /// Every problem of every file, when there is one at all.
    pub fn load_beside(root: &Path, fixtures: Option<&Path>, folder: &Path) -> Result<Self, LoadError> {
        let (mut suite, built_in) = match fixtures {
            Some(fixtures) => Self::part_of(root, fixtures)?,
            None => Self::whole(root)?,
        };
        let mut problems = Vec::new();
        let names = suite.contracts.iter().map(|one| one.contract.name.as_str()).collect();
        let broken = |problems| LoadError { problems, of: Some(folder.to_owned()) };
        let Some(brought) = look(folder, &names, &mut problems) else { return Err(broken(problems)) };
        let own = built_in.brought(folder);
        let (contracts, revisions) = files::contracts(&own, &mut problems);
        let alone = Self::made(contracts, suite.transports.clone());
        own.lint(&alone, &mut problems);
        if !problems.is_empty() {
            return Err(broken(problems));
        }
        let added = Self::of(alone.contracts, suite.transports.clone(), revisions);
        suite.contracts.extend(added.contracts);
        suite.views.revisions.extend(added.views.revisions);
        suite.views.signs.extend(added.views.signs);
        suite.views.later.extend(added.views.later);
        let names = brought.contracts.clone();
        suite.views.reader = Some(Box::new(later::Both { built_in, own, names }));
        suite.brought = Some(brought);
        Ok(suite)
    }
}

/// Looks through a folder of contracts that a user brings, as [`Suite::load_beside`] does before it reads one.
///
/// # Errors
/// Every problem, when there is one at all.
pub fn look_through(folder: &Path) -> Result<(), LoadError> {
    let mut problems = Vec::new();
    match look(folder, &BTreeSet::new(), &mut problems) {
        Some(_) => Ok(()),
        None => Err(LoadError { problems, of: Some(folder.to_owned()) }),
    }
}

/// Whether a folder has contracts in it, by its layout.
pub fn has_contracts(folder: &Path) -> bool {
    let folders = std::fs::read_dir(folder.join("schemas")).into_iter().flatten().filter_map(Result::ok);
    folders.take(MOST_FILES).any(|entry| entry.path().join("contract.json").is_file())
}

/// Looks a folder through; nothing where there is a problem already.
fn look(folder: &Path, built_in: &BTreeSet<&str>, problems: &mut Vec<DataProblem>) -> Option<Brought> {
    if !has_contracts(folder) {
        let message = "holds no contract: schemas/<name>/contract.json was expected below it";
        Problems::of(Path::new("schemas"), folder, problems).add("", message);
        return None;
    }
    let contracts = names(folder, built_in, problems);
    let mut hash = Sha256::new();
    let (mut files, mut bytes) = (0, 0);
    for top in ["schemas", "fixtures"] {
        if folder.join(top).is_symlink() {
            Problems::of(Path::new(top), folder, problems).add("", IS_LINK);
            continue;
        }
        for entry in WalkDir::new(folder.join(top)).sort_by_file_name() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(folder);
                    Problems::of(path, folder, problems).add("", format!("cannot be read: {error}"));
                    continue;
                }
            };
            let mut found = Problems::of(entry.path(), folder, problems);
            let (kind, name) = (entry.file_type(), entry.file_name().to_string_lossy());
            if inert::line(&name) != name || name.contains(['\u{fffd}', '\\']) {
                found.add(
                    "",
                    "has characters in its name that no file of a contract has; use letters, digits, `.`, `-` and `_`",
                );
            }
            if entry.depth() > DEEPEST {
                found.add("", format!("is nested deeper than {DEEPEST} folders"));
                return None;
            }
            if kind.is_dir() {
                continue;
            }
            if kind.is_symlink() {
                found.add("", IS_LINK);
                continue;
            }
            if !kind.is_file() {
                found.add("", "is neither a file nor a folder");
                continue;
            }
            let size = entry.metadata().map_or(u64::MAX, |data| data.len());
            if size > LARGEST {
                found.add("", format!("is larger than {} MiB, and no file of a contract is", LARGEST >> 20));
                continue;
            }
            (files, bytes) = (files + 1, bytes + size);
            if files > MOST_FILES || bytes > MOST_BYTES {
                let most = MOST_BYTES >> 20;
                Problems::of(Path::new(top), folder, problems)
                    .add("", format!("has more than {MOST_FILES} files or {most} MiB, and no contracts have"));
                return None;
            }
            let read = crate::files::bytes(entry.path()).map_err(|error| format!("cannot be read: {error}"));
            let Some(read) = found.take("", read) else { continue };
            let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            hash.update(format!("{} {}\n", below.display(), read.len()));
            hash.update(&read);
            // What is no JSON is named where it is parsed.
            if name.ends_with(".json")
                && let Ok(value) = serde_json::from_slice::<Value>(&read)
            {
                let is_shown = ["contract.json", "revisions.json"].contains(&name.as_ref());
                texts(&value, is_shown, "", &mut found);
            }
        }
    }
    let folder = folder.to_owned();
    problems.is_empty().then(|| Brought { folder, fingerprint: fingerprint::first(hash, 8), contracts })
}

/// The names of the contracts, none of which is in the place of another.
fn names(folder: &Path, built_in: &BTreeSet<&str>, problems: &mut Vec<DataProblem>) -> Vec<String> {
    let all = files::folders(&folder.join("schemas"), folder, problems);
    let mut names = Vec::new();
    for path in all {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut found = Problems::of(&path, folder, problems);
        if built_in.contains(name.as_str()) {
            found.add(
                "",
                format!("`{name}` is a built-in contract, and no other can be called so: choose another name"),
            );
        } else if name == "suite" {
            continue;
        } else if RESERVED.contains(&name.as_str()) {
            found.add("", format!("`{name}` has a meaning of its own in the suite: choose another name"));
        } else if !is_name(&name) {
            let message = format!(
                "a contract is called by a small letter, then small letters, digits and `-`, {LONGEST_NAME} at most"
            );
            found.add("", message);
        }
        names.push(name);
    }
    if names.len() > MOST_CONTRACTS {
        let message = format!("has {} contracts; at most {MOST_CONTRACTS} are read", names.len());
        Problems::of(Path::new("schemas"), folder, problems).add("", message);
    }
    names
}

fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-')
}

/// The members of cases, checks and legal answers that are shown as they are written; the others may hold any text to be sent.
const LABELS: [&str; 6] = ["$schema", "about", "binds-because", "id", "requirement", "source"];

/// Says which texts would not be shown as they are written: they go to terminals and pages. `is_shown` says that every text is.
fn texts(value: &Value, is_shown: bool, place: &str, found: &mut Problems<'_>) {
    match value {
        Value::String(text) if is_shown && inert::line(text) != *text => {
            found.add(place, "holds control characters, and texts of a contract are shown to people: take them out");
        }
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(at, value)| texts(value, is_shown, &format!("{place}/{at}"), found));
        }
        Value::Object(members) => {
            for (name, value) in members {
                if is_shown && inert::line(name) != *name {
                    found.add(place, "has a name with control characters, and it is shown to people: take them out");
                }
                let is_shown = is_shown || LABELS.contains(&name.as_str()) && value.is_string();
                texts(value, is_shown, &format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}
