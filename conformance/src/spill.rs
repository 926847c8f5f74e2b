//! Log lines in a file: a temporary one without a name, which is gone when this process ends in whatever way, or a log.

use crate::model::{Shelf, Stretch};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Lines in a file.
#[derive(Debug)]
pub struct Spill(Mutex<State>);

#[derive(Debug)]
struct State {
    file: File,
    end: u64,
    /// Why a line could not be put there, the first time.
    broken: Option<String>,
}

impl Spill {
    /// An empty file in the folder of the system for temporary files.
    ///
    /// # Errors
    /// When no file can be made there.
    pub fn new() -> io::Result<Arc<Self>> {
        Ok(Arc::new(Self(Mutex::new(State { file: tempfile::tempfile()?, end: 0, broken: None }))))
    }

    /// The end of a log that is written line by line.
    ///
    /// # Errors
    /// When its end cannot be found.
    pub fn writing(mut log: File) -> io::Result<Arc<Self>> {
        let end = log.seek(SeekFrom::End(0))?;
        Ok(Arc::new(Self(Mutex::new(State { file: log, end, broken: None }))))
    }

    /// The lines of a log.
    pub fn reading(log: File) -> Arc<dyn Shelf> {
        let broken = None;
        Arc::new(Self(Mutex::new(State { file: log, end: u64::MAX, broken })))
    }
}

impl Shelf for Spill {
    fn put(&self, line: &[u8]) -> Stretch {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stretch = Stretch { from: state.end, bytes: line.len() as u64 };
        let end = state.end;
        let written = state.file.seek(SeekFrom::Start(end)).and_then(|_| state.file.write_all(line));
        match written {
            Ok(()) => state.end += stretch.bytes,
            Err(error) => _ = state.broken.get_or_insert_with(|| error.to_string()),
        }
        stretch
    }

    fn read(&self, from: u64, to: &mut [u8]) -> io::Result<usize> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = &state.broken {
            return Err(io::Error::other(format!("evidence could not be kept in a temporary file: {why}")));
        }
        state.file.seek(SeekFrom::Start(from))?;
        state.file.read(to)
    }
}
