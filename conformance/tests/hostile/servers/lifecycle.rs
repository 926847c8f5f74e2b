//! Servers that a target file starts: waited for, seeded, and gone afterwards with everything that they started.

use super::{SEARCH, target, tried_file};
use conformance::model::Conclusion;
use conformance::targets::TargetFile;
use conformance::transport::TransportError;
use rstest::rstest;
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;
use testing::{Server, assert_nothing_runs, ok};

#[rstest]
#[case::one_process("exec sleep 1000", 1)]
#[case::a_child("sleep 1000 & echo $! >>$PIDS; wait", 2)]
#[case::a_grandchild("(sleep 1000 & echo $! >>$PIDS; wait) & echo $! >>$PIDS; wait", 3)]
#[case::deaf_to_the_signal("trap '' TERM INT HUP; sleep 1000 & echo $! >>$PIDS; wait; wait", 2)]
#[case::a_child_alone(
    "sleep 1000 >/dev/null 2>&1 & echo $! >>$PIDS; until [ $(wc -l <$PIDS) -gt 2 ]; do sleep 0.01; done",
    2
)]
#[case::noisy("yes & echo $! >>$PIDS; yes >&2", 2)]
fn nothing_of_a_server_outlives_its_run(#[case] script: &str, #[case] processes: usize) {
    let server = Server::new(|_| ok(r#"{"data":[]}"#));
    let folder = tempfile::tempdir().unwrap();
    // The seed, which is written down too, ends once every process is.
    let seed = format!("until [ \"$(wc -l <$PIDS)\" -gt {processes} ]; do sleep 0.01; done");
    let file = TargetFile {
        start: Some(shell(script, &folder)),
        seed: Some(shell(&seed, &folder)),
        ..target(&server.address)
    };
    let trial = tried_file(&file, SEARCH);
    assert_eq!(trial.unreachable.as_ref().map(ToString::to_string), None);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    assert_nothing_runs(folder.path(), 1 + processes);
}

#[rstest]
#[case::with_words("echo 'cannot bind' >&2; exit 7", "exit status: 7")]
#[case::with_many_lines("seq 1 20; echo 'the last'; exit 1", "exit status: 1")]
#[case::by_a_signal("kill -KILL $$", "signal: 9")]
#[case::as_if_all_were_well("echo 'goodbye'", "exit status: 0")]
fn a_server_that_ends_at_once_did_not_start(#[case] script: &str, #[case] status: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = TargetFile { start: Some(shell(script, &folder)), ..target("http://127.0.0.1:{port}") };
    let why = did_not_start(&file);
    assert!(why.contains(&format!("it ended with {status}")), "{why}");
    assert_nothing_runs(folder.path(), 1);
}

#[rstest]
#[case::at_once("echo 'cannot bind' >&2; exit 7")]
#[case::before_a_signal("echo 'cannot bind'; kill -KILL $$")]
#[case::after_very_many_lines("seq 1 10000; echo 'cannot bind'; exit 1")]
#[case::with_a_child_that_holds_the_stream("echo 'cannot bind'; sleep 1000 & echo $! >>$PIDS; exit 1")]
fn what_a_server_said_last_is_told(#[case] script: &str, #[values(false, true)] is_seed: bool) {
    let folder = tempfile::tempdir().unwrap();
    let command = Some(shell(script, &folder));
    let file = match is_seed {
        true => TargetFile { seed: command, ..target("http://127.0.0.1:1") },
        false => TargetFile { start: command, ..target("http://127.0.0.1:{port}") },
    };
    // More than once, since what it says and that it ends are heard at the same time.
    for _ in 0..8 {
        let why = did_not_start(&file);
        assert!(why.contains("; it said: ") && why.ends_with("cannot bind"), "{why}");
    }
}

#[test]
fn a_seed_that_fails_ends_the_server() {
    let server = Server::new(|_| ok("{}"));
    let folder = tempfile::tempdir().unwrap();
    let seed = "sleep 1000 >/dev/null 2>&1 & echo $! >>$PIDS; echo 'no corpus'; exit 9";
    let file = TargetFile {
        start: Some(shell("exec sleep 1000", &folder)),
        seed: Some(shell(seed, &folder)),
        ..target(&server.address)
    };
    let text = did_not_start(&file);
    assert!(text.contains("seeding ended with exit status: 9"), "{text}");
    assert!(server.requests().is_empty(), "no case is run: {:?}", server.requests());
    // The start may have been ended before it could write its id.
    assert_nothing_runs(folder.path(), 2);
}

#[test]
fn a_seed_alone_needs_no_server_of_ours() {
    let server = Server::new(|_| ok(r#"{"data":[]}"#));
    let folder = tempfile::tempdir().unwrap();
    let file = TargetFile { seed: Some(shell("true", &folder)), ..target(&server.address) };
    let trial = tried_file(&file, SEARCH);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    assert_nothing_runs(folder.path(), 1);
}

#[rstest]
#[case::start(&["no-such-program-7f3a"], None)]
#[case::seed(&["sleep", "1000"], Some("no-such-program-7f3a"))]
fn a_program_that_is_not_there(#[case] start: &[&str], #[case] seed: Option<&str>) {
    let server = Server::new(|_| ok("{}"));
    let file = TargetFile {
        start: Some(start.iter().map(|&word| word.to_owned()).collect()),
        seed: seed.map(|program| vec![program.to_owned()]),
        ..target(&server.address)
    };
    let error = tried_file(&file, SEARCH).unreachable.unwrap();
    assert!(matches!(error, TransportError::NotThere { .. }), "{error:?}");
    assert!(error.to_string().contains("`no-such-program-7f3a`"), "{error}");
}

#[test]
fn a_port_is_put_in_everywhere_and_is_another_each_time() {
    let ports = (0..8).map(|_| {
        let folder = tempfile::tempdir().unwrap();
        let told = folder.path().join("ports");
        let script = format!("echo \"{{port}} $PORT\" >'{}'; exit 1", told.display());
        let mut file = TargetFile { start: Some(shell(&script, &folder)), ..target("http://127.0.0.1:{port}") };
        file.env.insert("PORT".to_owned(), "{port}".to_owned());
        did_not_start(&file);
        let told = fs::read_to_string(told).unwrap();
        let (one, other) = told.trim().split_once(' ').unwrap();
        assert_eq!(one.parse::<u16>().unwrap(), other.parse::<u16>().unwrap());
        one.to_owned()
    });
    // The system may give a port again, though hardly eight times.
    assert!(ports.collect::<BTreeSet<_>>().len() > 1);
}

/// A script that writes the id of its process to `$PIDS`.
fn shell(script: &str, folder: &TempDir) -> Vec<String> {
    let pids = folder.path().join("pids");
    let script = format!("PIDS='{}'; echo $$ >>$PIDS; {script}", pids.display());
    vec!["/bin/sh".to_owned(), "-c".to_owned(), script]
}

/// Why a target did not start.
fn did_not_start(file: &TargetFile) -> String {
    let trial = tried_file(file, SEARCH);
    assert_eq!(trial.log.totals.conclusion, Conclusion::NotReachable);
    match trial.unreachable {
        // The command is told too, and holds the same words.
        Some(TransportError::DidNotStart { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}
