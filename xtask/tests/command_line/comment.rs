//! One comment of a pull request, on an API that is GitHub's as far as it goes.

use crate::hub::{BOT, Hub, MOST, TOKEN, read_only};
use crate::xtask;
use insta::assert_snapshot;
use rstest::rstest;
use std::fs;
use tempfile::{TempDir, tempdir};
use testing::{Answer, Said, answer, said, whole};

const MARK: &str = "<!-- retrieval-contracts: conformance -->";

/// Reports in a folder, with the summary of a job beside them.
struct Reports {
    folder: TempDir,
}

impl Reports {
    fn of(text: &str) -> Self {
        let reports = Self { folder: tempdir().unwrap() };
        fs::write(reports.folder.path().join("report.md"), text).unwrap();
        reports
    }

    fn comment(&self, hub: &Hub, arguments: &[&str]) -> Said {
        self.comment_as(hub, arguments, &[])
    }

    fn comment_as(&self, hub: &Hub, arguments: &[&str], environment: &[(&str, &str)]) -> Said {
        let mut command = xtask(&["comment", "report.md"]);
        let command = hub.with(&mut command).args(arguments).current_dir(self.folder.path());
        command.env("GITHUB_STEP_SUMMARY", self.folder.path().join("summary.md"));
        let said = said(command.envs(environment.iter().copied()));
        assert!(!format!("{}{}", said.out, said.err).contains(TOKEN), "{}{}", said.out, said.err);
        said
    }

    fn summary(&self) -> String {
        fs::read_to_string(self.folder.path().join("summary.md")).unwrap_or_default()
    }
}

#[test]
fn the_first_run_writes_it_and_later_ones_update_it() {
    let hub = Hub::new(&[("somebody", "Nice."), ("somebody", "I agree.")], 30);
    let first = Reports::of("# It conforms\n").comment(&hub, &[]);
    assert_eq!((first.code, first.out.as_str()), (Some(0), "the comment `conformance` is new: o/r#7\n"));
    assert_snapshot!(hub.bodies()[2], @r"
    <!-- retrieval-contracts: conformance -->
    # It conforms

    At commit 5ca1ab1e, by [this run](https://github.example/o/r/actions/runs/12).
    ");
    let second = Reports::of("# It does not conform\n").comment(&hub, &[]);
    assert_eq!((second.code, second.out.as_str()), (Some(0), "the comment `conformance` is updated: o/r#7\n"));
    let third = Reports::of("# It does not conform\n").comment(&hub, &[]);
    assert_eq!((third.code, third.out.as_str()), (Some(0), "the comment `conformance` says this already: o/r#7\n"));
    let bodies = hub.bodies();
    assert!(bodies.len() == 3 && bodies[2].contains("# It does not conform"), "{bodies:?}");
    let list = "GET /repos/o/r/issues/7/comments?per_page=100";
    let requests = [list, "POST /repos/o/r/issues/7/comments", list, "PATCH /repos/o/r/issues/comments/3", list]
        .map(str::to_owned);
    assert_eq!(hub.requests(), requests);
}

#[test]
fn it_is_found_on_any_page() {
    let own = format!("{MARK}\nold");
    let mut comments = vec![("somebody", "a comment"); 7];
    comments.push((BOT, &own));
    let hub = Hub::new(&comments, 3);
    let said = Reports::of("new").comment(&hub, &[]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(hub.requests().len(), 4, "three pages and an update: {:?}", hub.requests());
    assert!(hub.bodies()[7].contains("\nnew\n"), "{:?}", hub.bodies());
}

/// Anybody can write the mark, and a token may change the comments of others.
#[rstest]
#[case::of_somebody_else(("somebody", "<!-- retrieval-contracts: conformance -->\nmine"), &[])]
#[case::that_only_quotes_it((BOT, "> x\n<!-- retrieval-contracts: conformance -->"), &[])]
#[case::of_another_name((BOT, "<!-- retrieval-contracts: conformance-2 -->\nother"), &[])]
#[case::of_another_author((BOT, "<!-- retrieval-contracts: conformance -->\nother"), &["--author", "me"])]
fn a_comment_that_is_not_ours_stays(#[case] comment: (&str, &str), #[case] arguments: &[&str]) {
    let hub = Hub::new(&[comment], 30);
    let said = Reports::of("new").comment(&hub, arguments);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(hub.bodies()[0], comment.1);
    assert_eq!(hub.bodies().len(), 2);
}

#[test]
fn each_name_has_its_own() {
    let hub = Hub::new(&[], 30);
    Reports::of("a").comment(&hub, &["--name", "contracts"]);
    Reports::of("b").comment(&hub, &["--name", "memory"]);
    Reports::of("c").comment(&hub, &["--name", "contracts"]);
    let bodies = hub.bodies();
    assert!(bodies.len() == 2 && bodies[0].contains("\nc\n") && bodies[1].contains("\nb\n"), "{bodies:?}");
}

#[rstest]
#[case::refused("403 Forbidden", "may not write it (403)")]
#[case::hidden("404 Not Found", "may not write it (404)")]
#[case::broken("502 Bad Gateway", "GitHub answered 502")]
fn where_nothing_can_be_written_the_summary_has_it(#[case] status: &'static str, #[case] due: &str) {
    let hub = Hub::answering(&[], 30, read_only(status));
    let reports = Reports::of("# It conforms\n");
    let said = reports.comment(&hub, &[]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.contains(due) && said.out.contains("the reports are in the summary of the job"), "{}", said.out);
    assert_eq!(reports.summary(), "# It conforms\n");
}

#[rstest]
#[case::no_token(&[("GITHUB_TOKEN", "")], "GITHUB_TOKEN is not set")]
#[case::another_token(&[("GITHUB_TOKEN", "ghs_zyxwvutsrqponmlkjihg")], "may not write it (401)")]
#[case::with_the_rights_of_the_base(&[("GITHUB_EVENT_NAME", "pull_request_target")], "use `pull_request`")]
#[case::no_event(&[("GITHUB_EVENT_PATH", "/nowhere")], "the event /nowhere cannot be read")]
#[case::no_pull_request(&[("GITHUB_EVENT_PATH", "/dev/null")], "the event /dev/null is not JSON")]
#[case::nobody_there(&[("GITHUB_API_URL", "http://127.0.0.1:9")], "GitHub cannot be reached")]
#[case::no_address(&[("GITHUB_API_URL", "nonsense")], "make no address")]
fn what_is_missing_is_said_and_nothing_is_written(#[case] environment: &[(&str, &str)], #[case] due: &str) {
    let hub = Hub::new(&[], 30);
    let reports = Reports::of("# It conforms\n");
    let said = reports.comment_as(&hub, &[], environment);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.starts_with("no comment is written: ") && said.out.contains(due), "{}", said.out);
    assert_eq!((reports.summary().as_str(), hub.bodies().len()), ("# It conforms\n", 0));
}

#[test]
fn the_token_goes_to_the_api_alone() {
    let link = "link: <http://127.0.0.1:9/comments?page=2>; rel=\"next\"\r\n";
    let elsewhere = Hub::answering(&[], 30, move |_| Some(Answer::Bytes(whole("200 OK", link, "[]"))));
    let said = Reports::of("x").comment(&elsewhere, &[]);
    assert!(said.out.contains("the next page of comments is on another server"), "{}", said.out);
    let moved = Hub::answering(&[], 30, |_| Some(answer("307 Moved", "location: http://127.0.0.1:9/\r\n", "")));
    let said = Reports::of("x").comment(&moved, &[]);
    assert!(said.out.contains("GitHub answered 307"), "{}", said.out);
    let hub = Hub::new(&[], 30);
    Reports::of(&format!("a target that echoes {TOKEN}\n")).comment(&hub, &[]);
    assert!(hub.bodies()[0].contains("a target that echoes [redacted: GITHUB_TOKEN]\n"), "{:?}", hub.bodies());
}

#[test]
fn a_report_that_is_too_long_is_cut_and_counted() {
    let lines: String = (0..5000).map(|line| format!("- requirement {line}, with ü and 🦀\n")).collect();
    let reports = Reports::of(&format!("# It does not conform\n\n<details>\n\n```\n{lines}```\n\n</details>\n"));
    let hub = Hub::new(&[], 30);
    let said = reports.comment(&hub, &[]);
    assert_eq!(said.out, "the comment `conformance` is new: o/r#7\n", "{}", said.err);
    let body = &hub.bodies()[0];
    assert!(body.len() <= MOST && body.len() > MOST - 200, "{}", body.len());
    let (_, end) = body.split_once("```\n\n</details>\n\n… ").unwrap();
    assert!(end.contains(" of 5008 lines are left out") && end.contains("At commit 5ca1ab1e"), "{end}");
    let refused = Hub::answering(&[], 30, read_only("403 Forbidden"));
    reports.comment(&refused, &[]);
    assert!(reports.summary().contains("- requirement 4999"), "a summary has more room");
}

#[test]
fn a_report_that_never_ends_is_not_waited_for() {
    let hub = Hub::new(&[], 30);
    let reports = Reports::of("x");
    let pipe = reports.folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (file, due) in [("pipe", "it is a named pipe"), ("/dev/zero", "it has more than 64 MiB")] {
        let said = reports.comment(&hub, &[file]);
        assert!(said.code == Some(2) && said.err.contains(due), "{}", said.err);
    }
}

#[rstest]
#[case::no_file(&["nothing.md"], "the report nothing.md cannot be read")]
#[case::a_name_that_ends_the_mark(&["--name", "a-->"], "single hyphens")]
#[case::two_hyphens(&["--name", "a--b"], "single hyphens")]
fn wrong_usage(#[case] arguments: &[&str], #[case] due: &str) {
    let hub = Hub::new(&[], 30);
    let said = Reports::of("x").comment(&hub, arguments);
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(said.err.contains(due), "{}", said.err);
    assert_eq!(hub.requests(), [""; 0]);
}
