//! `cargo xtask dev generate`: the schemas of our own files, made from their types, and whether they are fresh.

use crate::shared::print::say;
use crate::shared::{files, workspace};
use anyhow::Result;
use conformance::schemas;
use std::fs;

/// Write, or only compare.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compare only; exit 1 when a file is stale
    #[arg(long)]
    check: bool,
}

/// Writes or compares; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let schemas = workspace::root()?.join("schemas/suite");
    let mut stale = false;
    for (name, schema) in schemas::file_schemas() {
        let (path, text) = (schemas.join(name), format!("{schema:#}\n"));
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if arguments.check {
            eprintln!("{} is stale; run `cargo xtask dev generate`", path.display());
            stale = true;
        } else {
            files::write(&path, text)?;
            say!("{} written", path.display());
        }
    }
    Ok(u8::from(stale))
}
