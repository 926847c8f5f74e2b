//! Run logs, as `verify --log` writes them.

use crate::shared::print::tell;
use anyhow::{Context, Result, bail};
use conformance::files;
use conformance::load::{Suite, ViewError};
use conformance::rejudge::Stored;
use conformance::spill::Spill;
use conformance::text::listed;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

/// So many cases of a log that the suite no longer has are named.
const MOST_NAMED: usize = 20;

/// Reads a log. Its evidence is read from the file later, case by case.
pub(crate) fn read(path: &Path) -> Result<Stored> {
    let file = files::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    read_from(file).with_context(|| format!("the log {}", path.display()))
}

fn read_from(file: File) -> Result<Stored> {
    if file.metadata()?.is_file() {
        let shelf = Spill::reading(file.try_clone()?);
        return Ok(Stored::read(BufReader::new(file), &shelf)?);
    }
    // What passes a pipe can be read once.
    let copy = tempfile::tempfile().context("a copy of it cannot be kept in a temporary file")?;
    let shelf = Spill::reading(copy.try_clone()?);
    Ok(Stored::read(BufReader::new(Copied { from: file, to: copy }), &shelf)?)
}

/// Keeps what is read.
struct Copied {
    from: File,
    to: File,
}

impl Read for Copied {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(to)?;
        self.to.write_all(&to[..read])?;
        Ok(read)
    }
}

/// Reads a log that a suite will judge. Names on standard error how the suite that wrote it differs, and the cases that the
/// suite no longer has.
pub(crate) fn read_for(suite: &Suite, path: &Path) -> Result<Stored> {
    let stored = read(path)?;
    if let Some(difference) = stored.written_by() {
        tell!("{}: it was written by {difference}", path.display());
    }
    let lacking = stored.lacks(suite);
    if !lacking.is_empty() {
        bail!(
            "the log {}: it holds the evidence of {}, brought from a folder of the user's own; give that folder with --suite FOLDER, so \
             that it can be judged",
            path.display(),
            listed(&lacking, lacking.len())
        );
    }
    if stored.is_changed(suite) {
        tell!(
            "{}: the contracts of your own have changed since it was written, and are applied as they are now",
            path.display()
        );
    }
    for key in stored.contracts() {
        match suite.view(key) {
            Ok(_) => {}
            // A contract that is gone is no revision: its cases are named below.
            Err(ViewError::Contract(..)) => {}
            Err(error) => bail!("the log {}: it was judged by {}, and {error}", path.display(), key.full()),
        }
    }
    name_gone(&stored, path, suite);
    Ok(stored)
}

/// Names on standard error the cases of a log that a suite no longer has.
pub(crate) fn name_gone(stored: &Stored, path: &Path, suite: &Suite) {
    let gone = stored.gone(suite);
    if !gone.is_empty() {
        let named = listed(&gone[..gone.len().min(MOST_NAMED)], gone.len());
        tell!("{}: the suite does not have these cases any more: {named}", path.display());
    }
}
