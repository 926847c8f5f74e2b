//! The folder for the temporary files of a run. The guard removes it at the end, and the next guard that of a guard that was killed.

use conformance::files;
use std::fs::{self, DirEntry, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// How the names of such folders begin.
const PREFIX: &str = "retrieval-contracts-run-";
/// The file in one that its guard holds locked. The lock ends with the guard, even if that is killed.
const LOCK: &str = "retrieval-contracts.lock";
/// The same file before it is locked.
const UNNAMED: &str = "new";
/// A folder without that file is one that is just being made, unless it is older than this.
const OLD: Duration = Duration::from_secs(60 * 60);
/// What is in that file.
const MARK: &str =
    "The retrieval-contracts program made this folder for the temporary files of a run, and deletes it.\n";

/// The folder of a run.
#[derive(Debug)]
pub(super) struct Folder {
    folder: TempDir,
    _lock: File,
}

impl Folder {
    pub(super) fn new() -> io::Result<Self> {
        Self::within(&tempfile::env::temp_dir())
    }

    fn within(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // The file gets its name once it is locked, so that no other process finds it unlocked.
        let unnamed = folder.path().join(UNNAMED);
        fs::write(&unnamed, MARK)?;
        let lock = File::open(&unnamed)?;
        lock.lock()?;
        fs::rename(&unnamed, folder.path().join(LOCK))?;
        Ok(Self { folder, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes it with all that is in it.
    pub(super) fn remove(&self) {
        // The next guard tries again.
        let _ = fs::remove_dir_all(self.path());
    }
}

/// Removes the folders of guards that were killed.
pub(super) fn remove_left_behind() {
    for entry in fs::read_dir(tempfile::env::temp_dir()).into_iter().flatten().flatten() {
        if is_left_behind(&entry) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a folder is certainly ours, by its name and its owner, and that of nobody who runs: its mark has a lock that nobody holds, or a
/// guard was killed long ago before it had locked it.
fn is_left_behind(entry: &DirEntry) -> bool {
    let is_of_us = |metadata: &fs::Metadata| metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw();
    let Some(metadata) = entry.metadata().ok().filter(is_of_us) else { return false };
    if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
        return false;
    }
    let lock = entry.path().join(LOCK);
    match lock.exists() {
        true => files::bytes(&lock).is_ok_and(|mark| mark == MARK.as_bytes()) && is_unlocked(&lock),
        false => is_old(&metadata) && has_begun_only(&entry.path()),
    }
}

fn is_unlocked(file: &Path) -> bool {
    File::open(file).is_ok_and(|file| file.try_lock().is_ok())
}

fn is_old(folder: &fs::Metadata) -> bool {
    folder.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD))
}

/// Whether a folder holds nothing, or the file alone that was to be the lock.
fn has_begun_only(folder: &Path) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == UNNAMED && is_unlocked(&entry.path())))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{File, Folder, LOCK, MARK, OLD, PREFIX, Path, UNNAMED, fs, is_left_behind};
    use rstest::rstest;
    use std::time::SystemTime;
    use tempfile::TempDir;

    fn looked_at(parent: &Path) -> bool {
        is_left_behind(&fs::read_dir(parent).unwrap().next().unwrap().unwrap())
    }

    #[rstest]
    #[case::nothing(&[], true)]
    #[case::no_mark_yet(&[(UNNAMED, "")], true)]
    #[case::no_lock_yet(&[(UNNAMED, MARK)], true)]
    #[case::something_else(&[("notes", "")], false)]
    #[case::a_mark_that_is_not_ours(&[(LOCK, "mine")], false)]
    fn what_a_guard_began_long_ago_is_left_behind(#[case] files: &[(&str, &str)], #[case] is_left: bool) {
        let parent = TempDir::new().unwrap();
        let folder = parent.path().join(format!("{PREFIX}1"));
        fs::create_dir(&folder).unwrap();
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        assert!(!looked_at(parent.path()), "it may just be made");
        File::open(&folder).unwrap().set_modified(SystemTime::now() - 2 * OLD).unwrap();
        assert_eq!(looked_at(parent.path()), is_left);
    }

    #[test]
    fn what_a_guard_holds_is_not_left_behind() {
        let parent = TempDir::new().unwrap();
        let folder = Folder::within(parent.path()).unwrap();
        File::open(folder.path()).unwrap().set_modified(SystemTime::now() - 2 * OLD).unwrap();
        assert!(!looked_at(parent.path()));
    }
}
