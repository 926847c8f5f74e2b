//! The memories, in a SQLite database in memory.

use super::ranges::Ranges;
use super::variant::Variant;
use crate::data::{DataError, lines};
use chrono::DateTime;
use rusqlite::{Connection, Params, params};
use serde::Deserialize;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A memory, as a line of `memories.ndjson` names it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Memory {
    memory_id: String,
    #[serde(rename = "title")]
    _title: String,
}

/// An entry of a memory, a line of `entries.ndjson`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Entry {
    memory_id: String,
    entry_id: String,
    creation_time: String,
    summary: String,
    raw_entry: String,
}

/// The state of a memory at some time, a line of `contexts.ndjson`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Context {
    memory_id: String,
    context_id: String,
    timestamp: String,
    context: String,
}

/// A database of memories, asked by one request at a time.
pub(crate) struct Store {
    connection: Mutex<Connection>,
    pub(super) variant: Option<Variant>,
    pub(super) ranges: Ranges,
}

impl Store {
    /// No memories.
    pub(crate) fn empty() -> Result<Self, DataError> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(include_str!("schema.sql"))?;
        Ok(Self { connection: Mutex::new(connection), variant: None, ranges: Ranges::of(1) })
    }

    /// The memories of a folder: `memories.ndjson`, `entries.ndjson` and `contexts.ndjson`.
    pub(crate) fn load(folder: &Path) -> Result<Self, DataError> {
        let store = Self::empty()?;
        let memories: HashSet<String> = lines(&folder.join("memories.ndjson"))?
            .map(|line| line.map(|(_, memory): (_, Memory)| memory.memory_id))
            .collect::<Result<_, _>>()?;
        let path = folder.join("entries.ndjson");
        for line in lines(&path)? {
            let (line, Entry { memory_id, entry_id, creation_time, summary, raw_entry }) = line?;
            let insert = "INSERT INTO entries (memory_id, entry_id, summary, raw_entry, creation_time, created)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            microseconds(&memories, &memory_id, &creation_time)
                .and_then(|created| {
                    store.insert(insert, params![memory_id, entry_id, summary, raw_entry, creation_time, created])
                })
                .map_err(|problem| DataError::line(&path, line, problem))?;
        }
        let path = folder.join("contexts.ndjson");
        for line in lines(&path)? {
            let (line, Context { memory_id, context_id, timestamp, context }) = line?;
            let insert = "INSERT INTO contexts (memory_id, context_id, context, timestamp, created)
                 VALUES (?1, ?2, ?3, ?4, ?5)";
            microseconds(&memories, &memory_id, &timestamp)
                .and_then(|created| store.insert(insert, params![memory_id, context_id, context, timestamp, created]))
                .map_err(|problem| DataError::line(&path, line, problem))?;
        }
        Ok(store)
    }

    /// Answers as a variant does.
    pub(crate) fn decide(&mut self, variant: Option<Variant>) -> Result<(), DataError> {
        self.variant = variant;
        if variant == Some(Variant::StoredLater) {
            let update =
                "UPDATE entries SET creation_time = strftime('%Y-%m-%dT%H:%M:%SZ', '2026-02-03', number || ' seconds')";
            self.connection().execute(update, [])?;
        }
        Ok(())
    }

    /// Reads while no other request does.
    pub(crate) fn read<T>(&self, reading: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, DataError> {
        Ok(reading(&self.connection())?)
    }

    fn insert(&self, statement: &str, values: impl Params) -> Result<(), String> {
        let inserted = self.connection().execute(statement, values);
        inserted.map(drop).map_err(|problem| format!("{problem}; each id must be there once"))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic of another request leaves nothing half done, so a poisoned lock is as good as any.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The instant of a line that belongs to one of the memories.
fn microseconds(memories: &HashSet<String>, memory: &str, time: &str) -> Result<i64, String> {
    if !memories.contains(memory) {
        return Err(format!("it belongs to the memory {memory:?}, which memories.ndjson does not name"));
    }
    match DateTime::parse_from_rfc3339(time) {
        Ok(instant) => Ok(instant.timestamp_micros()),
        Err(_) => Err(format!("it has the time {time:?}, which is not RFC 3339")),
    }
}
