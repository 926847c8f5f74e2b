//! The documents of a corpus.

use crate::files;
use serde_json::Value;
use std::path::Path;

/// Reads a file of a corpus, a JSON value on each line.
///
/// # Errors
/// When it cannot be read, or a line is not JSON, for people to read.
pub(super) fn documents(file: &Path) -> Result<Vec<Value>, String> {
    let wrong = |what: String| format!("{}: {what}", file.display());
    let text = files::text(file).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let parsed = (1..).zip(text.lines()).map(|(line, text)| {
        serde_json::from_str(text).map_err(|error| wrong(format!("line {line} is not JSON: {error}")))
    });
    parsed.collect()
}
