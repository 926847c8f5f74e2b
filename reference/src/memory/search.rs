//! Search: the entries and contexts of one memory that have a word of the query, best first, and its newest context.

use super::arguments::Search;
use super::store::Store;
use super::variant::Variant;
use crate::data::DataError;
use crate::words::phrase;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use std::collections::HashSet;

/// "Response Structure (Always Same)": every field, for every search.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    entries: Vec<Entry>,
    /// How many entries there are in the answer.
    count: usize,
    /// The text of the newest context of the memory, for any query; empty if it has none.
    latest_context: String,
    /// Its time.
    latest_context_timestamp: Option<String>,
    contexts: Vec<Context>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    entry_id: String,
    memory_id: String,
    summary: String,
    raw_entry: String,
    score: f64,
    creation_time: String,
}

impl Entry {
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            entry_id: row.get(0)?,
            memory_id: row.get(1)?,
            summary: row.get(2)?,
            raw_entry: row.get(3)?,
            score: row.get(4)?,
            creation_time: row.get(5)?,
        })
    }
}

#[derive(Debug, Serialize)]
struct Context {
    context: String,
    timestamp: String,
    score: f64,
}

/// Answers a search. An unknown memory is an empty one.
pub(crate) fn search(store: &Store, asked: &Search) -> Result<Answer, DataError> {
    store.read(|connection| {
        let latest = latest(connection, &asked.memory_id)?;
        let (mut entries, mut contexts) = match words(&asked.query, store.variant) {
            words if words.is_empty() => (Vec::new(), Vec::new()),
            words => (entries(connection, asked, &words)?, contexts(connection, asked, &words)?),
        };
        match store.variant {
            Some(Variant::CloseToTheBest) => {
                let best = entries.first().map_or(0.0, |entry| entry.score);
                entries.retain(|entry| entry.score >= best * 0.9);
            }
            Some(Variant::EachTextOnce) => {
                entries
                    .dedup_by(|entry, better| entry.summary == better.summary && entry.raw_entry == better.raw_entry);
                contexts.dedup_by(|context, better| context.context == better.context);
            }
            Some(Variant::LatestApart) => {
                contexts.retain(|context| latest.as_ref().is_none_or(|(_, time)| context.timestamp != *time));
            }
            Some(Variant::Nearest) => fill_up(connection, asked, &mut entries)?,
            _ => {}
        }
        contexts.truncate(usize::try_from(asked.top_kc).unwrap_or_default());
        let (latest_context, latest_context_timestamp) = match latest {
            Some((context, timestamp)) => (context, Some(timestamp)),
            None => (String::new(), None),
        };
        Ok(Answer { count: entries.len(), entries, latest_context, latest_context_timestamp, contexts })
    })
}

/// bm25 is more negative for a better match; a score is larger.
fn entries(connection: &Connection, asked: &Search, words: &str) -> rusqlite::Result<Vec<Entry>> {
    let sql =
        "SELECT entry_id, memory_id, entries.summary, entries.raw_entry, -bm25(entries_text) AS score, creation_time
         FROM entries_text JOIN entries ON entries.number = entries_text.rowid
         WHERE entries_text MATCH ?1 AND memory_id = ?2
         ORDER BY score DESC, created DESC, entry_id LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map(params![words, asked.memory_id, asked.top_ke], Entry::of_row)?.collect()
}

/// The newest entries of the memory follow those that match, until there are as many as are asked for.
fn fill_up(connection: &Connection, asked: &Search, entries: &mut Vec<Entry>) -> rusqlite::Result<()> {
    let sql = "SELECT entry_id, memory_id, summary, raw_entry, 0.0, creation_time FROM entries WHERE memory_id = ?1
         ORDER BY created DESC, entry_id";
    let mut statement = connection.prepare_cached(sql)?;
    for entry in statement.query_map([&asked.memory_id], Entry::of_row)? {
        let entry = entry?;
        let is_full = entries.len() as i64 >= asked.top_ke;
        if !is_full && entries.iter().all(|known| known.entry_id != entry.entry_id) {
            entries.push(entry);
        }
    }
    Ok(())
}

/// One more than is asked for, as one may be left out.
fn contexts(connection: &Connection, asked: &Search, words: &str) -> rusqlite::Result<Vec<Context>> {
    let sql = "SELECT contexts.context, timestamp, -bm25(contexts_text) AS score
         FROM contexts_text JOIN contexts ON contexts.number = contexts_text.rowid
         WHERE contexts_text MATCH ?1 AND memory_id = ?2
         ORDER BY score DESC, created DESC, context_id LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![words, asked.memory_id, asked.top_kc + 1], |row| {
        Ok(Context { context: row.get(0)?, timestamp: row.get(1)?, score: row.get(2)? })
    })?;
    rows.collect()
}

fn latest(connection: &Connection, memory_id: &str) -> rusqlite::Result<Option<(String, String)>> {
    let sql = "SELECT context, timestamp FROM contexts WHERE memory_id = ?1 ORDER BY created DESC, context_id LIMIT 1";
    connection.prepare_cached(sql)?.query_row([memory_id], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// The words of a query in the full-text query language, any of which is enough, or all of them in a variant. Words without
/// a letter or digit find nothing. A repeated word is asked for once, because the index takes the square of their number.
fn words(query: &str, variant: Option<Variant>) -> String {
    let mut seen = HashSet::new();
    let words = query.split(|c: char| c.is_whitespace() || c.is_control());
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric) && seen.insert(*word));
    words.map(phrase).collect::<Vec<_>>().join(match variant {
        Some(Variant::EveryWord) => " AND ",
        _ => " OR ",
    })
}
