//! Run logs, as `verify --log` writes them.

use crate::shared::print::tell;
use anyhow::{Context, Result};
use conformance::files;
use conformance::load::Suite;
use conformance::rejudge::Stored;
use conformance::spill::Spill;
use std::io::BufReader;
use std::path::Path;

/// Reads a log. Its evidence is read from the file later, case by case.
pub(crate) fn read(path: &Path) -> Result<Stored> {
    let file = files::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let log = || format!("the log {}", path.display());
    let shelf = Spill::reading(file.try_clone().with_context(log)?);
    Stored::read(BufReader::new(file), &shelf).with_context(log)
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
