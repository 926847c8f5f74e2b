//! Which of the two programs runs: its name, and where its data is.

use crate::shared::carried::{self, Carried};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The command with which the program starts itself as the reference.
pub(crate) const REFERENCE: &str = "reference";
/// The words with which it starts itself as a guard, and a guard the worker.
pub(crate) const GUARD: &str = "guard";
pub(crate) const GUARDED: &str = "guarded";

/// How the runner of a checkout is called.
const OF_CHECKOUT: &str = "cargo xtask";

/// One of the two programs.
pub struct Program {
    name: &'static str,
    carried: Option<Carried>,
}

static PROGRAM: OnceLock<Program> = OnceLock::new();

impl Program {
    /// `cargo xtask`, with the data on disk.
    #[must_use]
    pub const fn of_checkout() -> Self {
        Self { name: OF_CHECKOUT, carried: None }
    }

    /// An installed program, with the data inside.
    #[must_use]
    pub const fn carrying(name: &'static str, carried: Carried) -> Self {
        Self { name, carried: Some(carried) }
    }
}

/// Records at the start which program runs.
pub(crate) fn is(program: Program) {
    // Only the first call counts.
    let _ = PROGRAM.set(program);
}

fn program() -> &'static Program {
    PROGRAM.get_or_init(Program::of_checkout)
}

/// How it is called on a command line.
pub(crate) fn name() -> &'static str {
    program().name
}

/// Its name as one word, for manual pages and completions.
pub(crate) fn word() -> &'static str {
    if is_installed() { name() } else { "xtask" }
}

/// A text in which the program that runs takes the place of `cargo xtask`.
pub(crate) fn named(text: &str) -> String {
    text.replace(OF_CHECKOUT, name())
}

/// Whether it is the installed program, which has no checkout around it.
pub(crate) fn is_installed() -> bool {
    program().carried.is_some()
}

/// The folder with `schemas/`, `fixtures/`, `reference/target.toml` and `docs/` in it.
pub(crate) fn root() -> Result<PathBuf> {
    match &program().carried {
        Some(carried) => carried::folder(carried),
        None => {
            let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
            manifest.parent().map(Path::to_owned).context("xtask stands in no workspace")
        }
    }
}

/// Refuses, in the installed program, a command that needs more of a checkout than its data.
pub(crate) fn needs_checkout(command: &str) -> Result<()> {
    if is_installed() {
        bail!("{command} works on a checkout of the repository: run `{OF_CHECKOUT} {command}` there");
    }
    Ok(())
}
