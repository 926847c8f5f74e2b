//! `cargo xtask docs`: the pages of documentation, which the installed program carries.

use crate::shared::{print, program};
use anyhow::{Context, Result, bail};
use conformance::text::suggest;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask docs                    which pages there are
  cargo xtask docs gate               how to gate a program
  cargo xtask docs gate | less

The pages are Markdown, and belong to the version of the program that prints them.";

/// The page that is not in the folder of the others.
const README: &str = "readme";

/// Which page.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The page; all of them are listed when it is left out
    page: Option<String>,
}

/// Prints; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let pages = pages()?;
    let read = |path: &PathBuf| fs::read_to_string(path).with_context(|| path.display().to_string());
    let Some(name) = &arguments.page else {
        let widest = pages.keys().map(String::len).max().unwrap_or(0);
        let listed = pages.iter().map(|(name, path)| Ok(format!("{name:<widest$}  {}\n", title(&read(path)?))));
        print::print(&listed.collect::<Result<String>>()?)?;
        return Ok(0);
    };
    let asked = name.trim_start_matches("docs/").trim_end_matches(".md").to_lowercase();
    let Some(page) = pages.get(&asked) else {
        let known = pages.keys().map(String::as_str);
        bail!("no page is called `{name}`{}; `{} docs` lists all", suggest::hint(&asked, known), program::name());
    };
    // A line that has both names compares the two programs.
    let has_both = |line: &str| line.contains("cargo xtask") && line.contains(program::name());
    let text = read(page)?;
    let lines =
        text.split_inclusive('\n').map(|line| if has_both(line) { line.to_owned() } else { program::named(line) });
    print::print(&lines.collect::<String>())?;
    Ok(0)
}

/// The pages by name, where they are.
fn pages() -> Result<BTreeMap<String, PathBuf>> {
    let root = program::root()?;
    let folder = root.join("docs");
    let mut pages = BTreeMap::from([(README.to_owned(), root.join("README.md"))]);
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if let Some(name) = path.file_stem().filter(|_| path.extension().is_some_and(|kind| kind == "md")) {
            pages.insert(name.to_string_lossy().into_owned(), path);
        }
    }
    Ok(pages)
}

/// The first heading.
fn title(page: &str) -> &str {
    page.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default()
}
