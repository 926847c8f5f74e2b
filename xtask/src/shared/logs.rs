//! Run logs, as `verify --log` writes them.

use crate::shared::print::tell;
use anyhow::{Context, Result};
use conformance::files;
use conformance::load::Suite;
use conformance::rejudge::Stored;
use std::io::BufReader;
use std::path::Path;

/// Reads a log.
pub(crate) fn read(path: &Path) -> Result<Stored> {
    let file = files::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    Stored::read(BufReader::new(file)).with_context(|| format!("the log {}", path.display()))
}

/// Reads a log that a suite will judge. Names on standard error how the suite that wrote it differs, and the cases that the
/// suite no longer has.
pub(crate) fn read_for(suite: &Suite, path: &Path) -> Result<Stored> {
    let stored = read(path)?;
    for difference in stored.written_by(suite) {
        tell!("{}: it was written by {difference}", path.display());
    }
    name_gone(&stored, path, suite);
    Ok(stored)
}

/// Names on standard error the cases of a log that a suite no longer has.
pub(crate) fn name_gone(stored: &Stored, path: &Path, suite: &Suite) {
    let gone = stored.gone(suite);
    if !gone.is_empty() {
        tell!("{}: the suite has these cases no more: {}", path.display(), gone.join(", "));
    }
}
