//! What people read names commands, options and contracts that are there.

use crate::{listed, xtask};
use conformance::load::Suite;
use rstest::rstest;
use std::collections::BTreeMap;
use std::fs;
use testing::{root, said};

/// The commands that a text names, each with its options.
fn commands(text: &str) -> Vec<(String, Vec<String>)> {
    let mut commands = Vec::new();
    for line in text.lines() {
        // Whoever installed it types another name.
        let line = line.replace("retrieval-contracts ", "cargo xtask ").replace("cargo xtask-release ", "cargo xtask ");
        for rest in line.split("cargo xtask ").skip(1) {
            let rest = rest.split(['`', '#', '|', ';']).next().unwrap();
            // What stands in quotation marks are the words of another program.
            let rest = rest.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
            let words = rest.split_whitespace().map(|word| word.trim_end_matches([',', '.', ':', ')']));
            let mut words = words.peekable();
            // `cargo xtask …` stands for any of them.
            let is_name = |word: &str| word.chars().all(|one| one.is_ascii_lowercase() || one == '-');
            let Some(name) = words.next().filter(|name| is_name(name)) else { continue };
            // These have commands of their own.
            let inner = words.next_if(|inner| ["reference", "dev"].contains(&name) && is_name(inner));
            let inner = inner.map_or_else(String::new, |inner| format!(" {inner}"));
            let options = words.filter_map(|word| word.split('=').next().filter(|word| word.starts_with("--")));
            commands.push((format!("{name}{inner}"), options.map(str::to_owned).collect()));
        }
    }
    commands
}

#[rstest]
#[case::readme("README.md", 5)]
#[case::gate("docs/gate.md", 10)]
#[case::debug("docs/debug.md", 12)]
#[case::review("docs/review.md", 7)]
#[case::changes("docs/changes.md", 10)]
#[case::mcp("docs/mcp.md", 4)]
#[case::reports("docs/reports.md", 1)]
#[case::contributing("CONTRIBUTING.md", 15)]
#[case::ci("docs/ci.md", 1)]
#[case::pull_requests("docs/pull-requests.md", 5)]
#[case::legal_answers("docs/legal.md", 5)]
#[case::revisions("docs/revisions.md", 2)]
#[case::tap("docs/tap.md", 3)]
#[case::seeding("docs/seeding.md", 3)]
#[case::own_contract("docs/own-contract.md", 12)]
#[case::example_of_an_own_contract("conformance/examples/own-contract/README.md", 3)]
#[case::example_in_python("conformance/examples/python-recall/README.md", 2)]
#[case::example_in_typescript("conformance/examples/typescript-memory/README.md", 1)]
#[case::example_in_rust("conformance/examples/rust-memory/README.md", 1)]
#[case::example_on_sdks("conformance/examples/sdk-memory/README.md", 4)]
#[case::example_of_revisions("conformance/examples/sdk-remnote/README.md", 4)]
fn every_command_and_option_that_is_named_is_there(#[case] file: &str, #[case] least: usize) {
    let commands = commands(&fs::read_to_string(root().join(file)).unwrap());
    assert!(commands.len() >= least, "{commands:?}");
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    for (command, options) in commands {
        let help = helps.entry(command.clone()).or_insert_with(|| {
            let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
            let said = said(&mut xtask(&words));
            assert_eq!(said.code, Some(0), "{file} names `{command}`: {}", said.err);
            said.out
        });
        for option in options {
            assert!(help.contains(&option), "{file} gives `{command}` the option {option}, which it does not have");
        }
    }
}

#[rstest]
#[case::gate("docs/gate.md")]
#[case::mcp("docs/mcp.md")]
fn every_requirement_of_an_example_is_there(#[case] file: &str) {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let suite = Suite::load(root()).unwrap();
    let ids: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("requirement = \"")?.split('"').next()).collect();
    assert!(!ids.is_empty());
    for id in ids {
        assert!(suite.requirement(id).is_some(), "{file} names {id}");
    }
}

#[test]
fn the_program_prints_its_pages() {
    let listed = said(&mut xtask(&["docs"])).out;
    let pages = fs::read_dir(root().join("docs")).unwrap().count() + 1;
    assert_eq!(listed.lines().count(), pages, "{listed}");
    assert!(listed.contains("Gating a program"), "{listed}");
    for name in ["gate", "docs/gate.md"] {
        assert_eq!(said(&mut xtask(&["docs", name])).out, fs::read_to_string(root().join("docs/gate.md")).unwrap());
    }
    let unknown = said(&mut xtask(&["docs", "gat"]));
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("no page is called `gat`; did you mean `gate`?"), "{}", unknown.err);
}

#[test]
fn every_command_of_the_help_is_in_a_document() {
    let documents = ["README.md", "CONTRIBUTING.md"].map(|file| root().join(file)).into_iter();
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let text: String = documents.chain(pages).map(|file| fs::read_to_string(file).unwrap()).collect();
    let text = text.replace("retrieval-contracts ", "cargo xtask ");
    let names = |words: &[&str]| listed(&said(&mut xtask(words)).out);
    let (top, dev) = (names(&["--help"]), names(&["dev", "--help"]));
    assert!(top.len() > 15 && dev.len() > 4, "{top:?} {dev:?}");
    let dev = dev.into_iter().map(|name| format!("dev {name}"));
    for name in top.into_iter().filter(|name| name != "dev").chain(dev).filter(|name| !name.ends_with("help")) {
        let named = ["cargo xtask", "cargo xtask-release"].map(|program| format!("{program} {name}"));
        assert!(named.iter().any(|named| text.contains(named)), "no document mentions `{name}`");
    }
}

#[test]
fn the_table_of_contracts_has_each_of_them_with_its_transports() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let suite = Suite::load(root()).unwrap();
    for contract in &suite.contracts {
        let start = format!("| `{}` |", contract.contract.name);
        let row = readme.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row {start}"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (about, over) = (cells[2], cells[3]);
        assert!(!about.is_empty(), "{row} does not say what the contract is about");
        let operations = || contract.contract.operations.values();
        let spoken = [
            ("a command line", operations().any(|one| one.cli.is_some())),
            ("HTTP", operations().any(|one| one.http.is_some())),
            ("MCP", operations().any(|one| one.mcp.is_some())),
        ];
        for (words, is_spoken) in spoken {
            assert_eq!(over.contains(words), is_spoken, "{row}");
        }
    }
}
