//! `dev new` in a copy of what it reads: what it writes, what it leaves alone, and what it refuses.

use super::xtask;
use conformance::load::Suite;
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::{TempDir, tempdir};
use testing::{Said, copy, root, said};
use walkdir::WalkDir;

/// The lists that name every contract.
const LISTS: [&str; 4] = ["README.md", "fixtures/README.md", "reference/src/lib.rs", "reference/target.toml"];
/// The folders of a contract.
const FOLDERS: [&str; 3] = ["fixtures/diary/", "reference/src/diary/", "schemas/diary/"];
const CONTRACT: &str = "schemas/diary/contract.json";

/// A checkout to write to.
struct Checkout(TempDir);

impl Checkout {
    fn new() -> Self {
        let checkout = Self(tempdir().unwrap());
        for folder in ["conformance/src/contracts", "fixtures", "reference/src", "schemas", "xtask/templates"] {
            copy(&root().join(folder), &checkout.path().join(folder));
        }
        for file in ["README.md", "reference/Cargo.toml", "reference/target.toml", "rustfmt.toml"] {
            fs::copy(root().join(file), checkout.path().join(file)).unwrap();
        }
        let git = Command::new("git").args(["init", "--quiet"]).current_dir(checkout.path()).status();
        assert!(git.unwrap().success());
        checkout
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn new_contract(&self, name: &str, like: &str) -> Said {
        said(xtask(&["dev", "new", name, "--like", like]).current_dir(self.path()))
    }

    /// Every file with its text, except git's.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let files = WalkDir::new(self.path()).into_iter().map(|entry| entry.unwrap().into_path());
        let files = files.filter(|path| path.is_file()).map(|path| {
            let name = path.strip_prefix(self.path()).unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        });
        files.filter(|(name, _)| !name.starts_with(".git/")).collect()
    }

    /// The places of the problems that the suite has.
    fn problems(&self) -> Vec<String> {
        let broken = Suite::load(self.path()).unwrap_err().to_string();
        let problems = broken.lines().filter_map(|line| line.trim().strip_prefix(CONTRACT)?.strip_prefix(" at "));
        let places: Vec<String> = problems.map(|problem| problem.split(':').next().unwrap().to_owned()).collect();
        assert_eq!(places.len() + 1, broken.lines().count(), "{broken}");
        places
    }

    /// Describes the contract, and removes the requirement that has no check.
    fn fill(&self) {
        let file = self.path().join(CONTRACT);
        let mut contract: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        contract["title"] = json!("Search over a diary");
        contract["document"] = json!("The diary, 2026-01-01");
        contract["requirements"].as_array_mut().unwrap().pop();
        fs::write(file, contract.to_string()).unwrap();
    }
}

#[rstest]
#[case::over_http_with_a_body_and_mcp("memory", 4, 3)]
#[case::over_http_with_a_query("recall", 3, 1)]
#[case::over_mcp("outline", 4, 2)]
fn a_contract_is_scaffolded(#[case] like: &str, #[case] requirements: usize, #[case] endpoints: usize) {
    let checkout = Checkout::new();
    let before = checkout.files();
    let said = checkout.new_contract("diary", like);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    let after = checkout.files();
    let changed = before.iter().filter(|(name, text)| after.get(*name) != Some(text));
    assert_eq!(changed.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), LISTS);
    let made: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    for name in &made {
        assert!(FOLDERS.iter().any(|folder| name.starts_with(folder)), "{name}");
        assert!(said.out.contains(&format!("created {name}\n")), "{}", said.out);
        let text = String::from_utf8_lossy(&after[*name]);
        assert!(!text.contains("{{") && !text.contains("// if "), "{name} is not filled in: {text}");
    }
    for name in LISTS {
        assert!(said.out.contains(&format!("added a line to {name}\n")), "{}", said.out);
        let (old, new) = (String::from_utf8_lossy(&before[name]), String::from_utf8_lossy(&after[name]));
        let lost: Vec<&str> = old.lines().filter(|line| !new.contains(line)).collect();
        assert!(lost.iter().all(|line| line.contains("::CONTRACT")), "{name} lost {lost:?}");
        assert!(new.contains("diary"), "{name}");
    }
    let target = String::from_utf8_lossy(&after["reference/target.toml"]);
    assert_eq!(target.matches("contract = \"diary\"").count(), endpoints);

    let placeholder = format!("/requirements/{requirements}");
    let mut due = ["/title".to_owned(), "/document".to_owned(), format!("{placeholder}/text"), placeholder];
    let mut problems = checkout.problems();
    due.sort();
    problems.sort();
    assert_eq!(problems, due);
    checkout.fill();
    let suite = Suite::load(checkout.path()).unwrap();
    assert_eq!(suite.contract("diary").unwrap().contract.requirements.len(), requirements);
}

#[rstest]
#[case::capital("Diary", "memory", "a name is lower-case letters and digits")]
#[case::digit_first("2diary", "memory", "a name is lower-case letters and digits")]
#[case::folder_above("../diary", "memory", "a name is lower-case letters and digits")]
#[case::nothing("", "memory", "a name is lower-case letters and digits")]
#[case::contract("recall", "memory", "schemas/recall exists")]
#[case::our_own_files("suite", "memory", "schemas/suite exists")]
#[case::module_of_the_reference("words", "memory", "reference/src/words.rs exists")]
#[case::transport("cli", "memory", "ids of requirements of a transport begin with it")]
#[case::keyword("match", "memory", "the reference cannot have a module of this name")]
#[case::crate_of_the_reference("axum", "memory", "the reference cannot have a module of this name")]
#[case::unknown_contract("diary", "memry", "unknown contract `memry`; did you mean `memory`?")]
#[case::command_line("diary", "records", "served over neither HTTP nor MCP")]
fn what_cannot_be_scaffolded_is_refused(#[case] name: &str, #[case] like: &str, #[case] due: &str) {
    let checkout = Checkout::new();
    let before = checkout.files();
    let said = checkout.new_contract(name, like);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains(due), "{}", said.err);
    assert!(checkout.files() == before, "something was written");
}

#[rstest]
#[case::folder("fixtures/diary")]
#[case::folder_of_the_reference("reference/src/diary")]
#[case::folder_of_the_judge("conformance/src/contracts/diary")]
fn what_is_there_is_never_overwritten(#[case] folder: &str) {
    let checkout = Checkout::new();
    fs::create_dir(checkout.path().join(folder)).unwrap();
    fs::write(checkout.path().join(folder).join("mine"), "mine").unwrap();
    let before = checkout.files();
    let said = checkout.new_contract("diary", "memory");
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(said.err.contains(&format!("{folder} exists")), "{}", said.err);
    assert!(checkout.files() == before, "something was written");
}

#[test]
fn a_list_of_an_unexpected_form_is_named_and_nothing_is_written() {
    let checkout = Checkout::new();
    fs::write(checkout.path().join("reference/target.toml"), "").unwrap();
    let before = checkout.files();
    let said = checkout.new_contract("diary", "memory");
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(said.err.contains("reference/target.toml has no list in the expected form"), "{}", said.err);
    assert!(checkout.files() == before, "something was written");
}
