//! The same for the reference, where a contract is a folder beside the transports.

use super::arrows::{cycles, top, upward};
use super::tree::Tree;
use super::words::{self, Vocabulary};
use super::{Layer, files, layers, root};
use std::collections::BTreeSet;

#[test]
fn a_module_imports_lower_layers_only() {
    let files = files("reference");
    let mut names = Vec::new();
    for Layer { name, .. } in layers(&files["lib.rs"]) {
        match name.as_str() {
            "CONTRACTS" => names.extend(testing::contracts()),
            _ => names.push(name),
        }
    }
    assert_eq!(upward(&Tree::of(&files), &names), BTreeSet::new(), "see the list of layers in reference/src/lib.rs");
}

#[test]
fn no_two_files_import_each_other() {
    let arrows = Tree::of(&files("reference")).arrows();
    assert_eq!(cycles(arrows.into_iter().map(|arrow| (arrow.from, arrow.to))), Vec::<BTreeSet<String>>::new());
}

#[test]
fn a_contract_imports_no_other() {
    let contracts = testing::contracts();
    let arrows = Tree::of(&files("reference")).arrows().into_iter();
    let is_contract = |name: &String| contracts.contains(name);
    let between = arrows.filter(|arrow| match (top(&arrow.from), top(&arrow.to)) {
        (Some(from), Some(to)) => from != to && is_contract(&from) && is_contract(&to),
        _ => false,
    });
    let between: Vec<String> = between.map(|arrow| arrow.to_string()).collect();
    assert_eq!(between, [""; 0]);
}

/// The list of contracts is in `lib.rs`.
#[test]
fn words_of_contracts_are_in_their_folders() {
    let contracts = testing::contracts();
    let vocabulary = Vocabulary::of(&root().join("schemas"));
    let found = words::found(&Tree::of(&files("reference")), &vocabulary, "lib.rs");
    let outside = found.into_keys().filter(|(file, _)| top(file).is_some_and(|top| !contracts.contains(&top)));
    assert_eq!(outside.collect::<Vec<_>>(), []);
}
