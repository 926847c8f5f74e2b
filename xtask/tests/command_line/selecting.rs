//! Which cases are run: patterns, and what failed in the last run.

use crate::xtask;
use rstest::rstest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use testing::{Said, Script, said};

/// The reference, but it says that it left something out when it did not, until a file `fixed` is beside it.
fn repairable() -> Script {
    let reference = format!("'{}' qipu \"$@\"", testing::reference().unwrap().display());
    let faulty = "[ -z \"$said\" ] || printf '%s\\n' \"$said\" | sed 's/ truncated=false/ truncated=true/'";
    Script::new(&format!(
        "[ -e \"${{0%/*}}/fixed\" ] && exec {reference}\nsaid=$({reference})\ncode=$?\n{faulty}\nexit $code\n"
    ))
}

/// A run in a folder, which leaves a log there.
fn verify(program: &Script, folder: &Path, words: &[&str]) -> Said {
    let line = program.line();
    said(xtask(&["verify", "records", "--cli", &line, "--log", "run.ndjson"]).args(words).current_dir(folder))
}

/// The findings of the last run in a folder.
fn findings(folder: &Path) -> Vec<Value> {
    let log = fs::read_to_string(folder.join("run.ndjson")).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|mut line| line.get_mut("finding").map(Value::take)).collect()
}

/// What the findings of the last run in a folder have under a name.
fn named(folder: &Path, name: &str) -> BTreeSet<String> {
    findings(folder).iter().map(|one| one["finding"][name].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_pattern_is_matched_as_a_whole_and_a_text_anywhere() {
    let (program, folder) = (repairable(), tempfile::tempdir().unwrap());
    let run = verify(&program, folder.path(), &["--case", "header/link-[tp]*", "--case", "er/contex"]);
    let cases = ["header/context", "header/link-path", "header/link-tree", "order/context", "order/context-several"];
    assert_eq!(named(folder.path(), "case"), cases.map(str::to_owned).into(), "{}", run.err);
    let words = ["--only", "records.header-t*", "--only", "records.header-first", "--case", "header/*"];
    verify(&program, folder.path(), &words);
    let requirements = named(folder.path(), "requirement");
    assert!(requirements.contains("records.header-first"), "{requirements:?}");
    assert!(requirements.contains("records.header-truncated"), "{requirements:?}");
    let is_asked = |id: &String| id.starts_with("records.header-t") || id == "records.header-first";
    assert!(requirements.iter().all(is_asked), "{requirements:?}");
}

#[rstest]
#[case::no_requirement(&["--only", "records.nothing-*"], "no requirement matches `records.nothing-*`")]
#[case::near(&["--only", "records.header-firts"], "records.header-first")]
#[case::no_case(&["--case", "heeder/context"], "no case was selected; did you mean `header/context`?")]
#[case::no_case_matches(&["--case", "nothing/*"], "header/")]
fn what_matches_nothing_is_answered_with_what_there_is(#[case] words: &[&str], #[case] expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let run = verify(&repairable(), folder.path(), words);
    assert_ne!(run.code, Some(0), "{}", run.out);
    assert!(run.err.contains(expected), "{}", run.err);
}

#[test]
fn the_cases_that_failed_are_run_again_until_they_pass() {
    let (program, folder) = (repairable(), tempfile::tempdir().unwrap());
    let again = || verify(&program, folder.path(), &["--last-failed"]);
    let unknown = again();
    assert!(unknown.err.contains("run it without --last-failed first"), "{}", unknown.err);
    let first =
        verify(&program, folder.path(), &["--case", "header/context", "--case", "refusals/*", "--case", "formats/*"]);
    assert_eq!(first.code, Some(1), "{}", first.err);
    let all = findings(folder.path());
    let failing = all.iter().filter(|one| one["outcome"] == "violated");
    let failing: BTreeSet<String> = failing.map(|one| one["finding"]["case"].as_str().unwrap().to_owned()).collect();
    assert!(failing.len() < named(folder.path(), "case").len(), "some pass: {failing:?}");
    let second = again();
    assert_eq!((second.code, named(folder.path(), "case")), (Some(1), failing.clone()), "{}", second.err);
    fs::write(program.file("fixed"), "").unwrap();
    let fixed = again();
    assert_eq!((fixed.code, named(folder.path(), "case")), (Some(0), failing), "{}", fixed.err);
    let none = again();
    assert_ne!(none.code, Some(0));
    assert!(none.err.contains("no case failed in the last run"), "{}", none.err);
}

#[test]
fn a_log_that_names_one_case_as_before_is_judged() {
    let (program, folder) = (repairable(), tempfile::tempdir().unwrap());
    let log = folder.path().join("run.ndjson");
    let run = verify(&program, folder.path(), &["--case", "header/context"]);
    let requirements = named(folder.path(), "requirement");
    let text = fs::read_to_string(&log).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    assert_eq!(header["selection"]["cases"], serde_json::json!(["header/context"]));
    header["selection"] = serde_json::json!({ "contracts": ["records"], "case": "header/context" });
    fs::write(&log, format!("{header}\n{rest}")).unwrap();
    let again = tempfile::tempdir().unwrap();
    let judged = said(xtask(&["judge", "--format", "json", "--log", "run.ndjson"]).arg(&log).current_dir(again.path()));
    assert_eq!(judged.code, run.code, "{}", judged.err);
    assert_eq!(named(again.path(), "requirement"), requirements);
    let report: Value = serde_json::from_str(&judged.out).unwrap();
    assert_eq!(report["run"]["selection"]["cases"], serde_json::json!(["header/context"]));
}
