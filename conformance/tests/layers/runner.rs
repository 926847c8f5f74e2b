//! The same for the runner, whose commands are grouped by who uses them.

use super::arrows::{cycles, top, upward};
use super::tree::Tree;
use super::words::{self, Vocabulary};
use super::{files, layers, root};
use std::collections::{BTreeMap, BTreeSet};

/// Files with words of a contract outside of help, each with the reason.
const WORDS_OF_CONTRACTS: &[(&str, &str)] =
    &[("dev/tokens.rs", "it measures what the document of one contract claims")];

/// The library. What makes a program of it is one call.
fn sources() -> BTreeMap<String, String> {
    let mut files = files("xtask");
    files.retain(|name, _| name != "main.rs" && name != "standalone.rs");
    files
}

#[test]
fn a_module_imports_lower_layers_only() {
    let files = sources();
    let names: Vec<String> = layers(&files["lib.rs"]).into_iter().map(|layer| layer.name).collect();
    assert_eq!(upward(&Tree::of(&files), &names), BTreeSet::new(), "see the list of layers in xtask/src/lib.rs");
}

#[test]
fn no_two_files_import_each_other() {
    let arrows = Tree::of(&sources()).arrows();
    assert_eq!(cycles(arrows.into_iter().map(|arrow| (arrow.from, arrow.to))), Vec::<BTreeSet<String>>::new());
}

#[test]
fn a_group_of_commands_imports_no_other() {
    let groups = ["author", "dev", "implementation"].map(str::to_owned);
    let is_group = |file: &str| top(file).is_some_and(|top| groups.contains(&top));
    let arrows = Tree::of(&sources()).arrows().into_iter();
    let between =
        arrows.filter(|arrow| is_group(&arrow.from) && is_group(&arrow.to) && top(&arrow.from) != top(&arrow.to));
    assert_eq!(between.map(|arrow| arrow.to_string()).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn contracts_are_named_in_help_alone() {
    let vocabulary = Vocabulary::of(&root().join("schemas"));
    let found = words::found(&Tree::of(&sources()), &vocabulary, "contracts/");
    let files: BTreeSet<&str> = found.keys().map(|(file, _)| file.as_str()).collect();
    assert_eq!(files, WORDS_OF_CONTRACTS.iter().map(|(file, _)| *file).collect(), "{found:#?}");
}
