//! Which names a new contract may have.

use anyhow::{Context, Result, bail};
use conformance::model::Protocol;
use std::fs;
use std::path::Path;
use strum::VariantArray;

/// A contract is a module of the reference, so its name is no keyword of Rust and no crate that every module sees.
const RUST: &[&str] = &[
    "abstract", "alloc", "as", "async", "await", "become", "box", "break", "const", "continue", "core", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "std", "struct",
    "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// Refuses a name that is malformed or taken.
pub(super) fn check(name: &str, root: &Path) -> Result<()> {
    let is_plain = name.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit());
    if !is_plain || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        bail!("`{name}` cannot name a contract: a name is lower-case letters and digits, and begins with a letter");
    }
    if Protocol::VARIANTS.iter().any(|protocol| protocol.to_string() == name) {
        bail!("`{name}` cannot name a contract: ids of requirements of a transport begin with it");
    }
    let places = ["schemas/", "fixtures/", "reference/src/", "conformance/src/contracts/"];
    for path in places.iter().map(|place| format!("{place}{name}")) {
        for path in [format!("{path}.rs"), path] {
            if root.join(&path).symlink_metadata().is_ok() {
                bail!("`{name}` cannot name a new contract: {path} exists");
            }
        }
    }
    let manifest =
        fs::read_to_string(root.join("reference/Cargo.toml")).context("reference/Cargo.toml cannot be read")?;
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let is_dependency = dependencies.lines().any(|line| line.split(['.', ' ', '=']).next() == Some(name));
    if RUST.contains(&name) || is_dependency {
        bail!("`{name}` cannot name a contract: the reference cannot have a module of this name");
    }
    Ok(())
}
