//! Runs from inside a test: what a program that conforms, one that does not, and one that is not there come to.

use conformance::gate::Gate;
use conformance::load::Suite;
use conformance::model::{Conclusion, KnownFile};
use conformance::targets::TargetFile;
use insta::assert_snapshot;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};

static SUITE: LazyLock<Arc<Suite>> = LazyLock::new(|| Arc::new(Suite::load(testing::root()).unwrap()));

/// A program that begins every answer with something of its own.
const CHATTY: [&str; 3] = ["sh", "-c", "echo working; echo H records=0"];

/// The one requirement that is looked at.
const FIRST: &str = "records.header-first";

fn chatty() -> Gate {
    Gate::cli(Arc::clone(&SUITE), "records", &CHATTY).only(FIRST)
}

#[tokio::test]
async fn a_program_that_does_not_conform_fails_the_test_with_what_is_wrong() {
    let run = chatty().run().await.unwrap();
    assert!(!run.conforms());
    assert_eq!(run.totals.exit_code, 1);
    let panic = catch_unwind(AssertUnwindSafe(|| run.assert_conforms())).unwrap_err();
    let message = panic.downcast::<String>().unwrap();
    // What follows repeats the call in folders of this machine.
    let shown: Vec<&str> = message.lines().take_while(|line| !line.contains("repeat: ")).collect();
    // Where the shell is depends on the machine.
    let shell = which::which("sh").unwrap();
    assert_snapshot!(shown.join("\n").replace(&format!("  {} -c", shell.display()), "  sh -c"));
}

#[tokio::test]
async fn what_is_known_to_be_wrong_is_excused_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known.toml");
    fs::write(&known, format!("[[known-failure]]\nrequirement = \"{FIRST}\"\nreason = \"see our #12\"\n")).unwrap();
    let run = chatty().known_failures(&known).unwrap().run().await.unwrap();
    run.assert_conforms();
    assert!(run.summary().contains("see our #12"), "{}", run.summary());
    let again = chatty().known_failures(&known).unwrap().known_failures(&known).unwrap_err();
    assert!(again.to_string().contains("known.toml: the known failure records.header-first is named twice"), "{again}");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let run = Gate::cli(Arc::clone(&SUITE), "records", &["no-such-program"]).run().await.unwrap();
    assert_eq!(run.totals.conclusion, Conclusion::NotReachable);
    assert!(run.summary().contains("the program `no-such-program` cannot be started"), "{}", run.summary());
}

#[tokio::test]
async fn a_program_that_answers_every_command_with_next_to_nothing_does_not_conform() {
    for script in ["exit 0", "echo", "echo working", "echo H qipu=1", r"printf '\377'"] {
        let run = Gate::cli(Arc::clone(&SUITE), "records", &["sh", "-c", script]).run().await.unwrap();
        assert_eq!(run.totals.conclusion, Conclusion::DoesNotConform, "{script}: {}", run.summary());
    }
}

#[tokio::test]
async fn names_that_lead_nowhere_are_told_with_the_nearest() {
    let contract = Gate::cli(Arc::clone(&SUITE), "recrods", &CHATTY).run().await.unwrap_err();
    assert!(contract.to_string().contains("unknown contract `recrods`; did you mean `records`?"), "{contract}");
    let requirement = chatty().only("records.header-frist").run().await.unwrap_err();
    assert!(requirement.to_string().contains("did you mean `records.header-first`?"), "{requirement}");
}

#[tokio::test]
async fn a_target_file_is_taken_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("conformance.toml");
    let text = "name = \"chatty\"\n[[endpoint]]\ncontract = \"records\"\ncli = [\"sh\", \"-c\", \"echo working\"]\n";
    fs::write(&file, text).unwrap();
    let file = TargetFile::read(&file, &SUITE).unwrap();
    let run = Gate::of(Arc::clone(&SUITE), file).only(FIRST).run().await.unwrap();
    assert_eq!((run.header.target.as_str(), run.totals.exit_code), ("chatty", 1));
}

#[test]
fn a_file_of_known_failures_tells_all_that_is_wrong_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("known.toml");
    fs::write(&file, "[[unsupported]]\nrequirement = \"records.none\"\nreason = \"\"\n").unwrap();
    let error = KnownFile::read(&file, &SUITE).unwrap_err().to_string();
    assert!(error.contains("unknown requirement `records.none`"), "{error}");
    assert!(error.contains("`records.none` has no reason"), "{error}");
}
