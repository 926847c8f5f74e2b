//! Runs that are repeated: what passes and fails is unsteady, and never success.

use super::xtask;
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::{TempDir, tempdir};
use testing::{Answer, Said, Server, said, whole};

/// A server without frames that fails each answer that `fails` says, counted from 1.
fn server(fails: impl Fn(usize) -> bool + Send + Sync + 'static) -> Server {
    let frames = r#"{"data":[],"pagination":{"limit":5,"offset":0,"total":0}}"#;
    let json = "content-type: application/json\r\n";
    let answered = AtomicUsize::new(0);
    Server::new(move |_| match fails(answered.fetch_add(1, Ordering::Relaxed) + 1) {
        true => Answer::Bytes(whole("500 Internal Server Error", json, "{}")),
        false => Answer::Bytes(whole("200 OK", json, frames)),
    })
}

/// A case of one request.
const CASE: &str = "params/offered";

fn verified(server: &Server, more: &[&str]) -> Said {
    let words =
        ["verify", "recall", "--http", &server.address, "--case", CASE, "--jobs", "1", "--seed", "0", "--quiet"];
    said(&mut xtask(&[&words, more].concat()))
}

#[rstest]
#[case::never(|_| false, 0)]
#[case::every_third(|number| number % 3 == 0, 3)]
#[case::the_first(|number| number == 1, 3)]
#[case::always(|_| true, 1)]
fn three_runs(#[case] fails: fn(usize) -> bool, #[case] code: i32) {
    let ran = verified(&server(fails), &["--runs", "3"]);
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("the cases ran 3 times"), "{}", ran.out);
    assert_eq!(ran.out.contains("UNSTEADY http.answers"), code == 3, "{}", ran.out);
}

#[test]
fn once_is_not_enough_to_know() {
    let ran = verified(&server(|number| number % 3 == 0), &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(!ran.out.contains("the cases ran"), "{}", ran.out);
}

/// What a run writes of itself.
fn reports(folder: &TempDir, more: &[&str]) -> (Said, [String; 4]) {
    let files = ["log", "html", "junit", "ctrf"].map(|format| (format!("--{format}"), folder.path().join(format)));
    let words: Vec<&str> = files.iter().flat_map(|(option, file)| [option.as_str(), file.to_str().unwrap()]).collect();
    let ran = verified(&server(|number| number == 2), &[&["--runs", "3"], words.as_slice(), more].concat());
    (ran, files.map(|(_, file)| fs::read_to_string(file).unwrap()))
}

#[test]
fn every_report_names_it_and_the_log_holds_the_run_in_which_it_fails() {
    let folder = tempdir().unwrap();
    let (ran, [log, html, junit, ctrf]) = reports(&folder, &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    let said_of = "unsteady: passes in 2 and fails in 1 of 3 runs; what follows is of run 2";
    assert!(ran.out.contains(said_of), "{}", ran.out);
    assert!(ran.out.contains("\nunsteady: a check does not say the same in every run: "), "{}", ran.out);
    assert!(html.contains("<span class=\"mark unsteady\">unsteady</span>"));
    assert!(junit.contains("type=\"unsteady\"") && junit.contains("errors=\"2\""), "{junit}");
    let ctrf: Value = serde_json::from_str(&ctrf).unwrap();
    let tests = ctrf["results"]["tests"].as_array().unwrap();
    let flaky: Vec<&Value> = tests.iter().filter(|test| test["flaky"] == true).collect();
    let is_told = |test: &&Value| test["status"] == "other" && test["rawStatus"] == "unsteady";
    assert_eq!((flaky.len(), flaky.iter().copied().filter(is_told).count()), (2, 2), "{flaky:?}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["runs"], 3);
    let kept = lines.iter().find(|line| line.get("exchange").is_some()).unwrap();
    assert_eq!(kept["exchange"]["evidence"]["status"], "failed");

    let judged = said(xtask(&["judge", "--quiet"]).arg(folder.path().join("log")));
    assert_eq!(judged.code, Some(3), "{}{}", judged.out, judged.err);
    assert!(judged.out.contains(said_of), "{}", judged.out);
}

#[test]
fn a_known_failure_that_is_unsteady_is_excused_and_not_stale() {
    let folder = tempdir().unwrap();
    let known = folder.path().join("known.toml");
    let entries = ["http.answers", "recall.search-offered"]
        .map(|id| format!("[[known-failure]]\nrequirement = \"{id}\"\nreason = \"now and then\"\n"));
    fs::write(&known, entries.concat()).unwrap();
    let (ran, _) = reports(&folder, &["--known-failures", known.to_str().unwrap()]);
    assert!(
        ran.out.contains("KNOWN FAILURE http.answers") && !ran.out.contains("UNSTEADY http.answers"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("remove its entry"), "{}", ran.out);
}

#[test]
fn a_target_that_is_not_there_is_asked_once() {
    let ran = said(&mut xtask(&["verify", "recall", "--http", &testing::unused_address(), "--runs", "3", "--quiet"]));
    assert_eq!(ran.code, Some(4), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("the cases ran"), "{}", ran.out);
}
