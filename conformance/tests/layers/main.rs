//! The architecture of the judge, the reference and the runner, as their first pages say, held to what their code imports and reaches for.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod arrows;
mod redaction;
mod reference;
mod runner;
mod shown;
mod touch;
mod tree;
mod words;

use arrows::{cycles, upward};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tree::Tree;
use walkdir::WalkDir;

/// The files of the judge that touch the world. Everything else is a pure function of what it is given.
const TOUCHES_THE_WORLD: &[&str] = &[
    "collect/room.rs",
    "diff/frozen.rs",
    "diff/side.rs",
    "explore/save.rs",
    "explore/stage.rs",
    "files.rs",
    "load/brought.rs",
    "load/compile.rs",
    "load/derive.rs",
    "load/files.rs",
    "load/follows.rs",
    "load/guard.rs",
    "load/inside.rs",
    "load/lint.rs",
    "load/lens.rs",
    "load/own.rs",
    "load/sentinel.rs",
    "run/mod.rs",
    "run/presence.rs",
    "run/reported.rs",
    "spill.rs",
    "targets/mod.rs",
    "targets/ready.rs",
    "targets/server.rs",
    "transport/answering.rs",
    "transport/arriving.rs",
    "transport/broken.rs",
    "transport/caller.rs",
    "transport/cli.rs",
    "transport/coded.rs",
    "transport/group.rs",
    "transport/http.rs",
    "transport/kept.rs",
    "transport/mcp/mod.rs",
    "transport/mcp/opening.rs",
    "transport/mcp/server.rs",
    "transport/mcp/stdio.rs",
    "transport/mcp/web.rs",
    "transport/pace.rs",
    "transport/sending.rs",
    "transport/tail.rs",
    "transport/waits.rs",
    "transport/web.rs",
];

/// Where secrets are collected and taken out: what is received passes none of it before it is judged.
const REDACTS: &[&str] = &["explore/stage.rs", "run/mod.rs", "run/presence.rs", "run/reported.rs", "tap/", "targets/"];

/// Words of contracts that mean something else where they stand: the file, the word, and what it means there.
const OTHER_MEANINGS: &[(&str, &str, &str)] = &[
    ("diff/operations.rs", "folder", "the folder that a command line runs in"),
    ("judge/golden.rs", "from", "where a link begins, in any contract"),
    ("judge/golden.rs", "to", "where a link ends, in any contract"),
    ("load/derive.rs", "from", "a member of JSON Patch"),
    ("report/junit.rs", "note", "a property of the report"),
    ("report/repeat.rs", "folder", "the folder that a command line ran in"),
    ("rewrite/tests.rs", "from", "the old name of a key"),
    ("rewrite/tests.rs", "to", "the new name of a key"),
    ("tap/lines.rs", "folder", "the folder that a command line ran in"),
    ("transport/cli.rs", "folder", "the folder that a command line runs in"),
    ("transport/mcp/server.rs", "folder", "the folder that a program runs in"),
];

#[test]
fn words_of_contracts_stand_in_their_own_folders() {
    let vocabulary = words::Vocabulary::of(&root().join("schemas"));
    let found = words::found(&Tree::of(&files("conformance")), &vocabulary, "contracts/");
    let known: BTreeSet<(&str, &str)> = OTHER_MEANINGS.iter().map(|(file, word, _)| (*file, *word)).collect();
    let is_known = |(file, word): &(String, String)| known.contains(&(file.as_str(), word.as_str()));
    let new: Vec<_> = found.iter().filter(|(place, _)| !is_known(place)).collect();
    assert!(new.is_empty(), "words of contracts, and the lines that they stand in: {new:#?}");
    assert_eq!(found.len(), known.len(), "take out of the list what does not stand there any more");
}

#[test]
fn every_rule_is_used() {
    let checks = ["fixtures", "schemas"].iter().flat_map(|folder| WalkDir::new(root().join(folder)));
    let files =
        checks.map(|entry| entry.unwrap().into_path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
    let text: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let unused: Vec<&str> =
        conformance::contracts::rule_names().filter(|name| !text.contains(&format!("\"rule\": \"{name}\""))).collect();
    assert!(unused.is_empty(), "rules that no check uses: {unused:?}");
}

#[test]
fn a_module_imports_lower_layers_only() {
    let files = files("conformance");
    let layers: Vec<Layer> = layers(&files["lib.rs"]);
    let names: Vec<String> = layers.into_iter().map(|layer| layer.name).collect();
    assert_eq!(upward(&Tree::of(&files), &names), BTreeSet::new(), "see the list of layers in src/lib.rs");
}

#[test]
fn files_do_not_import_each_other() {
    let arrows = Tree::of(&files("conformance")).arrows();
    let found = cycles(arrows.into_iter().map(|arrow| (arrow.from, arrow.to)));
    assert!(found.is_empty(), "files that import each other: {found:?}");
}

#[test]
fn only_listed_files_touch_the_world() {
    let files = files("conformance");
    let found = touch::world(&Tree::of(&files));
    let listed: BTreeSet<&str> = TOUCHES_THE_WORLD.iter().copied().collect();
    let new: Vec<_> = found.iter().filter(|(file, _)| !listed.contains(file.as_str())).collect();
    assert!(new.is_empty(), "files that are pure as far as this test knows: {new:#?}");
    let gone: Vec<&&str> = listed.iter().filter(|file| !found.contains_key(**file)).collect();
    assert!(gone.is_empty(), "files that touch nothing any more; take them out of the list: {gone:#?}");
    for layer in layers(&files["lib.rs"]).iter().filter(|layer| layer.is_pure) {
        let touched = listed.iter().find(|file| arrows::top(file).as_ref() == Some(&layer.name));
        assert_eq!(touched, None, "`{}` is pure, says src/lib.rs", layer.name);
    }
}

#[test]
fn the_signals_and_orphans_of_a_process_belong_to_its_program() {
    let tree = Tree::of(&files("conformance"));
    let of_the_process = ["tokio::signal", "rustix::process::set_child_subreaper"];
    for module in tree.modules.values() {
        let found: Vec<_> = tree
            .outside(&module.file)
            .filter(|(path, _)| of_the_process.iter().any(|one| path.starts_with(one)))
            .collect();
        assert!(found.is_empty(), "{} takes from the program that uses us: {found:?}", module.file);
    }
}

#[test]
fn nothing_is_redacted_before_it_is_judged_and_nothing_unredacted_is_written() {
    let tree = Tree::of(&files("conformance"));
    assert_eq!(redaction::found(&tree, REDACTS), BTreeSet::new());
}

/// A layer, as the first page of the crate names it: `//! 1. `text`, pure: …`.
struct Layer {
    name: String,
    is_pure: bool,
}

/// The layers of a crate, the lowest first.
fn layers(page: &str) -> Vec<Layer> {
    let items = page.lines().filter_map(|line| line.strip_prefix("//! ")?.split_once(". `"));
    let items = items.filter(|(number, _)| number.parse::<usize>().is_ok());
    let layers = items.filter_map(|(_, rest)| {
        let (name, rest) = rest.split_once('`')?;
        Some(Layer { name: name.to_owned(), is_pure: rest.starts_with(", pure") })
    });
    layers.collect()
}

/// The source files of a package, by their paths below `src`.
fn files(package: &str) -> BTreeMap<String, String> {
    let src = root().join(package).join("src");
    let paths = WalkDir::new(&src).into_iter().map(|entry| entry.unwrap().into_path());
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let named = |path: &Path| path.strip_prefix(&src).unwrap().to_str().unwrap().to_owned();
    paths.map(|path| (named(&path), fs::read_to_string(&path).unwrap())).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}
