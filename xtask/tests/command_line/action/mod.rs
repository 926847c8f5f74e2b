//! `action.yml`, run as GitHub runs it: its scripts by bash, what a caller gives in their environment, what they tell in files.

mod comment;
pub(crate) mod job;
mod program;

use job::{action, job};
use rstest::rstest;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use testing::Script;

#[test]
fn a_target_that_conforms() {
    let program = format!("'{}' qipu", testing::reference().unwrap().display());
    let job = job(&[
        ("contract", "records"),
        ("transport", "cli"),
        ("address", &program),
        ("arguments", "--case\nheader/context\n"),
        ("reports", "our reports"),
    ]);
    assert_eq!(job.last.code, Some(0), "{}{}", job.last.out, job.last.err);
    assert_eq!(job.outputs["conformant"], "true");
    assert_eq!(job.outputs["failed"], "0");
    assert_ne!(job.outputs["passed"], "0");
    let folder = job.folder.path().join("caller/our reports").canonicalize().unwrap();
    assert_eq!(Path::new(&job.outputs["report"]), folder.join("report.html"));
    for name in ["report.html", "report.json", "junit.xml", "run.ndjson"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
}

#[test]
fn a_target_that_does_not_conform() {
    let reference = testing::reference().unwrap().display();
    let program = Script::new(&format!("'{reference}' qipu \"$@\" | sed 's/ truncated=false/ truncated=true/'\n"));
    let target = program.file("my target.toml");
    let endpoint =
        format!("[[endpoint]]\ncontract = \"records\"\ncli = [\"sh\", \"{}\"]\n", program.file("script.sh").display());
    fs::write(&target, format!("name = \"x\"\n{endpoint}")).unwrap();
    let inputs = [("target", target.to_str().unwrap()), ("arguments", "--case\nheader/context")];
    let job = job(&inputs);
    assert_eq!(job.last.code, Some(1), "{}{}", job.last.out, job.last.err);
    assert_eq!(job.outputs["conformant"], "false");
    assert_eq!(job.outputs["failed"], "1");
    assert!(Path::new(&job.outputs["report"]).is_file());
}

/// The lines that a runner takes commands from, and those in between, where it takes none.
fn heeded(out: &str) -> (Vec<&str>, Vec<&str>) {
    let mut heeded = (Vec::new(), Vec::new());
    let mut end: Option<String> = None;
    for line in out.lines() {
        match &end {
            None => {
                end = line.strip_prefix("::stop-commands::").map(|token| format!("::{token}::"));
                heeded.0.push(line);
            }
            Some(token) if line == token => end = None,
            Some(_) => heeded.1.push(line),
        }
    }
    assert_eq!(end, None, "nothing ends it: {out}");
    heeded
}

#[rstest]
#[case::violated("sed 's/ truncated=false/ truncated=true/'", 1)]
#[case::not_there("no such program", 4)]
#[case::wrong_usage("", 2)]
fn commands_of_the_runner_are_taken_from_the_script_alone(#[case] filter: &str, #[case] code: i32) {
    let reference = testing::reference().unwrap().display();
    let program = Script::new(&format!("'{reference}' qipu \"$@\" | {filter}\n"));
    let address = if code == 4 { filter.to_owned() } else { program.line() };
    let case = if code == 2 { "--cases\nx" } else { "--case\nheader/context" };
    let tokens: Vec<String> = ["first", "second"]
        .map(|_| {
            let job = job(&[("contract", "records"), ("transport", "cli"), ("address", &address), ("arguments", case)]);
            assert_eq!(job.last.code, Some(code), "{}{}", job.last.out, job.last.err);
            let (heeded, others) = heeded(&job.last.out);
            let errors: Vec<&&str> = heeded.iter().filter(|line| line.starts_with("::error")).collect();
            match code {
                1 => assert!(
                    errors.len() == 1
                        && errors[0]
                            .starts_with("::error title=records.not-truncated-without-budget over cli%3A violated::"),
                    "{errors:?}"
                ),
                _ => assert_eq!(errors, [&""; 0]),
            }
            assert!(others.iter().any(|line| line.starts_with("The reports are in ")), "{others:?}");
            assert!(!job.last.err.contains("::error"), "{}", job.last.err);
            heeded.iter().find_map(|line| line.strip_prefix("::stop-commands::")).unwrap().to_owned()
        })
        .to_vec();
    assert!(tokens[0] != tokens[1] && tokens[0].len() == 48, "{tokens:?}");
}

#[test]
fn known_failures_stand_in_files_each_on_a_line() {
    let reference = testing::reference().unwrap().display();
    let program = Script::new(&format!("'{reference}' qipu \"$@\" | sed 's/ truncated=false/ truncated=true/'\n"));
    let (first, second) = (program.file("first known.toml"), program.file("second.toml"));
    let known = "[[known-failure]]\nrequirement = \"records.not-truncated-without-budget\"\nreason = \"see our #12\"\n";
    fs::write(&first, known).unwrap();
    fs::write(&second, "").unwrap();
    let job = job(&[
        ("contract", "records"),
        ("transport", "cli"),
        ("address", &program.line()),
        ("known-failures", &format!("{}\n{}\n", first.display(), second.display())),
        ("arguments", "--case\nheader/context"),
    ]);
    assert_eq!(job.last.code, Some(0), "{}{}", job.last.out, job.last.err);
    assert_eq!(job.outputs["failed"], "0");
    assert!(job.last.out.contains("1 known failure"), "{}", job.last.out);
}

#[test]
fn a_target_that_is_not_there_has_a_report_all_the_same() {
    let job = job(&[("transport", "cli"), ("address", "no-such-program")]);
    assert_eq!(job.last.code, Some(4), "{}{}", job.last.out, job.last.err);
    assert_eq!(job.outputs["conformant"], "false");
    assert_eq!((job.outputs["passed"].as_str(), job.outputs["failed"].as_str()), ("0", "0"));
}

#[rstest]
#[case::no_target(&[], "give a target file, or a transport and an address")]
#[case::two_targets(&[("target", "a"), ("transport", "cli"), ("address", "b")], "not both")]
#[case::address_alone(&[("address", "b")], "an address needs a transport")]
#[case::transport_alone(&[("transport", "cli")], "a transport needs an address")]
#[case::transport(&[("transport", "ftp"), ("address", "b")], "the transport is http, mcp, mcp-stdio or cli")]
#[case::corpus(&[("transport", "http"), ("address", "b"), ("corpus", "yes")], "corpus is true or false")]
#[case::folder(&[("transport", "http"), ("address", "b"), ("reports", "a\nfailed=0")], "is one line")]
fn inputs_that_make_no_sense_are_refused(#[case] inputs: &[(&str, &str)], #[case] due: &str) {
    let job = job(inputs);
    assert_eq!(job.last.code, Some(2), "{}{}", job.last.out, job.last.err);
    assert!(job.last.out.contains(due), "{}", job.last.out);
    assert_eq!(job.outputs, BTreeMap::new());
}

/// Each input in turn is a text that a shell would run were it written into a script, or not quoted there.
#[rstest]
fn no_input_is_run(
    #[values("contract", "target", "transport", "address", "corpus", "known-failures", "arguments", "reports")]
    name: &str,
    #[values("$(touch hit)", "`touch hit`", "'; touch hit; '", "\"; touch hit; \"", "x && touch hit", "x\ntouch hit")]
    hostile: &str,
) {
    let mut inputs = vec![("contract", "records"), ("transport", "cli"), ("address", "no-such-program")];
    if name == "target" {
        inputs = vec![];
    }
    inputs.retain(|(other, _)| *other != name);
    inputs.push((name, hostile));
    let job = job(&inputs);
    assert!(!job.folder.path().join("caller/hit").exists(), "{}{}", job.last.out, job.last.err);
    assert_ne!(job.outputs.get("conformant").map(String::as_str), Some("true"));
}

#[test]
fn no_expression_stands_in_a_script() {
    for step in action()["runs"]["steps"].as_array().unwrap() {
        let script = step["run"].as_str().unwrap_or_default();
        assert!(!script.contains("${{"), "{script}");
    }
}

/// A branch or a tag of somebody else's repository can be another program tomorrow.
#[rstest]
#[case::the_action("action.yml", 1)]
#[case::the_release(".github/workflows/release.yml", 4)]
#[case::ci("docs/ci.md", 5)]
#[case::pull_requests("docs/pull-requests.md", 4)]
fn actions_of_others_are_pinned_by_commit(#[case] file: &str, #[case] least: usize) {
    let text = fs::read_to_string(testing::root().join(file)).unwrap();
    let used = text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "));
    let others: Vec<&str> = used.filter(|used| !used.starts_with("OWNER/REPOSITORY@")).collect();
    assert!(others.len() >= least, "{others:?}");
    for other in others {
        let commit = other.split_once('@').unwrap().1.split(' ').next().unwrap();
        assert!(commit.len() == 40 && commit.chars().all(|one| one.is_ascii_hexdigit()), "{file} uses {other}");
        assert!(other.contains(" # v"), "{file} does not say which version {other} is");
    }
}
