//! The files of a corpus: lines of JSON, and the errors in them.

use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Why data cannot be loaded or searched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
    #[error("could not read {path}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("line {line} of {path} cannot be used: {problem}")]
    Line { path: PathBuf, line: usize, problem: String },
    #[error("{path} cannot be used: {problem}")]
    File { path: PathBuf, problem: String },
    #[error("could not ask the database: {0}")]
    Database(#[from] rusqlite::Error),
}

impl DataError {
    pub(crate) fn line(path: &Path, line: usize, problem: impl Display) -> Self {
        Self::Line { path: path.to_owned(), line, problem: problem.to_string() }
    }

    pub(crate) fn file(path: &Path, problem: impl Display) -> Self {
        Self::File { path: path.to_owned(), problem: problem.to_string() }
    }

    fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }
}

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, DataError> {
    io::read_to_string(open(path)?).map_err(|source| DataError::read(path, source))
}

/// A file that is one: a named pipe would be waited for.
fn open(path: &Path) -> Result<File, DataError> {
    let open = || match path.metadata()?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    };
    open().map_err(|source| DataError::read(path, source))
}

/// The objects of a file of JSON lines, each with the number of its line.
pub(crate) fn lines<T: DeserializeOwned>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(usize, T), DataError>>, DataError> {
    let file = BufReader::new(open(path)?);
    Ok((1..).zip(file.lines()).map(move |(line, text)| {
        let text = text.map_err(|source| DataError::read(path, source))?;
        let object = serde_json::from_str(&text).map_err(|problem| DataError::line(path, line, problem))?;
        Ok((line, object))
    }))
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::{lines, text};
    use std::process::Command;

    #[test]
    fn a_named_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("frames.ndjson");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let of_lines = lines::<serde_json::Value>(&pipe).map(drop);
        for said in [text(&pipe).map(drop), of_lines] {
            assert!(said.unwrap_err().to_string().ends_with("frames.ndjson: it is not a regular file"));
        }
    }
}
