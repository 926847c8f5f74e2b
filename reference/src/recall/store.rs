//! The frames, in a SQLite database: in memory for a corpus, in a file for a million of them.

use crate::data::{DataError, lines};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One screen frame, as a line of the corpus gives it and as the database keeps it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Frame {
    pub(crate) frame_id: i64,
    /// Epoch seconds.
    pub(crate) timestamp: f64,
    pub(crate) app_name: String,
    pub(crate) window_name: String,
    /// None where it is not known; some recorders keep an empty text then.
    pub(crate) browser_url: Option<String>,
    /// None where it is not known.
    pub(crate) focused: Option<bool>,
    pub(crate) ocr_text: String,
}

/// The columns of [`Frame`], in the order in which [`Frame::from_row`] takes them.
pub(crate) const COLUMNS: &str = "frames.frame_id, frames.timestamp, frames.app_name, frames.window_name, \
     frames.browser_url, frames.focused, frames.ocr_text";

impl Frame {
    /// Takes a row of [`COLUMNS`].
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            frame_id: row.get(0)?,
            timestamp: row.get(1)?,
            app_name: row.get(2)?,
            window_name: row.get(3)?,
            browser_url: row.get::<_, Option<String>>(4)?.filter(|url| !url.is_empty()),
            focused: row.get(5)?,
            ocr_text: row.get(6)?,
        })
    }
}

/// A database of frames that many requests may read at once.
pub(crate) struct Store {
    path: PathBuf,
    /// Open as long as the store: a database in memory is gone with its last connection.
    writer: Mutex<Connection>,
    /// Connections for reading that are not in use.
    idle: Mutex<Vec<Connection>>,
}

impl Store {
    /// No frames, in memory.
    pub(crate) fn empty() -> Result<Self, DataError> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // The memdb file system gives every connection of this process that names the same file the same database.
        let name = format!("file:/recall-{}?vfs=memdb", COUNT.fetch_add(1, Ordering::Relaxed));
        Self::open(Path::new(&name), OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// The frames of a folder: those of `frames.sqlite` where that is there, else those of `frames.ndjson`, in memory.
    ///
    /// The database needs no more than the table `frames` of `schema.sql`: an index, words and triggers that it lacks are
    /// added to it, once.
    pub(crate) fn load(folder: &Path) -> Result<Self, DataError> {
        let database = folder.join("frames.sqlite");
        if database.exists() {
            return Self::open(&database, OpenFlags::empty());
        }
        let store = Self::empty()?;
        store.insert_all(&folder.join("frames.ndjson"))?;
        Ok(store)
    }

    /// The frame of that id.
    pub(crate) fn frame(&self, frame_id: i64) -> Result<Option<Frame>, DataError> {
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM frames WHERE frame_id = ?1");
            connection.prepare_cached(&sql)?.query_row([frame_id], Frame::from_row).optional()
        })
    }

    /// Reads with a connection that no one else has, in one transaction: all that is read is of one moment.
    pub(crate) fn read<T>(&self, reading: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, DataError> {
        let idle = locked(&self.idle).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
        };
        let transaction = connection.unchecked_transaction()?;
        let result = reading(&transaction);
        drop(transaction);
        locked(&self.idle).push(connection);
        Ok(result?)
    }

    /// Runs one statement that changes the frames.
    #[cfg(test)]
    pub(crate) fn write(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize, DataError> {
        Ok(locked(&self.writer).execute(sql, values)?)
    }

    fn open(path: &Path, extra: OpenFlags) -> Result<Self, DataError> {
        let writer = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | extra)?;
        prepare(&writer).map_err(|problem| not_frames(path, &problem))?;
        Ok(Self { path: path.to_owned(), writer: Mutex::new(writer), idle: Mutex::default() })
    }

    fn insert_all(&self, path: &Path) -> Result<(), DataError> {
        let mut writer = locked(&self.writer);
        let transaction = writer.transaction()?;
        let mut insert = transaction.prepare("INSERT INTO frames VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
        for line in lines(path)? {
            let (line, frame): (_, Frame) = line?;
            let Frame { frame_id, timestamp, app_name, window_name, browser_url, focused, ocr_text } = frame;
            insert
                .execute(params![frame_id, timestamp, app_name, window_name, browser_url, focused, ocr_text])
                .map_err(|problem| {
                    DataError::line(path, line, format_args!("{problem}; each frame_id must be there once"))
                })?;
        }
        drop(insert);
        Ok(transaction.commit()?)
    }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, DataError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).and_then(|connection| {
        // A statement is planned once, and not again for each value that is bound to it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(connection)
    });
    connection.map_err(|problem| not_frames(path, &problem))
}

fn not_frames(path: &Path, problem: &rusqlite::Error) -> DataError {
    DataError::file(path, format_args!("{problem}; it must be a SQLite database with a table of frames"))
}

/// Adds what a database of frames lacks. One that lacks nothing is not written to.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    let names = "SELECT count(*) FROM sqlite_schema WHERE name IN ('frames_newest_first', 'frames_text', \
                 'frames_inserted', 'frames_deleted', 'frames_updated')";
    if connection.query_row(names, [], |row| row.get::<_, i64>(0))? == 5 {
        return Ok(());
    }
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch(include_str!("schema.sql"))?;
    // Frames that were there before the words were.
    transaction.execute("INSERT INTO frames_text (frames_text) VALUES ('rebuild')", [])?;
    transaction.commit()
}

/// A panic of another request leaves nothing half done under these locks, so a poisoned one is as good as any.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
