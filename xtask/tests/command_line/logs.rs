//! Run logs: two runs leave the same one, and it is judged again without a target.

use crate::xtask;
use regex::Regex;
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::tempdir;
use testing::{Said, said};

/// A run of the recall contract against the reference, which leaves its log.
fn run(log: &Path, seed: &str) -> Said {
    said(xtask(&["verify", "recall", "--quiet", "--seed", seed, "--log"]).arg(log))
}

fn judge(log: &Path, more: &[&str]) -> Said {
    said(xtask(&["judge", "--quiet"]).args(more).arg(log))
}

fn lines(log: &Path) -> Vec<Value> {
    fs::read_to_string(log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines without times, the seed and the port that was free.
fn lasting(log: &Path) -> Vec<Value> {
    let port = lines(log)[0]["port"].to_string();
    let text = fs::read_to_string(log).unwrap().replace(&format!("127.0.0.1:{port}"), "[address]");
    // A window that ends shortly before now; the times of the corpora are earlier.
    let text = Regex::new(r"\b1(7[2-9]|[89][0-9])[0-9]{7}\.0\b").unwrap().replace_all(&text, "0").into_owned();
    text.lines().map(|line| without_times(serde_json::from_str(line).unwrap())).collect()
}

fn without_times(value: Value) -> Value {
    const OF_ONE_RUN: [&str; 6] = ["date", "elapsed", "port", "seed", "sent_at", "started"];
    match value {
        Value::Object(fields) => {
            let lasting = fields.into_iter().filter(|(key, _)| !OF_ONE_RUN.contains(&key.as_str()));
            lasting.map(|(key, value)| (key, without_times(value))).collect()
        }
        Value::Array(values) => values.into_iter().map(without_times).collect(),
        other => other,
    }
}

#[test]
fn two_runs_in_different_orders_leave_the_same_log_and_it_is_judged_the_same() {
    let folder = tempdir().unwrap();
    let (one, two) = (folder.path().join("one.ndjson"), folder.path().join("two.ndjson"));
    assert_eq!((run(&one, "1").code, run(&two, "2").code), (Some(0), Some(0)));
    assert_eq!(lasting(&one), lasting(&two));

    let again = folder.path().join("again.ndjson");
    let judged = judge(&one, &["--log", again.to_str().unwrap()]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
    assert!(judged.out.contains("seed 1, exit 0"), "{}", judged.out);
    let all_but_the_end = |log: &Path| {
        let mut lines = lasting(log);
        // The counterexamples are not tried again.
        lines.pop();
        lines
    };
    assert_eq!(all_but_the_end(&one), all_but_the_end(&again));
}

#[test]
fn a_log_that_passes_a_pipe_is_judged_as_one_in_a_file() {
    let folder = tempdir().unwrap();
    let log = folder.path().join("run.ndjson");
    assert_eq!(run(&log, "1").code, Some(0));
    let mut piped = xtask(&["judge", "--quiet", "/dev/stdin"]);
    let mut from = Command::new("cat").arg(&log).stdout(Stdio::piped()).spawn().unwrap();
    let piped = said(piped.stdin(from.stdout.take().unwrap()));
    from.wait().unwrap();
    assert_eq!(piped, judge(&log, &[]));
    assert_eq!(piped.code, Some(0), "{}", piped.out);
}

#[test]
fn other_answers_in_a_log_are_judged_otherwise() {
    let folder = tempdir().unwrap();
    let log = folder.path().join("run.ndjson");
    run(&log, "1");
    let mut damaged = lines(&log);
    let exchange = damaged.iter_mut().find(|line| {
        line["exchange"]["case"] == "paging/default-limit" || line["exchange"]["evidence"]["status"] == "refused"
    });
    exchange.unwrap()["exchange"]["evidence"]["status"] = json!("failed");
    let text: String = damaged.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&log, text).unwrap();
    let judged = judge(&log, &[]);
    assert_eq!(judged.code, Some(1), "{}", judged.out);
    assert!(judged.out.contains("VIOLATED recall."), "{}", judged.out);
}

#[test]
fn what_the_log_does_not_have_stays_incomplete() {
    let folder = tempdir().unwrap();
    let log = folder.path().join("run.ndjson");
    run(&log, "1");
    let all = lines(&log);
    let first = &all[1]["case"]["case"];
    let other_calls = &all.iter().filter(|line| line.get("case").is_some()).nth(1).unwrap()["case"]["case"];
    let rest = all.iter().filter(|line| {
        let of = |kind: &str| line[kind]["case"] == *first;
        !(of("case") || of("exchange") || line["finding"]["finding"]["case"] == *first)
    });
    let mut rest: Vec<Value> = rest.cloned().collect();
    for line in rest.iter_mut().filter(|line| line["case"]["case"] == *other_calls) {
        line["case"]["calls"] = json!("0000000000000000");
    }
    fs::write(&log, rest.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let judged = judge(&log, &["-v"]);
    assert_eq!(judged.code, Some(3), "{}", judged.out);
    for (case, why) in [
        (first, "the log has nothing of this case: it needs a new run"),
        (other_calls, "the calls of this case are others than those of the log: it needs a new run"),
    ] {
        let place = format!("in {} over http\n", case.as_str().unwrap());
        let below = judged.out.split_once(&place).map_or("", |(_, below)| below);
        assert!(below.contains(why), "{place}{why}\n{}", judged.out);
    }
}

#[rstest]
#[case::nothing("", "it is empty: run the target again with --log")]
#[case::no_log("{}\n", "line 1 is not a line of a run log: it does not say `format`")]
#[case::no_json(
    "recall over http\n",
    "line 1 is not a line of a run log: it does not begin with `{`, as each line of a log does"
)]
#[case::another_form(
    "{\"format\":\"conformance-run/1\"}\n",
    "it is of the form `conformance-run/1`, and this program reads `conformance-run/3`"
)]
#[case::cut_off("{HEADER}\n", "it ends after line 1, before its last line: it was cut off")]
#[case::an_unknown_line("{HEADER}\n{\"verdict\":1}\n", "line 2 is not a line of a run log: unknown variant `verdict`")]
#[case::a_stray_exchange(
    "{HEADER}\n{\"exchange\":{\"contract\":\"recall\",\"transport\":\"http\",\"case\":\"x\",\"step\":0,\"index\":0,\"evidence\":null}}\n",
    "line 2 is not a line of a run log: it belongs to a case that has no line before it"
)]
#[case::too_many_steps(
    "{HEADER}\n{\"case\":{\"contract\":\"recall\",\"transport\":\"http\",\"case\":\"x\",\"calls\":\"\",\"steps\":99999999999}}\n",
    "line 2 is not a line of a run log: no case has 99999999999 steps"
)]
#[case::a_case_that_is_a_command(
    "{HEADER}\n{\"case\":{\"contract\":\"recall\",\"transport\":\"http\",\"case\":\"session/\\n::error::x\",\"calls\":\"\",\"steps\":0}}\n",
    "line 2 is not a line of a run log: no case is called `session/\\n\\u{3a}:error::x`"
)]
#[case::a_case_twice(
    "{HEADER}\n{CASE}\n{CASE}\n{TOTALS}\n",
    "line 3 is not a line of a run log: the case `x` has a line already"
)]
#[case::garbage_at_the_end("{HEADER}\n{TOTALS}\nrecall\n", "line 3 follows the totals, with which a log ends")]
#[case::a_case_at_the_end("{HEADER}\n{TOTALS}\n{\"case\":{}}\n", "line 3 follows the totals, with which a log ends")]
#[case::an_empty_line_at_the_end("{HEADER}\n{TOTALS}\n\n", "line 3 follows the totals, with which a log ends")]
#[case::two_logs("{HEADER}\n{TOTALS}\n{HEADER}\n{TOTALS}\n", "line 3 begins another log: `merge` puts the logs")]
#[case::two_logs_without_an_end("{HEADER}\n{HEADER}\n{TOTALS}\n", "line 2 begins another log: `merge` puts the logs")]
fn no_log(#[case] text: &str, #[case] said: &str) {
    let folder = tempdir().unwrap();
    let log = folder.path().join("run.ndjson");
    let header = json!({ "format": "conformance-run/3", "suite": "0.1.0", "target": "x", "strict": false, "seed": 1,
                         "started": "2027-01-01T00:00:00Z" });
    let totals = json!({ "totals": { "conclusion": "conforms", "exit_code": 0, "counterexamples": null, "problems": [],
                                     "elapsed": 1.0 } });
    let case = r#"{"case":{"contract":"recall","transport":"http","case":"x","calls":"","steps":0}}"#;
    let text =
        text.replace("{CASE}", case).replace("{HEADER}", &header.to_string()).replace("{TOTALS}", &totals.to_string());
    fs::write(&log, text).unwrap();
    let judged = judge(&log, &[]);
    assert_eq!(judged.code, Some(2), "{}", judged.out);
    assert!(judged.err.contains(said), "{}", judged.err);
    assert!(judged.err.contains("run.ndjson"), "{}", judged.err);
}

/// A log without a case: its header and its totals.
fn empty(log: &Path, seconds: &str) {
    let header = json!({ "format": "conformance-run/3", "suite": "0.0.1", "target": "x", "strict": false, "seed": 1,
                         "started": "2027-01-01T00:00:00Z" });
    let totals = "\"conclusion\":\"conforms\",\"exit_code\":0,\"counterexamples\":null,\"problems\":[]";
    fs::write(log, format!("{header}\n{{\"totals\":{{{totals},\"elapsed\":{seconds}}}}}\n")).unwrap();
}

#[rstest]
#[case::endless("1e300")]
#[case::before_it_began("-1.0")]
fn no_run_takes_so_long(#[case] seconds: &str) {
    let folder = tempdir().unwrap();
    let log = folder.path().join("run.ndjson");
    empty(&log, seconds);
    let judged = judge(&log, &[]);
    assert_eq!((judged.code, judged.out.as_str()), (Some(2), ""), "{}", judged.err);
    assert!(judged.err.contains("line 2 is not a line of a run log: no run takes "), "{}", judged.err);
}

#[test]
fn a_log_of_another_suite_says_so() {
    let folder = tempdir().unwrap();
    let log = folder.path().join("run.ndjson");
    empty(&log, "1.0");
    let compared = said(xtask(&["compare"]).args([&log, &log]));
    for said in [judge(&log, &[]), compared] {
        let due = "run.ndjson: it was written by version 0.0.1 of the suite, and this is ";
        assert!(said.err.contains(due), "{}", said.err);
    }
}

#[rstest]
#[case::endless("/dev/zero", "line 1 is not a line of a run log: it does not begin with `{`")]
#[case::a_folder("/", "it is a folder, and a regular file is expected")]
fn no_file(#[case] path: &str, #[case] due: &str) {
    let judged = judge(Path::new(path), &[]);
    assert_eq!(judged.code, Some(2), "{}", judged.out);
    assert!(judged.err.contains(due), "{}", judged.err);
}

#[test]
fn a_named_pipe_is_not_waited_for_and_standard_input_is_read() {
    let folder = tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let judged = judge(&pipe, &[]);
    assert!(judged.err.contains("it is a named pipe, and a regular file is expected"), "{}", judged.err);
    for (option, command) in [("--target", "verify"), ("--known-failures", "verify")] {
        let said = said(xtask(&[command, "records", option]).arg(&pipe));
        assert_eq!(said.code, Some(2), "{}", said.out);
        assert!(said.err.contains("it is a named pipe, and a regular file is expected"), "{}", said.err);
    }
    let mut command = xtask(&["judge", "/dev/stdin"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{}\n").unwrap();
    let err = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(err.contains("line 1 is not a line of a run log: it does not say `format`"), "{err}");
}

#[test]
fn a_log_that_is_not_there() {
    let judged = judge(Path::new("/no/such/log"), &[]);
    assert_eq!(judged.code, Some(2));
    assert!(judged.err.contains("/no/such/log cannot be opened"), "{}", judged.err);
}
