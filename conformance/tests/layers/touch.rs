//! What reaches for the world: files, clocks, processes, networks, the environment, chance.

use super::tree::Tree;
use std::collections::BTreeMap;

/// Paths that lead to the world, with all that is below them.
const WORLD: &[&str] = &[
    "std::env",
    "std::fs",
    "std::hash::RandomState",
    "std::collections::hash_map::RandomState",
    "std::io::stderr",
    "std::io::stdin",
    "std::io::stdout",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "chrono::Local",
    "chrono::Utc::now",
    "fastrand",
    "reqwest",
    "rustix",
    "tempfile",
    "tokio",
    "walkdir",
    "which",
];

/// What is below these and reaches for nothing.
const ONLY_NAMED: &[&str] = &["reqwest::Url"];

/// Methods of paths that ask the file system.
const OF_PATHS: &[&str] = &["exists", "is_dir", "is_file", "metadata", "read_dir", "try_exists"];

/// The files of a crate that reach for the world, each with what it reaches for.
pub(crate) fn world(tree: &Tree) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for module in tree.modules.values() {
        let is_below = |path: &str, prefix: &str| path == prefix || path.starts_with(&format!("{prefix}::"));
        let is_world = |path: &str| {
            WORLD.iter().any(|prefix| is_below(path, prefix)) && !ONLY_NAMED.iter().any(|prefix| is_below(path, prefix))
        };
        let paths = tree.outside(&module.file).filter(|(path, _)| is_world(path));
        let asked = module.methods.iter().filter(|(name, _)| OF_PATHS.contains(&name.as_str())).cloned();
        let reached: Vec<String> = paths.chain(asked).map(|(what, line)| format!("{line}: {what}")).collect();
        if !reached.is_empty() {
            found.entry(module.file.clone()).or_default().extend(reached);
        }
    }
    found
}
