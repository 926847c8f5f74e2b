//! The comment of the action: opt-in, after the verdict, which it never changes.

use super::job::{Around, Job, job, job_in};
use crate::hub::{Hub, TOKEN, read_only};
use rstest::rstest;
use std::fs;
use testing::Script;

/// A run of a program that breaks one requirement if `breaks`, with these inputs more.
fn commented(hub: &Hub, breaks: bool, inputs: &[(&str, &str)]) -> Job {
    let reference = testing::reference().unwrap().display();
    let filter = if breaks { "sed 's/ truncated=false/ truncated=true/'" } else { "cat" };
    // The name of the target is that of its program, so two runs of this are two of one target.
    let program = Script::new(&format!("'{reference}' qipu \"$@\" | {filter}\nenv >\"$FOLDER/environment\"\n"));
    let (target, known) = (program.file("target.toml"), program.file("script.sh"));
    let endpoint = format!("[[endpoint]]\ncontract = \"records\"\ncli = [\"sh\", {:?}]\n", known.to_str().unwrap());
    fs::write(&target, format!("name = \"my program\"\n{endpoint}")).unwrap();
    let mut all = vec![("target", target.to_str().unwrap()), ("arguments", "--case\nheader/context"), ("token", TOKEN)];
    all.extend(inputs);
    let job = job_in(&all, &Around { environment: hub.environment(), ..Around::default() });
    assert!(!program.read("environment").contains(TOKEN), "the target sees the token");
    assert!(!format!("{}{}", job.last.out, job.last.err).contains(TOKEN));
    assert_eq!(job.last.code, Some(i32::from(breaks)), "{}{}", job.last.out, job.last.err);
    job
}

#[rstest]
fn the_comment_has_the_verdict(#[values(true, false)] breaks: bool) {
    let hub = Hub::new(&[], 30);
    let job = commented(&hub, breaks, &[("comment", "true"), ("comment-name", "my-program")]);
    let commented = job.commented.unwrap();
    assert_eq!((commented.code, commented.out.as_str()), (Some(0), "the comment `my-program` is new: o/r#7\n"));
    let body = &hub.bodies()[0];
    let due = if breaks { "# my program: does not conform" } else { "# my program: conforms" };
    assert!(body.contains(due) && body.starts_with("<!-- retrieval-contracts: my-program -->\n"), "{body}");
}

#[test]
fn without_being_asked_for_there_is_none() {
    let hub = Hub::new(&[], 30);
    let job = commented(&hub, true, &[]);
    assert!(job.commented.is_none() && hub.requests().is_empty());
}

#[test]
fn a_fork_has_the_summary() {
    let hub = Hub::answering(&[], 30, read_only("403 Forbidden"));
    let job = commented(&hub, true, &[("comment", "true")]);
    let commented = job.commented.unwrap();
    assert_eq!(commented.code, Some(0), "{}", commented.err);
    assert!(commented.out.contains("may not write it (403)"), "{}", commented.out);
    assert_eq!(job.summary.matches("# my program: does not conform").count(), 1, "{}", job.summary);
}

#[test]
fn what_got_worse_since_the_base_comes_first() {
    let hub = Hub::new(&[], 30);
    let base = commented(&hub, false, &[]);
    let log = base.folder.path().join("caller/conformance-report/run.ndjson");
    let job = commented(&hub, true, &[("comment", "true"), ("base-log", log.to_str().unwrap())]);
    let worse = "## Between the two runs: 1 worse, 0 better, 0 otherwise\n\n- **worse** \
                 `records.not-truncated-without-budget` over cli: verified → violated.";
    let body = &hub.bodies()[0];
    assert!(body.lines().nth(1).is_some_and(|line| worse.starts_with(line)) && body.contains(worse), "{body}");
    assert!(body.contains("# my program: does not conform"), "{body}");
    assert!(job.summary.contains(worse), "{}", job.summary);
}

#[rstest]
#[case::no_log("nowhere.ndjson", "There is no log of the base branch, so nothing is compared.")]
#[case::no_log_at_all("/dev/null", "There is no log of the base branch, so nothing is compared.")]
#[case::another_file(
    "conformance-report/../../action/Cargo.toml",
    "The log of the base branch cannot be read, so nothing is compared."
)]
fn a_base_that_cannot_be_compared_is_said(#[case] log: &str, #[case] due: &str) {
    let hub = Hub::new(&[], 30);
    let job = commented(&hub, false, &[("comment", "true"), ("base-log", log)]);
    assert!(hub.bodies()[0].contains(due) && job.summary.contains(due), "{:?}", hub.bodies());
    assert_eq!(job.report("comparison.md").lines().nth(2), Some(due));
}

/// The comment of an earlier run does not go on to say that all is well.
#[test]
fn a_run_without_a_report_says_so() {
    let hub = Hub::new(&[], 30);
    let inputs = [("contract", "records"), ("transport", "cli"), ("address", "x"), ("arguments", "--cases\nx")];
    let inputs = [inputs.as_slice(), &[("comment", "true"), ("token", TOKEN)]].concat();
    let job = job_in(&inputs, &Around { environment: hub.environment(), ..Around::default() });
    assert_eq!(job.last.code, Some(2), "{}", job.last.out);
    assert!(hub.bodies()[0].contains("# Nothing was judged"), "{:?}", hub.bodies());
}

#[test]
fn it_is_wanted_or_not() {
    let job = job(&[("transport", "cli"), ("address", "x"), ("comment", "yes")]);
    assert!(job.last.code == Some(2) && job.last.out.contains("comment is true or false"), "{}", job.last.out);
}
