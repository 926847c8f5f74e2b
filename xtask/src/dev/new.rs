//! `cargo xtask dev new`: scaffold a contract from `xtask/templates/`, and add it to the lists that name every contract.
//!
//! All changes are made in memory first. If one of them is impossible, nothing is written.

mod lists;
mod name;
mod template;

use crate::shared::print::say;
use crate::shared::{history, workspace};
use anyhow::{Context, Result, bail};
use conformance::load::Suite;
use conformance::model::HttpArguments;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use template::Template;
use walkdir::WalkDir;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask dev new diary --like memory      over HTTP with a JSON body, and over MCP
  cargo xtask dev new diary --like recall      over HTTP with the arguments in the address
  cargo xtask dev new diary --like outline     over MCP

The command works in the checkout around the current folder. It writes schemas/NAME, fixtures/NAME and reference/src/NAME, and adds
the contract to four lists. The new contract has one search over a corpus of three items. The suite is refused until you fill in
the placeholders; the command lists them. A contract over JSON answers needs nothing in conformance/src/contracts.

Exit codes:
  0 the contract is scaffolded   2 the name is malformed or taken, or a list has an unexpected form; nothing is written";

/// Where the templates are.
const TEMPLATES: &str = "xtask/templates";

/// What to scaffold.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The name of the contract and of its folders: lower-case letters and digits
    name: String,
    /// Serve it over the same transports as this contract
    #[arg(long, value_name = "CONTRACT")]
    like: String,
}

/// Scaffolds; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let root = history::checkout()?;
    let suite = Suite::load(&root)?;
    name::check(&arguments.name, &root)?;
    let template = template(arguments, &suite)?;
    let made = made(&template, &root)?;
    let changed = changed(arguments, &root)?;
    for (path, text) in &made {
        create(&root.join(path), text)?;
        say!("created {}", path.display());
    }
    for (path, text) in changed {
        fs::write(root.join(path), text).with_context(|| format!("{path} cannot be written"))?;
        say!("added a line to {path}");
    }
    format(&root);
    match Suite::load(&root) {
        Ok(_) => say!("\nThe suite loads."),
        Err(problems) => say!("\nNext, fill in the placeholders, and the empty cell in README.md:\n{problems}"),
    }
    say!("\nThen: cargo xtask verify {}", arguments.name);
    Ok(0)
}

/// The template for a contract over the transports of another one.
fn template(arguments: &Arguments, suite: &Suite) -> Result<Template> {
    let Arguments { name, like } = arguments;
    workspace::known_contracts(std::slice::from_ref(like), suite)?;
    let operations = || suite.contract(like).into_iter().flat_map(|like| like.contract.operations.values());
    let has_body = operations().find_map(|one| one.http.as_ref()).map(|http| http.arguments == HttpArguments::Body);
    let mcp = operations().any(|operation| operation.mcp.is_some());
    if has_body.is_none() && !mcp {
        bail!(
            "{like} is served over neither HTTP nor MCP, and there are no templates for others; choose another --like"
        );
    }
    Ok(Template::new(name, has_body, mcp))
}

/// The files of the contract, by their path in the checkout.
fn made(template: &Template, root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let folder = root.join(TEMPLATES);
    let mut made = Vec::new();
    for entry in WalkDir::new(&folder).sort_by_file_name() {
        let entry = entry.with_context(|| format!("{} cannot be listed", folder.display()))?;
        let Some(path) = entry.path().strip_prefix(&folder).ok().and_then(|path| template.path(path)) else { continue };
        if entry.file_type().is_file() {
            let text = fs::read_to_string(entry.path());
            let text = text.with_context(|| format!("{} cannot be read", entry.path().display()))?;
            made.push((path, template.text(&text)));
        }
    }
    Ok(made)
}

/// The lists with the contract in them, by their path in the checkout.
fn changed(arguments: &Arguments, root: &Path) -> Result<Vec<(&'static str, String)>> {
    let changed = lists::CHANGES.iter().map(|(path, change)| {
        let text = fs::read_to_string(root.join(path)).with_context(|| format!("{path} cannot be read"))?;
        let changed = change(&text, &arguments.name, &arguments.like);
        Ok((*path, changed.with_context(|| format!("{path} has no list in the expected form"))?))
    });
    changed.collect()
}

/// Writes a file that does not exist yet.
fn create(file: &Path, text: &str) -> Result<()> {
    let folder = file.parent().with_context(|| format!("{} is in no folder", file.display()))?;
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    let created = File::create_new(file).and_then(|mut created| created.write_all(text.as_bytes()));
    created.with_context(|| format!("{} cannot be created", file.display()))
}

/// A longer name breaks lines elsewhere than a shorter one.
fn format(root: &Path) {
    let formatted = Command::new("rustfmt").arg("reference/src/lib.rs").current_dir(root).status();
    if !formatted.is_ok_and(|status| status.success()) {
        eprintln!("rustfmt failed on reference/src/lib.rs; run `cargo fmt --all`");
    }
}
