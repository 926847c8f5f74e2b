//! What it does, and how it calls itself.

use crate::Machine;
use rstest::rstest;
use std::fs;
use std::path::Path;

#[test]
fn it_judges_the_reference_that_it_carries() {
    let machine = Machine::new();
    for (contract, case, named) in [
        ("records", "edges/", "\nrecords@1 ("),
        ("recall", "params/start-time", " requirements: "),
        ("outline", "", "\noutline@1 ("),
    ] {
        let said = machine.says(&["verify", contract, "--case", case, "-q"]);
        assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
        assert!(said.out.contains(named) && said.out.contains(" verified"), "{}", said.out);
        assert!(said.out.contains("\nconforms: "), "{}", said.out);
    }
    assert_eq!(fs::read_dir(machine.path("work")).unwrap().count(), 0, "it leaves nothing behind");
}

#[test]
fn it_explains_with_answers_of_the_reference() {
    let said = Machine::new().says(&["explain", "recall.start-time-required"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("  retrieval-contracts verify recall --http ADDRESS --only "), "{}", said.out);
}

#[test]
fn it_carries_the_documentation() {
    let said = Machine::new().says(&["docs", "gate"]);
    assert!(
        said.out.starts_with("# Gating a program\n") && !said.out.contains("    cargo xtask"),
        "{}{}",
        said.out,
        said.err
    );
}

#[test]
fn a_seed_command_is_given_a_folder_with_the_corpora() {
    let machine = Machine::new();
    let seed = r#"cp "$1/recall/corpus/frames.ndjson" frames.ndjson && printf '%s' "$CORPUS" >corpus"#;
    let target = format!(
        "name = 'x'\nseed = ['/bin/sh', '-c', '''{seed}''', 'seed', '{{corpus}}']\n\
         [[endpoint]]\ncontract = 'records'\ncli = ['{}', 'reference', 'qipu']\n",
        machine.program().display()
    );
    fs::write(machine.path("work/target.toml"), target).unwrap();
    let mut command = machine.command(&["verify", "--target", "target.toml", "--case", "edges/list"]);
    let said = crate::said(command.env("PATH", "/usr/bin:/bin"));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let corpus = fs::read_to_string(machine.path("work/corpus")).unwrap();
    assert_eq!(Path::new(&corpus), machine.unpacked()[0].join("fixtures"));
    let frames = fs::read(machine.path("work/frames.ndjson")).unwrap();
    assert_eq!(frames, fs::read(Path::new(&corpus).join("recall/corpus/frames.ndjson")).unwrap());
}

#[test]
fn every_help_calls_it_by_its_name() {
    let machine = Machine::new();
    let help = machine.says(&["--help"]).out;
    let listed = help.split("\nOptions:\n").next().unwrap();
    // A line that goes on with a description is further in.
    let lines = listed.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names: Vec<&str> = lines.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(names.contains(&"verify") && !names.contains(&"dev") && !names.contains(&"edits"), "{help}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let help = machine.says(&[name, "--help"]).out;
        assert!(help.contains(&format!("Usage: retrieval-contracts {name}")), "{help}");
        assert!(!help.contains("xtask"), "{help}");
        let page = machine.says(&["man", name]).out;
        assert!(!page.is_empty() && !page.contains("xtask"), "{page}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = machine.says(&["completions", shell]).out;
        assert!(script.contains("retrieval-contracts") && !script.contains("xtask"), "{shell}");
    }
}

#[rstest]
#[case::edits(&["edits", "recall"])]
#[case::bless(&["bless", "--write"])]
fn what_needs_a_checkout_says_so(#[case] words: &[&str]) {
    let said = Machine::new().says(words);
    let name = words[0];
    let due = format!("error: {name} works on a checkout of the repository: run `cargo xtask {name}` there\n");
    assert_eq!((said.code, said.out.as_str(), said.err), (Some(2), "", due));
}

#[rstest]
#[case::at_the_top(&["mutants"], "tip: did you mean `cargo xtask dev mutants`, in a checkout of the repository?")]
#[case::where_it_is_in_a_checkout(&["dev", "mutants"], "unrecognized subcommand 'dev'")]
fn what_is_for_the_repository_is_not_installed(#[case] words: &[&str], #[case] due: &str) {
    let said = Machine::new().says(words);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains(due), "{}", said.err);
}
