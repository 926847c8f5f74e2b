//! The data that an installed program carries. It is unpacked into a folder, because everything else reads a folder, as in a checkout.
//!
//! A fingerprint of the data names the folder, so that several versions can coexist. Each run compares the folder with the data byte
//! by byte, which is faster than loading the suite. If they differ, the data is unpacked again.

use anyhow::{Context, Result, bail};
use conformance::files;
use etcetera::BaseStrategy;
use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use tempfile::TempDir;
use walkdir::WalkDir;

/// The environment variable that names another folder than one in the user's cache.
const OVERRIDE: &str = "RETRIEVAL_CONTRACTS_CACHE";

/// The name of our folder in a cache that programs share.
const OURS: &str = "retrieval-contracts";

/// Files that a program carries.
pub struct Carried {
    /// A fingerprint of their paths and contents.
    pub fingerprint: &'static str,
    /// Path from the root, with `/`, and bytes; sorted by path.
    pub files: &'static [(&'static str, &'static [u8])],
}

/// A temporary folder of this process.
static OWN: Mutex<Option<TempDir>> = Mutex::new(None);

/// The folder with the data. The data is unpacked if the folder is missing or differs.
pub(crate) fn folder(carried: &Carried) -> Result<PathBuf> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    if let Some(folder) = FOLDER.get() {
        return Ok(folder.clone());
    }
    let folder = match std::env::var_os(OVERRIDE).filter(|folder| !folder.is_empty()) {
        Some(given) => {
            let cache = std::path::absolute(given)?;
            cached(carried, &cache).with_context(|| {
                format!("the data cannot be unpacked in {}, which {OVERRIDE} names", cache.display())
            })?
        }
        None => match home().map(|cache| cached(carried, &cache)) {
            Some(Ok(folder)) => folder,
            // There is no cache, so each run unpacks the data into a folder that no other user can write to.
            Some(Err(_)) | None => {
                own(carried).context("the data cannot be unpacked in a folder for temporary files")?
            }
        },
    };
    Ok(FOLDER.get_or_init(|| folder).clone())
}

/// Deletes the temporary folder of this process.
pub(crate) fn leave() {
    if let Ok(mut own) = OWN.lock() {
        own.take();
    }
}

/// The cache that is named, or the user's.
pub(crate) fn cache() -> Option<PathBuf> {
    let named = std::env::var_os(OVERRIDE).filter(|folder| !folder.is_empty());
    named.map_or_else(home, |folder| std::path::absolute(folder).ok())
}

/// Our folder in the user's cache.
fn home() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join(OURS))
}

/// The data in a cache.
fn cached(carried: &Carried, cache: &Path) -> Result<PathBuf> {
    let folder = cache.join(carried.fingerprint);
    if holds(&folder, carried) {
        return Ok(folder);
    }
    fs::create_dir_all(cache)?;
    // One process unpacks, and the others wait and find the work done. The lock ends with its process, even if that is killed.
    let lock = File::options().create(true).append(true).open(cache.join(LOCK))?;
    lock.lock()?;
    if holds(&folder, carried) {
        return Ok(folder);
    }
    for entry in fs::read_dir(cache)?.flatten().filter(is_left_behind) {
        fs::remove_dir_all(entry.path())?;
    }
    let part = tempfile::Builder::new().prefix(PART).tempdir_in(cache)?;
    fs::write(part.path().join(MARK), MARKED)?;
    let fresh = part.path().join("fresh");
    unpack(carried, &fresh)?;
    if fs::symlink_metadata(&folder).is_ok() {
        // Moved away in one step, so that no process sees half of it.
        fs::rename(&folder, part.path().join("damaged"))?;
    }
    fs::rename(&fresh, &folder)?;
    if !holds(&folder, carried) {
        bail!("{} does not keep what is written to it", folder.display());
    }
    Ok(folder)
}

/// The file that is locked while a process unpacks.
const LOCK: &str = "retrieval-contracts.lock";
/// The prefix of folders that are incomplete.
const PART: &str = ".retrieval-contracts-part-";
/// The file in such a folder by which it is recognised, and what is in it.
const MARK: &str = "retrieval-contracts.part";
const MARKED: &str = "The retrieval-contracts program made this folder to unpack its data, and deletes it.\n";

/// Whether this is a folder that a process of ours left behind because it was killed. The folder may be the user's own, so nothing
/// else in it is touched.
fn is_left_behind(entry: &DirEntry) -> bool {
    let is_ours = entry.file_name().to_string_lossy().starts_with(PART);
    is_ours
        && entry.file_type().is_ok_and(|kind| kind.is_dir())
        && files::bytes(&entry.path().join(MARK)).is_ok_and(|text| text == MARKED.as_bytes())
}

/// The data in a folder of this process.
fn own(carried: &Carried) -> Result<PathBuf> {
    let folder = tempfile::Builder::new().prefix(OURS).tempdir()?;
    let path = folder.path().to_owned();
    unpack(carried, &path)?;
    if let Ok(mut own) = OWN.lock() {
        *own = Some(folder);
    }
    Ok(path)
}

fn unpack(carried: &Carried, folder: &Path) -> io::Result<()> {
    for (name, bytes) in carried.files {
        let path = folder.join(name);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above)?;
        }
        fs::write(&path, bytes)?;
    }
    Ok(())
}

/// Whether a folder holds exactly what is carried.
fn holds(folder: &Path, carried: &Carried) -> bool {
    let mut found = 0;
    for entry in WalkDir::new(folder) {
        let Ok(entry) = entry else { return false };
        if entry.file_type().is_dir() {
            continue;
        }
        if !entry.file_type().is_file() || !is_as_carried(entry.path(), folder, carried) {
            return false;
        }
        found += 1;
    }
    found == carried.files.len()
}

fn is_as_carried(path: &Path, folder: &Path, carried: &Carried) -> bool {
    let Some(name) = path.strip_prefix(folder).ok().and_then(Path::to_str) else { return false };
    let name = if std::path::MAIN_SEPARATOR == '/' { name.to_owned() } else { name.replace('\\', "/") };
    let known = carried.files.binary_search_by(|(carried, _)| (*carried).cmp(&name));
    known.is_ok_and(|at| fs::read(path).is_ok_and(|bytes| bytes == carried.files[at].1))
}
