//! Servers that a target file starts: waited for, seeded, and gone afterwards with everything that they started.

use super::{SEARCH, target, tried_file};
use crate::trial::PATIENT;
use conformance::model::Conclusion;
use conformance::targets::TargetFile;
use conformance::transport::TransportError;
use rstest::rstest;
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use testing::{Answer, Server, answer, assert_nothing_runs, ok};

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
    let folder = tempfile::tempdir().unwrap();
    let server = Server::once(is_started(&folder), |_| ok(r#"{"data":[]}"#));
    // The seed, which is written down too, ends once every process is.
    let seed = format!("until [ \"$(wc -l <$PIDS)\" -gt {processes} ]; do sleep 0.01; done");
    let file = TargetFile {
        start: Some(shell(script, &folder)),
        // One of them ends before its child.
        stop: Some(vec!["true".to_owned()]),
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
    let folder = tempfile::tempdir().unwrap();
    let server = Server::once(is_started(&folder), |_| ok("{}"));
    let seed = "sleep 1000 >/dev/null 2>&1 & echo $! >>$PIDS; echo 'no corpus'; exit 9";
    let file = TargetFile {
        start: Some(shell("exec sleep 1000", &folder)),
        seed: Some(shell(seed, &folder)),
        ..target(&server.address)
    };
    let text = did_not_start(&file);
    assert!(text.contains("seeding ended with exit status: 9"), "{text}");
    let looks: Vec<String> = server.requests().iter().map(|request| request.target().to_owned()).collect();
    assert_eq!(looks, ["/"], "no case is run");
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
fn a_program_that_is_not_there(#[values(false, true)] is_seed: bool) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::once(is_started(&folder), |_| ok("{}"));
    let missing = vec!["no-such-program-7f3a".to_owned()];
    let (start, seed) = match is_seed {
        true => (shell("exec sleep 1000", &folder), Some(missing)),
        false => (missing, None),
    };
    let file = TargetFile { start: Some(start), seed, ..target(&server.address) };
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

#[rstest]
#[case::of_an_endpoint(false)]
#[case::of_what_says_that_it_is_ready(true)]
fn a_server_is_not_started_where_another_one_answers(#[case] says_ready: bool) {
    let stale = Server::new(|_| ok(r#"{"data":[]}"#));
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = if says_ready { "http://127.0.0.1:{port}" } else { &stale.address };
    let file = TargetFile {
        start: Some(shell("exec sleep 1000", &folder)),
        ready: says_ready.then(|| format!("{}/health", stale.address)),
        ..target(elsewhere)
    };
    let trial = tried_file(&file, SEARCH);
    assert!(matches!(trial.unreachable, Some(TransportError::InUse { .. })), "{:?}", trial.unreachable);
    let place = stale.address.trim_start_matches("http://");
    assert!(trial.everything_said().contains(&format!("{place} is in use before ")), "{}", trial.everything_said());
    assert_eq!((trial.log.totals.exit_code, folder.path().join("pids").exists()), (4, false));
}

/// How often a server that is not ready says so.
const LOOKS: usize = 3;

#[rstest]
#[case::its_own_address(true, "503 Service Unavailable")]
#[case::nothing_at_its_own_address_yet(true, "404 Not Found")]
#[case::an_endpoint(false, "503 Service Unavailable")]
#[case::an_endpoint_behind_a_proxy(false, "502 Bad Gateway")]
fn a_server_is_waited_for_until_it_is_ready(#[case] says_ready: bool, #[case] not_yet: &'static str) {
    let folder = tempfile::tempdir().unwrap();
    let looks = Arc::new(AtomicUsize::new(0));
    let server = Server::once(is_started(&folder), move |_| match looks.fetch_add(1, Ordering::Relaxed) < LOOKS {
        true => answer(not_yet, "", "starting"),
        false => ok(r#"{"data":[]}"#),
    });
    let file = TargetFile {
        start: Some(shell("exec sleep 1000", &folder)),
        ready: says_ready.then(|| format!("{}/health", server.address)),
        // What answers is not the process that is started.
        stop: Some(vec!["true".to_owned()]),
        ..target(&server.address)
    };
    let trial = tried_file(&file, SEARCH);
    assert_eq!(trial.unreachable.as_ref().map(ToString::to_string), None);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    let asked = server.requests();
    let at = if says_ready { "/health" } else { "/" };
    assert!(asked[..=LOOKS].iter().all(|request| request.target() == at), "{asked:?}");
    assert!(asked[LOOKS + 1..].iter().all(|request| request.target() != at), "{asked:?}");
}

#[test]
fn a_server_has_so_much_time_until_it_is_ready() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::once(is_started(&folder), |_| answer("503 Service Unavailable", "", "starting"));
    let script = "echo 'loading the index' >&2; exec sleep 1000";
    let start_timeout = Some(1);
    let file = TargetFile { start: Some(shell(script, &folder)), start_timeout, ..target(&server.address) };
    let why = did_not_start(&file);
    assert!(why.starts_with("it is not ready after 1 s (start-timeout): http://127.0.0.1:"), "{why}");
    assert!(why.ends_with("/: it answers 503; it said: loading the index"), "{why}");
    assert_nothing_runs(folder.path(), 1);
}

/// A server that is launched: what starts it ends, and the server stays until it is stopped.
#[rstest]
#[case::with_what_stops_it(true)]
#[case::without(false)]
fn what_launches_a_server_and_ends_needs_what_stops_it(#[case] is_stopped: bool) {
    let folder = tempfile::tempdir().unwrap();
    let (launched, stopped) = (folder.path().join("launched"), folder.path().join("stopped"));
    let is_there = launched.clone();
    let server = Server::once(move || is_there.exists(), |_| ok(r#"{"data":[]}"#));
    let file = TargetFile {
        start: Some(shell(&format!("touch '{}'", launched.display()), &folder)),
        stop: is_stopped.then(|| shell(&format!("touch '{}'", stopped.display()), &folder)),
        ..target(&server.address)
    };
    let trial = tried_file(&file, SEARCH);
    assert_eq!(stopped.exists(), is_stopped);
    match is_stopped {
        true => assert_eq!(trial.exchange(0)["status"], "accepted"),
        false => {
            let why = trial.unreachable.unwrap().to_string();
            assert!(why.contains("exit status: 0; ") && why.contains("needs a `stop`"), "{why}");
        }
    }
}

/// What launches it is still there when a short run is over.
#[rstest]
#[case::with_what_stops_it(true)]
#[case::without(false)]
fn what_still_answers_after_it_was_ended_needs_what_stops_it(#[case] is_stopped: bool) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::once(is_started(&folder), |_| ok(r#"{"data":[]}"#));
    let file = TargetFile {
        start: Some(shell("exec sleep 1000", &folder)),
        stop: is_stopped.then(|| vec!["true".to_owned()]),
        ..target(&server.address)
    };
    let trial = tried_file(&file, SEARCH);
    assert_eq!(trial.exchange(0)["status"], "accepted");
    if is_stopped {
        assert!(trial.unreachable.is_none(), "{:?}", trial.unreachable);
        return;
    }
    let why = trial.unreachable.unwrap().to_string();
    let place = server.address.trim_start_matches("http://");
    assert!(why.contains(&format!(" was ended after the run, and {place} still answers: ")), "{why}");
    assert!(why.ends_with("one that launches a server and ends needs a `stop` in the target file"), "{why}");
    assert_eq!(trial.log.totals.exit_code, 4);
}

#[test]
fn a_server_that_ends_during_the_run_is_noticed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("asked");
    let script = format!("until [ -e '{}' ]; do sleep 0.01; done; echo 'KeyError: frame' >&2; exit 3", asked.display());
    // Its own answer never comes: another process would hold the connection.
    let server = Server::once(is_started(&folder), move |request| match request.target() {
        "/" => ok("{}"),
        _ => {
            fs::write(&asked, "").unwrap();
            Answer::Hang(Vec::new())
        }
    });
    let file = TargetFile { start: Some(shell(&script, &folder)), timeout: Some(PATIENT), ..target(&server.address) };
    let since = Instant::now();
    let trial = tried_file(&file, SEARCH);
    assert!(since.elapsed() < Duration::from_secs(PATIENT / 2), "it took {:?}", since.elapsed());
    let why = trial.unreachable.unwrap();
    assert!(matches!(why, TransportError::Ended { .. }), "{why:?}");
    assert!(why.to_string().ends_with(" ended during the run: exit status: 3; it said: KeyError: frame"), "{why}");
    assert_eq!(trial.log.totals.exit_code, 4);
}

/// Whether a script of this folder runs.
fn is_started(folder: &TempDir) -> impl Fn() -> bool + Send + 'static {
    let pids = folder.path().join("pids");
    move || pids.exists()
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
