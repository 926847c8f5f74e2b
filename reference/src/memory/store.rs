//! The memories, in a SQLite database in memory.

use chrono::DateTime;
use rusqlite::{Connection, params};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A memory, as a line of `memories.ndjson` names it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Memory {
    memory_id: String,
    #[serde(rename = "title")]
    _title: String,
}

/// Something that was written into a memory, a line of `entries.ndjson`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Entry {
    memory_id: String,
    entry_id: String,
    creation_time: String,
    summary: String,
    raw_entry: String,
}

/// What a memory was about at some time, a line of `contexts.ndjson`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Context {
    memory_id: String,
    context_id: String,
    timestamp: String,
    context: String,
}

/// Why the memories could not be loaded or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("could not read the memories of {path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("line {line} of {path} is of another form: {source}; each line is one JSON object")]
    Line { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("line {line} of {path} belongs to the memory {memory:?}, which memories.ndjson does not name")]
    Stray { path: PathBuf, line: usize, memory: String },
    #[error("line {line} of {path} has the time {time:?}, which is not RFC 3339")]
    Time { path: PathBuf, line: usize, time: String },
    #[error("could not load line {line} of {path}: {source}; each id must stand once")]
    Insert { path: PathBuf, line: usize, source: rusqlite::Error },
    #[error("could not ask the database of memories: {0}")]
    Ask(#[from] rusqlite::Error),
}

/// A database of memories, asked by one request at a time.
pub(crate) struct Store(Mutex<Connection>);

impl Store {
    /// No memories.
    pub(crate) fn empty() -> Result<Self, StoreError> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(include_str!("schema.sql"))?;
        Ok(Self(Mutex::new(connection)))
    }

    /// The memories of a folder: `memories.ndjson`, `entries.ndjson` and `contexts.ndjson`.
    pub(crate) fn load(folder: &Path) -> Result<Self, StoreError> {
        let store = Self::empty()?;
        let path = |name: &str| folder.join(name);
        let memories: HashSet<String> =
            lines::<Memory>(&path("memories.ndjson"))?.into_iter().map(|memory| memory.memory_id).collect();
        let entries = Lines { path: &path("entries.ndjson"), memories: &memories };
        for (line, entry) in (1..).zip(lines::<Entry>(entries.path)?) {
            let created = entries.check(line, &entry.memory_id, &entry.creation_time)?;
            let insert = "INSERT INTO entries (memory_id, entry_id, summary, raw_entry, creation_time, created)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let Entry { memory_id, entry_id, creation_time, summary, raw_entry } = entry;
            let values = params![memory_id, entry_id, summary, raw_entry, creation_time, created];
            store.read(|connection| connection.execute(insert, values)).map_err(|error| entries.insert(line, error))?;
        }
        let contexts = Lines { path: &path("contexts.ndjson"), memories: &memories };
        for (line, context) in (1..).zip(lines::<Context>(contexts.path)?) {
            let created = contexts.check(line, &context.memory_id, &context.timestamp)?;
            let insert = "INSERT INTO contexts (memory_id, context_id, context, timestamp, created)
                 VALUES (?1, ?2, ?3, ?4, ?5)";
            let Context { memory_id, context_id, timestamp, context } = context;
            let values = params![memory_id, context_id, context, timestamp, created];
            store
                .read(|connection| connection.execute(insert, values))
                .map_err(|error| contexts.insert(line, error))?;
        }
        Ok(store)
    }

    /// Asks the database, alone.
    pub(crate) fn read<T>(&self, reading: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        // A panic of another request leaves nothing half done, so a poisoned lock is as good as any.
        Ok(reading(&self.0.lock().unwrap_or_else(PoisonError::into_inner))?)
    }
}

/// A file whose lines belong to memories.
struct Lines<'l> {
    path: &'l Path,
    memories: &'l HashSet<String>,
}

impl Lines<'_> {
    /// The instant of a line whose memory is known, in microseconds.
    fn check(&self, line: usize, memory: &str, time: &str) -> Result<i64, StoreError> {
        let path = self.path.to_owned();
        if !self.memories.contains(memory) {
            return Err(StoreError::Stray { path, line, memory: memory.to_owned() });
        }
        match DateTime::parse_from_rfc3339(time) {
            Ok(instant) => Ok(instant.timestamp_micros()),
            Err(_) => Err(StoreError::Time { path, line, time: time.to_owned() }),
        }
    }

    fn insert(&self, line: usize, error: StoreError) -> StoreError {
        match error {
            StoreError::Ask(source) => StoreError::Insert { path: self.path.to_owned(), line, source },
            other => other,
        }
    }
}

/// The objects of a file of JSON lines.
fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, StoreError> {
    let unreadable = |source| StoreError::File { path: path.to_owned(), source };
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    let lines = (1..).zip(file.lines()).map(|(line, text)| {
        let wrong = |source| StoreError::Line { path: path.to_owned(), line, source };
        serde_json::from_str(&text.map_err(unreadable)?).map_err(wrong)
    });
    lines.collect()
}
