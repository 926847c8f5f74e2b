//! The lists of revisions that have shipped.

use conformance::diff::frozen::{Frozen, stale};
use conformance::load::Suite;
use conformance::model::KnownFile;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// The contracts of this repository in a folder of their own.
fn contracts() -> TempDir {
    let folder = tempdir().expect("a folder");
    for name in ["schemas", "fixtures"] {
        testing::copy(&testing::root().join(name), &folder.path().join(name));
    }
    folder
}

fn edit(root: &Path, file: &str, change: impl FnOnce(&mut Value)) {
    let path = root.join(file);
    let mut value: Value = serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
    change(&mut value);
    fs::write(path, value.to_string()).expect("written");
}

fn only(root: &Path) -> Frozen {
    let mut all = stale(root).expect("contracts");
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

#[test]
fn lists_are_fresh() {
    let files: Vec<PathBuf> = stale(testing::root()).expect("contracts").into_iter().map(|one| one.file).collect();
    assert_eq!(files, [] as [PathBuf; 0], "run `cargo xtask dev generate`");
}

#[test]
fn a_list_is_written_again_when_an_erratum_says_why() {
    let folder = contracts();
    let root = folder.path();
    edit(root, "schemas/recall/contract.json", |contract| {
        let first = &mut contract["requirements"][0];
        first["text"] = json!("It is otherwise.");
    });
    let refused = only(root).refused.expect("a reason is missing");
    assert!(refused.starts_with("revision 1 of recall has shipped, and it is not what it was:"), "{refused}");
    assert!(refused.contains("## Erratum of revision 1"), "{refused}");
    let fingerprint = refused.rsplit('`').nth(1).expect("a fingerprint");
    let list = root.join("schemas/recall/changes.md");
    let changes = fs::read_to_string(&list).expect("a list");
    let written =
        |heading: &str| fs::write(&list, format!("{changes}\n## {heading}\n\n- `{fingerprint}` it says so\n"));
    written("Revision 1").expect("written");
    assert!(only(root).refused.is_some(), "a revision that has shipped is approved by errata");
    written("Erratum of revision 1").expect("written");
    let fresh = only(root);
    assert_eq!(fresh.refused, None);
    fs::write(root.join(fresh.file), fresh.text.expect("a list")).expect("written");
    assert_eq!(stale(root).expect("contracts"), []);
}

/// How it is checked belongs to the version of the suite, and what explains a schema promises nothing.
#[test]
fn checks_and_descriptions_are_no_part_of_a_list() {
    let folder = contracts();
    let root = folder.path();
    edit(root, "schemas/memory/search.input.schema.json", |schema| schema["title"] = json!("What is asked"));
    fs::remove_file(root.join("fixtures/memory/cases/answer/nothing-found.json")).expect("removed");
    assert_eq!(stale(root).expect("contracts"), []);
}

#[test]
fn a_revision_that_has_shipped_stays_so_unless_an_erratum_says_why() {
    let folder = contracts();
    let root = folder.path();
    edit(root, "schemas/recall/revisions.json", |file| file["revisions"][0]["frozen"] = json!(false));
    let list = only(root);
    assert_eq!((list.file, list.text), (PathBuf::from("schemas/recall/frozen/1.json"), None));
    let refused = list.refused.expect("a reason is missing");
    assert!(refused.starts_with("recall@1 has shipped, and revisions.json does not say so any more."), "{refused}");
    let fingerprint = refused.rsplit('`').nth(1).expect("a fingerprint");
    let changes = root.join("schemas/recall/changes.md");
    let written = fs::read_to_string(&changes).expect("a list");
    fs::write(&changes, format!("{written}\n## Erratum of revision 1\n\n- `{fingerprint}` it never shipped\n"))
        .expect("written");
    assert_eq!(only(root).refused, None);
}

/// Target files of others go on to name what was renamed.
#[test]
fn who_names_an_old_id_is_told_the_new_one() {
    let folder = contracts();
    edit(folder.path(), "schemas/recall/contract.json", |contract| {
        contract["requirements"][0]["formerly"] = json!(["recall.search-there"]);
    });
    let suite = Suite::load(folder.path()).expect("a suite");
    let known = folder.path().join("known.toml");
    let text = "[[known-failure]]\nrequirement = \"recall.search-there\"\nreason = \"our #12\"\n";
    fs::write(&known, text).expect("written");
    let refused = KnownFile::read(&known, &suite).expect_err("it has another name").to_string();
    let due = "unknown requirement `recall.search-there`; it is called `recall.search-offered` now";
    assert!(refused.contains(due), "{refused}");
}
