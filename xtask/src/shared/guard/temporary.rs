//! The folder for the temporary files of a run. The guard removes it at the end, and the next guard that of a guard that was killed.

use conformance::files;
use std::fs::{self, DirEntry, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tempfile::TempDir;

/// How the names of such folders begin.
const PREFIX: &str = "retrieval-contracts-run-";
/// The file in one that its guard holds locked. The lock ends with the guard, even if that is killed.
const LOCK: &str = "retrieval-contracts.lock";
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
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        // The file gets its name once it is locked, so that no other process finds it unlocked.
        let unnamed = folder.path().join("new");
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

/// Whether a folder is certainly ours: by its name, its owner, its mark, and a lock that nobody holds.
fn is_left_behind(entry: &DirEntry) -> bool {
    let lock = entry.path().join(LOCK);
    let is_of_us = |metadata: fs::Metadata| metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw();
    entry.file_name().to_string_lossy().starts_with(PREFIX)
        && entry.metadata().is_ok_and(is_of_us)
        && files::bytes(&lock).is_ok_and(|mark| mark == MARK.as_bytes())
        && File::open(&lock).is_ok_and(|lock| lock.try_lock().is_ok())
}
