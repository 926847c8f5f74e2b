//! The architecture, kept by tests: who may know whom, who may touch the world, what is generated, how long a file is.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

use conformance::schemas;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The longest that a file may be before it is two ideas.
const MOST_LINES: usize = 400;

#[test]
fn judge_and_reference_do_not_know_each_other() {
    for (package, other) in [("conformance", "reference"), ("reference", "conformance")] {
        let manifest: toml::Table = read(&root().join(package).join("Cargo.toml")).parse().unwrap();
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let named = manifest.get(kind).and_then(toml::Value::as_table).into_iter().flatten();
            let mut known = named.map(|(name, how)| how.get("package").and_then(toml::Value::as_str).unwrap_or(name));
            assert!(known.all(|name| name != other), "{package} has {other} among its {kind}");
        }
    }
}

/// Both programs have the reference inside, to start themselves as that; nothing else of the runner may call it.
#[test]
fn the_runner_starts_the_reference_as_a_process() {
    let manifest: toml::Table = read(&root().join("xtask/Cargo.toml")).parse().unwrap();
    assert_eq!(manifest["dependencies"]["reference"].get("optional"), Some(&toml::Value::Boolean(true)));
    let is_program = |file: &&PathBuf| ["main.rs", "standalone.rs"].iter().any(|name| file.ends_with(name));
    for file in rust_files(&root().join("xtask/src")).iter().filter(|file| !is_program(file)) {
        // A module of the runner has the same name.
        let text = read(file).replace("shared::reference::", "");
        assert!(!text.contains("reference::"), "{} calls the reference", file.display());
    }
}

#[test]
fn schemas_and_fixtures_have_the_same_contracts() {
    let mut schemas = folders("schemas");
    assert!(schemas.remove("suite"), "schemas/suite holds the shapes of our own files");
    assert_eq!(schemas, folders("fixtures"), "each contract has a folder below schemas/ and one below fixtures/");
}

#[test]
fn a_contract_is_called_as_its_folder() {
    for name in folders("schemas").into_iter().filter(|name| name != "suite") {
        let file = root().join("schemas").join(&name).join("contract.json");
        let contract: serde_json::Value = serde_json::from_str(&read(&file)).unwrap();
        assert_eq!(contract["name"], name.as_str(), "{}", file.display());
    }
}

#[test]
fn reference_never_reads_cases_or_goldens() {
    for file in rust_files(&root().join("reference/src")) {
        for (at, line) in read(&file).lines().enumerate() {
            let named = ["fixtures/", "goldens", "cases/", "always.json"].iter().find(|name| line.contains(*name));
            assert_eq!(named, None, "{}:{} knows what is asked of it: {line}", file.display(), at + 1);
        }
    }
}

#[test]
fn generated_schemas_are_fresh() {
    let folder = root().join("schemas/suite");
    let mut files: BTreeSet<String> =
        fs::read_dir(&folder).unwrap().map(|entry| name_of(&entry.unwrap().path())).collect();
    for (name, schema) in schemas::file_schemas() {
        let is_fresh = fs::read_to_string(folder.join(name)).is_ok_and(|text| text == format!("{schema:#}\n"));
        assert!(is_fresh, "schemas/suite/{name} is stale; run `cargo xtask dev generate`");
        files.remove(name);
    }
    files.retain(|name| name.ends_with(".schema.json"));
    assert_eq!(files, BTreeSet::new(), "schemas that no type of the model makes; delete them");
}

#[test]
fn every_file_is_one_idea() {
    let too_long: Vec<String> = ["conformance", "reference", "testing", "xtask"]
        .iter()
        .flat_map(|package| rust_files(&root().join(package)))
        .map(|file| (read(&file).lines().count(), file))
        .filter(|(lines, _)| *lines > MOST_LINES)
        .map(|(lines, file)| format!("{} has {lines} lines", file.display()))
        .collect();
    assert!(too_long.is_empty(), "past {MOST_LINES} lines a file is two ideas: {too_long:#?}");
}

/// The Rust files below a folder, or the file itself.
fn rust_files(below: &Path) -> Vec<PathBuf> {
    let files = WalkDir::new(below).into_iter().map(|entry| entry.unwrap().into_path());
    let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect();
    assert!(!files.is_empty(), "{} holds no Rust file", below.display());
    files
}

/// The names of the folders right below a folder of the checkout.
fn folders(name: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(name)).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).map(|path| name_of(&path)).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}
