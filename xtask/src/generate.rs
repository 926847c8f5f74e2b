//! `cargo xtask generate`: the files that are made from the code, and whether they are fresh.

use crate::output::say;
use crate::{corpus_recall, program, workspace};
use anyhow::{Context, Result};
use conformance::schemas;
use std::fs;
use std::path::PathBuf;

/// Write, or only compare.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compare only; exit 1 when a file is stale
    #[arg(long)]
    check: bool,
}

/// Writes or compares; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    program::needs_checkout("generate")?;
    let root = workspace::root()?;
    let schemas = root.join("schemas/suite");
    let mut files: Vec<(PathBuf, String)> = schemas::file_schemas()
        .into_iter()
        .map(|(name, schema)| (schemas.join(name), format!("{schema:#}\n")))
        .collect();
    files.push((root.join("fixtures/recall/corpus/frames.ndjson"), corpus_recall::frames_ndjson()));
    let mut stale = false;
    for (path, text) in files {
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if arguments.check {
            eprintln!("{} is stale; run `cargo xtask generate`", path.display());
            stale = true;
        } else {
            fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
            say!("{} written", path.display());
        }
    }
    Ok(u8::from(stale))
}
