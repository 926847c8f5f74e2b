//! `cargo xtask export`: a corpus in the form that a program can be filled with.

mod markdown;
mod sql;

use crate::shared::own::Own;
use crate::shared::print::{self, say};
use crate::shared::{files, workspace};
use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask export recall --format sql | sqlite3 frames.sqlite
  cargo xtask export memory --format ndjson --output seed
  cargo xtask export records --format markdown --output stores          the stores themselves, attachments too
  cargo xtask export remnote --format markdown                       nested lists

Forms: sql is SQLite, a table for each file, a column for each field, what is nested as JSON. ndjson is one JSON object a
line. markdown is for stores of notes and for Rems alone. The READMEs in fixtures/<contract>/corpus explain the fields.";

/// What to export, and where to.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The contract whose corpus it is
    contract: String,
    /// The form
    #[arg(long, value_enum)]
    format: Format,
    /// The folder to write the files to; a single file goes to standard output when left out
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    own: Own,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Statements that make and fill tables of SQLite
    Sql,
    /// One JSON object a line
    Ndjson,
    /// Notes as text
    Markdown,
}

/// A file of an export: its path below the folder, and what is in it.
type Exported = (PathBuf, Vec<u8>);

/// Writes or prints; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    arguments.output.as_deref().map_or(Ok(()), files::check_folder)?;
    let suite = arguments.own.suite()?;
    workspace::known_contracts(std::slice::from_ref(&arguments.contract), &suite)?;
    let contract = suite.contract(&arguments.contract).context("the contract is known")?;
    let exported = exported(&arguments.contract, &contract.corpus, arguments.format)?;
    let Some(folder) = &arguments.output else {
        let [(_, bytes)] = exported.as_slice() else {
            bail!("that is {} files: give a folder with --output", exported.len());
        };
        print::print(std::str::from_utf8(bytes).context("the file is not text: give a folder with --output")?)?;
        return Ok(0);
    };
    for (name, bytes) in &exported {
        let file = folder.join(name);
        files::write(&file, bytes)?;
    }
    say!("{} files written to {}", exported.len(), folder.display());
    Ok(0)
}

fn exported(contract: &str, corpus: &Path, format: Format) -> Result<Vec<Exported>> {
    let (tables, stores) = (tables(corpus)?, stores(corpus)?);
    let named = |ending: &str, text: String| vec![(format!("{contract}.{ending}").into(), text.into_bytes())];
    Ok(match format {
        Format::Markdown if !stores.is_empty() => stores,
        Format::Markdown => match tables.iter().find(|(name, _)| name == "rems") {
            Some((_, rems)) => named("md", markdown::nested_list(rems)),
            None => bail!("the corpus of {contract} has no form in Markdown; it has sql and ndjson"),
        },
        Format::Sql if !stores.is_empty() => {
            bail!("the corpus of {contract} is stores of notes; it has ndjson and markdown")
        }
        Format::Sql => named("sql", tables.iter().map(|(name, rows)| sql::table(name, rows)).collect()),
        Format::Ndjson if !stores.is_empty() => {
            named("ndjson", stores.iter().map(|file| format!("{}\n", note(file))).collect())
        }
        Format::Ndjson => data(corpus)?,
    })
}

/// The documents of a corpus, by file.
fn tables(corpus: &Path) -> Result<Vec<(String, Vec<Value>)>> {
    let of_lines = data(corpus)?.into_iter().filter(|(name, _)| name.extension().is_some_and(|one| one == "ndjson"));
    let read = |(name, bytes): Exported| {
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let rows = lines.map(serde_json::from_slice).collect::<Result<_, _>>();
        let stem = name.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((stem, rows.with_context(|| format!("{} is of another form", name.display()))?))
    };
    of_lines.map(read).collect()
}

/// The files of documents of a corpus, unchanged.
fn data(corpus: &Path) -> Result<Vec<Exported>> {
    let is_data = |(name, _): &Exported| {
        name.components().count() == 1
            && name.extension().is_some_and(|one| one == "ndjson" || one == "json")
            && name.file_name().is_some_and(|name| name != "sentinel.json")
    };
    Ok(all(corpus)?.into_iter().filter(is_data).collect())
}

/// The files of a corpus that is folders, each of them a store of notes.
fn stores(corpus: &Path) -> Result<Vec<Exported>> {
    let is_of_store =
        |(name, _): &Exported| name.components().count() > 1 && name.file_name().is_some_and(|name| name != ".gitkeep");
    Ok(all(corpus)?.into_iter().filter(is_of_store).collect())
}

fn all(folder: &Path) -> Result<Vec<Exported>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.with_context(|| format!("{} cannot be read", folder.display()))?;
        if entry.file_type().is_file() {
            let bytes = fs::read(entry.path()).with_context(|| format!("{} cannot be read", entry.path().display()))?;
            files.push((entry.path().strip_prefix(folder)?.to_owned(), bytes));
        }
    }
    Ok(files)
}

/// A file of a store as a line: `text`, or `base64` if it is not UTF-8.
fn note((path, bytes): &Exported) -> Value {
    let store = path.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let below: PathBuf = path.components().skip(1).collect();
    match std::str::from_utf8(bytes) {
        Ok(text) => json!({ "store": store, "path": below.to_string_lossy(), "text": text }),
        Err(_) => json!({ "store": store, "path": below.to_string_lossy(), "base64": STANDARD.encode(bytes) }),
    }
}
