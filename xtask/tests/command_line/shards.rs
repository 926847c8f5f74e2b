//! A run that several machines share: what each says of itself, and what their logs come to.

use super::xtask;
use rstest::{fixture, rstest};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use testing::{Said, said};

/// The logs of three shards, each of the reference's cases of a contract, and of all of them.
struct Logs {
    folder: TempDir,
    said: Vec<Said>,
}

#[fixture]
#[once]
fn logs() -> Logs {
    let mut logs = Logs { folder: tempfile::tempdir().unwrap(), said: Vec::new() };
    for shard in ["1/3", "2/3", "3/3"] {
        let name = format!("{}.ndjson", &shard[..1]);
        let mut command = xtask(&["verify", "recall", "--shard", shard, "--seed", "1", "-v", "--log"]);
        logs.said.push(said(command.arg(logs.file(&name))));
    }
    logs.said.push(said(xtask(&["verify", "recall", "--seed", "1", "--log"]).arg(logs.file("whole.ndjson"))));
    logs
}

impl Logs {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn lines(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.file(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The cases of a log.
    fn cases(&self, name: &str) -> BTreeSet<String> {
        let lines = self.lines(name);
        let cases = lines.iter().filter_map(|line| line.pointer("/case/case")?.as_str());
        cases.map(str::to_owned).collect()
    }

    /// A log like another, with a changed value in its first line.
    fn altered(&self, from: &str, to: &str, pointer: &str, value: Value) {
        let mut lines = self.lines(from);
        *lines[0].pointer_mut(pointer).unwrap() = value;
        fs::write(self.file(to), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }

    fn merged(&self, names: &[&str], to: &str) -> Said {
        said(xtask(&["merge"]).args(names.iter().map(|name| self.file(name))).arg("-o").arg(self.file(to)))
    }
}

#[rstest]
fn every_case_is_in_one_shard_and_shards_are_alike(logs: &Logs) {
    let shards = ["1.ndjson", "2.ndjson", "3.ndjson"].map(|name| logs.cases(name));
    let whole = logs.cases("whole.ndjson");
    assert_eq!(shards.iter().flatten().cloned().collect::<BTreeSet<_>>(), whole);
    assert_eq!(shards.iter().map(BTreeSet::len).sum::<usize>(), whole.len());
    assert!(shards.iter().all(|shard| shard.len().abs_diff(whole.len() / 3) <= 1));
}

#[rstest]
fn a_shard_is_not_taken_for_the_whole(logs: &Logs) {
    for (at, said) in logs.said.iter().take(3).enumerate() {
        let shard = format!("{}/3", at + 1);
        assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
        assert!(said.out.starts_with(&format!("recall over http, reference, shard {shard}\n")), "{}", said.out);
        assert!(said.out.contains(&format!("this is shard {shard}: the whole is judged when")), "{}", said.out);
        assert!(
            said.out.contains(&format!("nothing of shard {shard} exercises it; another shard may")),
            "{}",
            said.out
        );
        assert!(said.out.contains("\n  84 requirements: "), "{}", said.out);
    }
    for (format, file) in [("--junit", "x.xml"), ("--html", "x.html"), ("--markdown", "x.md")] {
        let judged = said(xtask(&["judge", "-q", format]).arg(logs.file(file)).arg(logs.file("2.ndjson")));
        assert_eq!(judged.code, Some(0), "{}", judged.err);
        let text = fs::read_to_string(logs.file(file)).unwrap();
        assert!(text.contains("reference, shard 2/3") && text.contains("this is shard 2/3: "), "{text}");
    }
    let report = said(xtask(&["judge", "--format", "json"]).arg(logs.file("2.ndjson")));
    let report: Value = serde_json::from_str(&report.out).unwrap();
    assert_eq!(report["run"]["selection"]["shard"], "2/3");
}

#[rstest]
fn merged_logs_are_the_log_of_one_machine(logs: &Logs) {
    let merged = logs.merged(&["2.ndjson", "3.ndjson", "1.ndjson"], "merged.ndjson");
    assert_eq!((merged.code, merged.err.as_str()), (Some(0), ""));
    assert!(merged.out.starts_with("3 shards of reference, 57 cases in all: `cargo xtask judge "), "{}", merged.out);
    let report = |name: &str| {
        let judged = said(xtask(&["judge", "--format", "json"]).arg(logs.file(name)));
        assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
        let mut report: Value = serde_json::from_str(&judged.out).unwrap();
        report["run"]["started"].take();
        report["run"]["port"].take();
        report["totals"]["elapsed"].take();
        report["totals"]["numbers"].as_array_mut().unwrap().iter_mut().for_each(|one| _ = one["elapsed"].take());
        report
    };
    assert_eq!(report("merged.ndjson"), report("whole.ndjson"));
    let counted = |name: &str| logs.lines(name).last().unwrap()["totals"]["counterexamples"].clone();
    assert!(counted("merged.ndjson").as_u64() > Some(0));
}

#[rstest]
fn a_shard_that_is_missing_is_named(logs: &Logs) {
    let merged = logs.merged(&["2.ndjson"], "none.ndjson");
    assert_eq!((merged.code, merged.err.as_str()), (Some(2), "error: no log is given of the shards 1/3, 3/3\n"));
    assert!(!logs.file("none.ndjson").exists());
}

#[rstest]
fn a_whole_log_is_no_shard(logs: &Logs) {
    let merged = logs.merged(&["1.ndjson", "whole.ndjson"], "none.ndjson");
    assert_eq!(merged.code, Some(2));
    assert!(merged.err.contains("whole.ndjson is the log of a run that was not divided"), "{}", merged.err);
}

#[rstest]
#[case::target("/target", "another", "the target of the one is \"reference\", of the other \"another\"")]
#[case::suite("/suite", "9.9.9", "the version of the suite")]
#[case::calls("/calls", "0000", "the fingerprint of the suite's calls")]
#[case::number("/selection/shard", "2/4", "the number of shards of the one is 3, of the other 4")]
#[case::endpoints("/endpoints/0/transport", "mcp-http", "the list of endpoints")]
fn logs_of_different_runs_do_not_belong_together(
    logs: &Logs,
    #[case] pointer: &str,
    #[case] value: &str,
    #[case] why: &str,
) {
    let name = format!("strange{}.ndjson", pointer.replace('/', "-"));
    logs.altered("2.ndjson", &name, pointer, value.into());
    let merged = logs.merged(&["1.ndjson", &name, "3.ndjson"], "none.ndjson");
    assert_eq!(merged.code, Some(2));
    assert!(merged.err.contains("do not belong together") && merged.err.contains(why), "{}", merged.err);
}

#[rstest]
fn of_two_logs_of_a_shard_the_later_counts(logs: &Logs) {
    logs.altered("2.ndjson", "earlier.ndjson", "/started", "2020-01-01T00:00:00Z".into());
    for names in
        [["1.ndjson", "2.ndjson", "earlier.ndjson", "3.ndjson"], ["earlier.ndjson", "1.ndjson", "3.ndjson", "2.ndjson"]]
    {
        let merged = logs.merged(&names, "twice.ndjson");
        assert_eq!(merged.code, Some(0), "{}", merged.err);
        assert!(
            merged.err.ends_with("earlier.ndjson is left out: another log of the same shard is later\n"),
            "{}",
            merged.err
        );
        assert_eq!(logs.cases("twice.ndjson").len(), logs.cases("whole.ndjson").len());
    }
}

#[rstest]
#[case("0/3", "there are 3 shards; 0 is not one of them")]
#[case("4/3", "there are 3 shards; 4 is not one of them")]
#[case("2", "a shard is NUMBER/ALL, as in 2/5")]
#[case("a/b", "a shard is NUMBER/ALL, as in 2/5")]
#[case("1/70000", "a shard is NUMBER/ALL, as in 2/5")]
fn what_is_no_shard_is_refused(#[case] shard: &str, #[case] why: &str) {
    let said = said(&mut xtask(&["verify", "--cli", "true", "--shard", shard]));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains(why), "{}", said.err);
}
