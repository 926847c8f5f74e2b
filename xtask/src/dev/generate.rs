//! `cargo xtask dev generate`: the schemas of our own files, made from their types, and the lists of frozen revisions, made from their
//! contracts, and the page of the rules, made from their code; and whether they are fresh.

mod rules;

use crate::shared::print::say;
use crate::shared::{files, workspace};
use anyhow::Result;
use conformance::diff::frozen;
use conformance::schemas;
use std::fs;
use std::path::Path;

/// Write, or only compare.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compare only; exit 1 when a file is stale
    #[arg(long)]
    check: bool,
}

/// Writes or compares; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let root = workspace::root()?;
    let schemas = root.join("schemas/suite");
    let mut stale = false;
    let of_files = schemas::file_schemas().into_iter();
    let mut made: Vec<_> = of_files.map(|(name, schema)| (schemas.join(name), format!("{schema:#}\n"))).collect();
    made.push((root.join(rules::PAGE), rules::page(&root)?));
    for (path, text) in made {
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
    stale |= lists(&root, arguments.check)?;
    Ok(u8::from(stale))
}

/// Writes or compares the lists of frozen revisions; whether anything is left to do.
fn lists(root: &Path, check: bool) -> Result<bool> {
    let mut stale = false;
    for frozen::Frozen { file, text, refused } in frozen::stale(root)? {
        let path = root.join(&file);
        match (refused, text) {
            (Some(why), _) => {
                eprintln!("{}: {why}", file.display());
                stale = true;
            }
            (None, Some(_)) if check => {
                eprintln!("{} is stale; run `cargo xtask dev generate`", path.display());
                stale = true;
            }
            (None, None) if check => {
                eprintln!("{} is of no frozen revision; run `cargo xtask dev generate`", path.display());
                stale = true;
            }
            (None, Some(text)) => {
                fs::create_dir_all(path.parent().unwrap_or(root))?;
                files::write(&path, text)?;
                say!("{} written", path.display());
            }
            (None, None) => {
                fs::remove_file(&path)?;
                say!("{} deleted: its revision is not frozen", path.display());
            }
        }
    }
    Ok(stale)
}
