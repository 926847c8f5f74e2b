//! A store on disk: the `.qipu` folder, found from the current directory upwards, and the notes in it.
//!
//! The layout is that of qipu 0.3: `notes/*.md`, `mocs/*.md`, `attachments/`. `config.toml` and `templates/` say nothing
//! that an answer needs. The document's own sentence on stores: `store` is relative to the current directory.

use super::note::Note;
use super::refusal::Refusal;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the folder that is a store.
pub(crate) const FOLDER: &str = ".qipu";

/// The folders that hold notes; maps of content have one of their own.
const NOTE_FOLDERS: [&str; 2] = ["notes", "mocs"];

/// The folder of files that notes show or point to.
const ATTACHMENTS: &str = "attachments";

/// All notes of a store, read and checked.
pub(crate) struct Store {
    /// The way from the current directory to the store, with a slash at its end: `.qipu/`, `../.qipu/`.
    pub(crate) relative: String,
    /// The notes in order of creation time, then id; undated notes are last.
    pub(crate) notes: Vec<Note>,
    folder: PathBuf,
    places: BTreeMap<String, usize>,
}

/// A file that belongs to the store without being a note.
pub(crate) struct Attachment {
    /// Path from the store's parent, with forward slashes: `.qipu/attachments/file.pdf`.
    pub(crate) path: String,
    /// The last part of the path.
    pub(crate) name: String,
    /// The bytes.
    pub(crate) data: Vec<u8>,
}

impl Store {
    /// Opens the store that `directory`, or else the nearest directory above it, holds.
    pub(crate) fn open(directory: &Path) -> Result<Store, Refusal> {
        let (folder, relative) = found(directory)?;
        let files = note_files(&folder)?;
        Store::load(folder, relative, files)
    }

    /// Opens it for a few notes. Where files are named as qipu names them, `ID.md` or `ID-TITLE.md`, only theirs are read.
    pub(crate) fn open_for(directory: &Path, ids: &[String]) -> Result<Store, Refusal> {
        let (folder, relative) = found(directory)?;
        let files = note_files(&folder)?;
        let is_of_one = |(file, _): &&(String, PathBuf)| {
            let name = file.rsplit('/').next().and_then(|name| name.strip_suffix(".md")).unwrap_or_default();
            ids.iter()
                .filter_map(|id| name.strip_prefix(id.as_str()))
                .any(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let named = files.iter().filter(is_of_one).cloned().collect();
        match Store::load(folder.clone(), relative.clone(), named) {
            Ok(store) if ids.iter().all(|id| store.places.contains_key(id)) => Ok(store),
            _ => Store::load(folder, relative, files),
        }
    }

    /// The place of a note in `notes`.
    pub(crate) fn place(&self, id: &str) -> Result<usize, Refusal> {
        self.places.get(id).copied().ok_or_else(|| Refusal::UnknownNote(id.to_owned()))
    }

    /// All attachments, in order of their paths.
    ///
    /// Hidden files only keep the folder in version control, and links lead out of the store; neither is an attachment.
    pub(crate) fn attachments(&self) -> Result<Vec<Attachment>, Refusal> {
        let mut found = Vec::new();
        self.gather(&self.folder.join(ATTACHMENTS), &format!("{FOLDER}/{ATTACHMENTS}"), &mut found)?;
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }

    fn load(folder: PathBuf, relative: String, note_files: Vec<(String, PathBuf)>) -> Result<Store, Refusal> {
        let mut problems = Vec::new();
        let mut files = BTreeMap::<String, String>::new();
        let mut notes = Vec::new();
        // Whether something is a file is asked of what is read alone: a store may have many.
        for (file, path) in note_files.into_iter().filter(|(_, path)| path.is_file()) {
            let bytes = fs::read(&path).map_err(unreadable(&path))?;
            match Note::parse(&bytes) {
                Err(problem) => problems.push(format!("{file}: {problem}")),
                Ok(note) => match files.get(&note.id) {
                    Some(first) => problems.push(format!("{file}: the id {:?} is taken by {first}", note.id)),
                    None => {
                        files.insert(note.id.clone(), file);
                        notes.push(note);
                    }
                },
            }
        }
        if !problems.is_empty() {
            return Err(Refusal::BrokenNotes(problems));
        }
        notes.sort_by(|one, other| one.age().cmp(&other.age()));
        let places = notes.iter().enumerate().map(|(place, note)| (note.id.clone(), place)).collect();
        Ok(Store { relative, notes, folder, places })
    }

    fn gather(&self, folder: &Path, shown: &str, found: &mut Vec<Attachment>) -> Result<(), Refusal> {
        for (name, path) in entries(folder)? {
            let kind = fs::symlink_metadata(&path).map_err(unreadable(&path))?.file_type();
            let shown = format!("{shown}/{name}");
            if name.starts_with('.') {
                continue;
            } else if kind.is_dir() {
                self.gather(&path, &shown, found)?;
            } else if kind.is_file() {
                let data = fs::read(&path).map_err(unreadable(&path))?;
                found.push(Attachment { path: shown, name, data });
            }
        }
        Ok(())
    }
}

/// The store that a directory, or else the nearest one above it, holds, and the way to it.
fn found(directory: &Path) -> Result<(PathBuf, String), Refusal> {
    for (depth, ancestor) in directory.ancestors().enumerate() {
        let folder = ancestor.join(FOLDER);
        if folder.is_dir() {
            return Ok((folder, format!("{}{FOLDER}/", "../".repeat(depth))));
        }
    }
    Err(Refusal::NoStore(directory.to_owned()))
}

/// The files of notes in a store, each with its name below the store: `notes/ID-TITLE.md`.
fn note_files(store: &Path) -> Result<Vec<(String, PathBuf)>, Refusal> {
    let mut files = Vec::new();
    for sub in NOTE_FOLDERS {
        let all = entries(&store.join(sub))?;
        let notes = all.into_iter().filter(|(name, _)| name.ends_with(".md"));
        files.extend(notes.map(|(name, path)| (format!("{sub}/{name}"), path)));
    }
    Ok(files)
}

/// The entries of a folder in order of their names; a folder that is not there has none.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, Refusal> {
    let listing = match fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(folder)(error)),
    };
    let mut found = Vec::new();
    for entry in listing {
        let entry = entry.map_err(unreadable(folder))?;
        found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    found.sort();
    Ok(found)
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Refusal {
    let path = path.to_owned();
    move |source| Refusal::Unreadable { path, source }
}
