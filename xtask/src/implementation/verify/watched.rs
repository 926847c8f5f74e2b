//! What `--watch` watches: the files that a run reads, and the target's own, but nothing that a run writes.

use super::arguments::Arguments;
use crate::shared::{files, program, workspace};
use anyhow::Result;
use conformance::targets::TargetFile;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// At most this many folders of a target are watched; more is no source code.
const MOST_FOLDERS: usize = 2000;

/// When a changed file starts a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    /// Whenever it changes: we only read it.
    Always,
    /// If it changes between runs. The target may write to it too, and a run must not start the next one.
    BetweenRuns,
}

/// The files and folders that a run depends on, as canonical paths.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Files that we read.
    read: BTreeSet<PathBuf>,
    /// Folders with data that we read.
    data: Vec<PathBuf>,
    /// Files that the commands of the target name.
    named: BTreeSet<PathBuf>,
    /// The folder that the target names as its own.
    home: Option<PathBuf>,
    /// Files that we write.
    written: BTreeSet<PathBuf>,
}

impl Watched {
    /// What the command line names.
    pub(super) fn of(arguments: &Arguments) -> Result<Self> {
        let mut watched = Self::default();
        let target = &arguments.target;
        for file in target.file.iter().chain(&target.known.files) {
            watched.read.extend(names(file));
        }
        // The data of an installed program does not change.
        if !program::is_installed() {
            let root = workspace::root()?;
            watched.data.extend(["schemas", "fixtures"].iter().filter_map(|name| root.join(name).canonicalize().ok()));
        }
        let own = target.own.folder(target.file.as_deref())?;
        watched.data.extend(own.and_then(|folder| folder.canonicalize().ok()));
        watched.data.extend(arguments.cases.fixtures.iter().filter_map(|folder| folder.canonicalize().ok()));
        watched.written.extend(arguments.output.files().flat_map(names));
        Ok(watched)
    }

    /// What a target names, in the place of what it named before.
    pub(super) fn target(&mut self, target: &TargetFile, file: Option<&Path>) {
        let home = target.cwd.clone().unwrap_or_else(|| PathBuf::from("."));
        let of_endpoints = target.endpoints.iter().filter_map(|endpoint| endpoint.address.command());
        let commands =
            target.start.iter().chain(&target.stop).chain(&target.seed).map(Vec::as_slice).chain(of_endpoints);
        self.named = commands.flatten().flat_map(|word| named(word, &home)).collect();
        self.named.extend(target.ca_cert.iter().flat_map(names));
        // A target is started beside its file unless it names a folder; what else is there is not its own.
        let beside = file.and_then(|file| file.parent()).map(|folder| Path::new(".").join(folder));
        let beside = beside.and_then(|folder| folder.canonicalize().ok());
        self.home = target.cwd.as_ref().and_then(|cwd| Path::new(".").join(cwd).canonicalize().ok());
        self.home.take_if(|home| beside.as_ref() == Some(home));
    }

    /// The folders to watch, without what is below them.
    pub(super) fn folders(&self) -> BTreeSet<PathBuf> {
        let beside = self.read.iter().chain(&self.named).filter_map(|file| file.parent()).map(Path::to_owned);
        let data = self.data.iter().flat_map(|folder| folders(folder));
        beside.chain(data).chain(self.home.iter().flat_map(|folder| folders(folder).take(MOST_FOLDERS))).collect()
    }

    /// Whether a file that changed starts a run.
    pub(super) fn counts(&self, path: &Path) -> Option<Counts> {
        if self.written.contains(path) || files::is_part(path) {
            return None;
        }
        let is_data = |ending: &str| ["json", "ndjson", "md", "pest"].contains(&ending);
        let ending = path.extension().and_then(|ending| ending.to_str()).filter(|ending| !ending.ends_with('~'));
        let is_below = |folder: &PathBuf| {
            let below = path.strip_prefix(folder).ok();
            below.is_some_and(|below| !below.components().any(|part| is_of_tools(&part.as_os_str().to_string_lossy())))
        };
        if self.read.contains(path) || ending.is_some_and(is_data) && self.data.iter().any(is_below) {
            Some(Counts::Always)
        } else if self.named.contains(path) || ending.is_some() && self.home.as_ref().is_some_and(is_below) {
            Some(Counts::BetweenRuns)
        } else {
            None
        }
    }
}

/// The paths under which a change of a file is noticed: in its folder, and where a link leads.
fn names(file: impl AsRef<Path>) -> Vec<PathBuf> {
    let file = Path::new(".").join(file);
    let beside = file.parent().and_then(|folder| Some(folder.canonicalize().ok()?.join(file.file_name()?)));
    beside.into_iter().chain(file.canonicalize().ok()).collect()
}

/// The files that a word of a command names, seen from a folder: the word itself, what it gives to an option, or the words that
/// a shell would make of it.
fn named(word: &str, home: &Path) -> Vec<PathBuf> {
    let words = shlex::split(word).unwrap_or_default();
    let pieces = words.iter().map(String::as_str).chain([word]);
    let pieces = pieces.flat_map(|piece| [Some(piece), piece.split_once('=').map(|(_, value)| value)]).flatten();
    let files = pieces.flat_map(|piece| [home.join(piece), PathBuf::from(piece)]).filter(|path| path.is_file());
    files.flat_map(names).collect()
}

/// A folder and those below it, but for those of tools.
fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = WalkDir::new(folder).into_iter();
    let entries = entries.filter_entry(|entry| {
        entry.file_type().is_dir() && (entry.depth() == 0 || !is_of_tools(&entry.file_name().to_string_lossy()))
    });
    entries.filter_map(|entry| Some(entry.ok()?.into_path()))
}

/// Whether a name is of what tools make and keep, which nobody edits.
fn is_of_tools(name: &str) -> bool {
    name.starts_with('.') || ["node_modules", "target", "__pycache__"].contains(&name)
}
