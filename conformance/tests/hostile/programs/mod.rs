//! Real programs that do their worst: the run ends, says what happened, and leaves nothing behind.

mod reports;

use crate::trial::{PATIENT, SOON, SUITE, Trial};
use conformance::model::Outcome;
use conformance::targets::{Address, EndpointFile, TargetError, TargetFile};
use conformance::transport::TransportError;
use rstest::rstest;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use testing::Script;

/// The case that every script is tried with: one call that many requirements are about.
const CASE: &str = "header/context";

#[rstest]
#[case::hangs("sleep 1000", SOON, "timed-out")]
#[case::ignores_the_signal_to_end("trap '' TERM INT HUP; while :; do :; done", SOON, "timed-out")]
#[case::grandchild_hangs("(trap '' TERM; sleep 1000; true) & echo $! >>$PIDS; wait", SOON, "timed-out")]
#[case::prints_errors_without_end("yes error >&2", SOON, "timed-out")]
#[case::crashes("kill -SEGV $$", PATIENT, "signal")]
#[case::crashes_after_an_answer("echo 'H records=1 truncated=false'; kill -ABRT $$", PATIENT, "signal")]
#[case::is_killed("kill -KILL $$", PATIENT, "signal")]
fn a_program_that_does_not_end_by_itself(#[case] script: &str, #[case] timeout: u64, #[case] failure: &str) {
    let (trial, script) = tried(script, timeout);
    assert_eq!(trial.exchange(0)["status"], "failed");
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], failure);
    assert_eq!(trial.outcome("cli.ends-by-itself"), Some(Outcome::Violated));
    assert_eq!(trial.outcome("records.context-offered"), Some(Outcome::Violated), "a status is judged even so");
    assert_eq!(trial.outcome("records.store-relative"), Some(Outcome::NotExercised), "what is not there is not judged");
    assert_eq!(trial.log.totals.exit_code, 1);
    script.assert_nothing_runs(1);
}

#[rstest]
#[case::lines("yes")]
#[case::a_line("yes | tr -d '\\n'")]
#[case::zeros("cat /dev/zero")]
fn a_program_that_prints_more_than_we_read(#[case] script: &str) {
    let (trial, script) = tried(script, PATIENT);
    assert_eq!(trial.exchange(0)["status"], "failed");
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], "too-large");
    assert_eq!(trial.outcome("cli.ends-by-itself"), None, "we ended it");
    assert_eq!(trial.outcome("records.context-offered"), Some(Outcome::Incomplete));
    let why = &trial.finding("records.context-offered").unwrap().details[0].message;
    assert!(why.contains("as much as is read"), "{why}");
    assert_eq!(trial.log.totals.exit_code, 3);
    script.assert_nothing_runs(1);
}

/// The program has ended by itself, whoever still holds what it wrote to.
#[rstest]
#[case::lets_go_of_the_output("sleep 1000 >/dev/null 2>&1 & echo $! >>$PIDS")]
#[case::holds_the_output("sleep 1000 & echo $! >>$PIDS")]
fn a_child_does_not_outlive_the_call(#[case] child: &str, #[values(SOON, PATIENT)] timeout: u64) {
    let (trial, script) = tried(&format!("{child}; echo 'H records=0 truncated=false'"), timeout);
    assert_eq!(trial.outcome("cli.ends-by-itself"), Some(Outcome::Verified));
    assert_eq!(trial.exchange(0)["status"], "accepted");
    script.assert_nothing_runs(1);
}

#[rstest]
#[case::in_the_header("printf 'H records=1 \\377 truncated=false\\n'", 12)]
#[case::half_a_character("printf 'H records=1\\nW \\303'", 14)]
#[case::a_surrogate("printf '\\355\\240\\200'", 0)]
fn output_that_is_not_utf_8(#[case] script: &str, #[case] at: u64) {
    let (trial, _) = tried(script, PATIENT);
    assert_eq!(trial.exchange(0)["raw"]["not_utf8_at"], at);
    assert_eq!(trial.outcome("cli.utf-8"), Some(Outcome::Violated));
    assert_eq!(trial.outcome("cli.ends-by-itself"), Some(Outcome::Verified));
    assert_eq!(trial.log.totals.exit_code, 1);
}

#[rstest]
#[case::nothing("true")]
#[case::prose("echo 'No notes found.'")]
#[case::a_blank_line("echo")]
#[case::json("echo '{\"notes\": []}'")]
#[case::zeros("head -c 1000 /dev/zero")]
#[case::half_a_record("printf 'N qp-a perm'")]
#[case::terminal_escapes(r"printf '\033]0;owned\007\033[2J\033[31mred\n'")]
fn garbage_with_a_good_exit_code(#[case] script: &str) {
    let (trial, _) = tried(script, PATIENT);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    assert_eq!(trial.outcome("records.context-offered"), Some(Outcome::Violated));
    assert_eq!(trial.outcome("records.header-first"), Some(Outcome::Violated));
    assert_eq!(trial.outcome("cli.utf-8"), Some(Outcome::Verified));
    assert_eq!(trial.log.totals.exit_code, 1);
}

#[rstest]
#[case::notes(r#"N a%d b \"c\"\nS a%d d\n"#)]
#[case::edges(r#"N a%d b \"c\"\nE a%d x a1 typed\n"#)]
#[case::titles_left_open(r#"N a%d b \"c x=\"d x=\"%d\n"#)]
fn an_answer_of_very_many_records_is_judged(#[case] records: &str) {
    let script = format!(
        "awk 'BEGIN {{ print \"H records=1 truncated=false\"; for (i = 0; i < 10000; i++) printf \"{records}\", i, i }}'"
    );
    let (trial, _) = tried(&script, PATIENT);
    assert!(trial.exchange(0)["lines"].as_array().unwrap().len() > 10_000);
    assert_eq!(trial.outcome("records.header-first"), Some(Outcome::Verified));
}

#[test]
fn a_refusal_is_no_answer() {
    let (trial, _) = tried("echo 'no such store' >&2; exit 3", PATIENT);
    assert_eq!(trial.exchange(0)["status"], "refused");
    assert_eq!(trial.outcome("records.context-offered"), Some(Outcome::Violated));
    assert_eq!(trial.outcome("records.store-relative"), Some(Outcome::NotExercised));
    assert_eq!(trial.outcome("cli.ends-by-itself"), Some(Outcome::Verified));
    let why = &trial.finding("records.store-relative").unwrap().details[0].message;
    assert_eq!(why, "the call was refused: no such store");
}

#[test]
fn a_program_that_is_not_there() {
    let file = TargetFile { endpoints: vec![endpoint(&["no-such-program-7f3a"])], ..TargetFile::default() };
    let error = file.ready(&BTreeMap::new(), &|_| None).err().unwrap();
    assert!(matches!(error, TargetError::Transport(TransportError::NotThere { .. })), "{error:?}");
    assert!(error.to_string().contains("`no-such-program-7f3a`"), "{error}");
}

#[test]
fn a_program_that_goes_away_before_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("goes-away");
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(&program).unwrap();
    file.write_all(b"#!/bin/sh\n").unwrap();
    drop(file);
    let program = program.to_str().unwrap();
    let file = TargetFile { endpoints: vec![endpoint(&[program])], ..TargetFile::default() };
    let target = file.ready(&BTreeMap::new(), &|_| None).unwrap();
    fs::remove_file(program).unwrap();
    let trial = Trial::against(&SUITE, target, CASE);
    let why = trial.unreachable.expect("the program is gone").to_string();
    assert!(why.contains(program), "{why}");
}

/// What this machine or what we picked cannot do is named as that, and is no fault of the program.
#[rstest]
#[case::a_folder_that_a_call_deleted(r#"rm -rf "$PWD"; printf 'N a perm "t"\nN b perm "t"\n'"#, "deleted it")]
#[case::an_argument_that_nobody_can_pass(r#"printf 'N a perm "t"\nN b\0c perm "t"\n'"#, "NUL byte, as in `b\u{2400}c`")]
fn what_cannot_be_asked_is_not_held_against_a_program(#[case] script: &str, #[case] why: &str) {
    let (trial, _script) = tried_in("workflow/", script, PATIENT);
    assert!(trial.unreachable.is_none(), "{:?}", trial.unreachable);
    let failure = &trial.exchange(1)["raw"]["failure"];
    assert_eq!(failure["kind"], "not-asked");
    assert!(failure.to_string().contains(why), "{failure}");
    assert_eq!(trial.outcome("records.workflow"), Some(Outcome::NotExercised));
}

/// Runs the case against a script.
fn tried(script: &str, timeout: u64) -> (Trial, Script) {
    tried_in(CASE, script, timeout)
}

/// Runs a case, or several, against a script.
fn tried_in(case: &str, script: &str, timeout: u64) -> (Trial, Script) {
    let script = Script::new(script);
    let words = script.words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let file = TargetFile {
        name: "hostile".to_owned(),
        endpoints: vec![endpoint(&words)],
        timeout: Some(timeout),
        ..TargetFile::default()
    };
    (Trial::of(&SUITE, &file, case), script)
}

/// The records contract over a command line.
fn endpoint(command: &[&str]) -> EndpointFile {
    let command = command.iter().map(|&word| word.to_owned()).collect();
    EndpointFile::new("records", Address::Cli(command))
}
