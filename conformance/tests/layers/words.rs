//! Words of the contracts in the code of the judge.

use super::tree::Tree;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What contracts call things.
#[derive(Default)]
pub(crate) struct Vocabulary {
    /// Names of contracts: seen in texts and in every word of an identifier.
    pub(crate) contracts: BTreeSet<String>,
    /// Names of operations, tools and arguments that one contract alone has: seen as whole texts, and as words of a longer one
    /// where they have several parts themselves.
    pub(crate) documents: BTreeSet<String>,
}

impl Vocabulary {
    /// The words of the contracts of a checkout.
    pub(crate) fn of(schemas: &Path) -> Self {
        let mut vocabulary = Self::default();
        let mut holders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let read = |file: &Path| -> Value { serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap() };
        for folder in std::fs::read_dir(schemas).unwrap().map(|entry| entry.unwrap().path()) {
            let Some(contract) = Some(folder.join("contract.json")).filter(|file| file.is_file()) else { continue };
            let contract = read(&contract);
            let name = contract["name"].as_str().unwrap().to_owned();
            for (called, operation) in contract["operations"].as_object().unwrap() {
                let input = read(&folder.join(operation["input"].as_str().unwrap()));
                let arguments = input["properties"].as_object().into_iter().flatten().map(|(name, _)| name);
                let tool = operation["mcp"]["tool"].as_str().map(str::to_owned);
                for word in arguments.chain([called]).cloned().chain(tool) {
                    holders.entry(word).or_default().insert(name.clone());
                }
            }
            vocabulary.contracts.insert(name);
        }
        let of_one = holders.into_iter().filter(|(_, holders)| holders.len() == 1).map(|(word, _)| word);
        vocabulary.documents = of_one.filter(|word| !vocabulary.contracts.contains(word)).collect();
        vocabulary
    }
}

/// Where words of contracts stand in files outside of `but`: `file: word`.
pub(crate) fn found(tree: &Tree, vocabulary: &Vocabulary, but: &str) -> BTreeMap<(String, String), BTreeSet<usize>> {
    let mut found: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
    for module in tree.modules.values().filter(|module| !module.file.starts_with(but)) {
        for word in &module.words {
            let parts: BTreeSet<String> = parts(&word.text).collect();
            let of_contract = vocabulary.contracts.iter().filter(|name| parts.contains(*name));
            let of_document = vocabulary.documents.iter().filter(|name| word.is_text && word.text == **name);
            for name in of_contract.chain(of_document) {
                found.entry((module.file.clone(), name.clone())).or_default().insert(word.line);
            }
        }
    }
    found
}

/// The words of a text or an identifier, in lower case: `readNote`, `read_note` and `read note` have two.
fn parts(text: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::new();
    for character in text.chars() {
        if character.is_uppercase() {
            spaced.push(' ');
        }
        spaced.extend(character.to_lowercase());
    }
    let parts: Vec<String> = spaced.split(|character: char| !character.is_alphanumeric()).map(str::to_owned).collect();
    parts.into_iter().filter(|part| !part.is_empty())
}
