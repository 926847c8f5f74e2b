//! A run against a program: what is reported, in which forms, and what is left of a run that was interrupted.

use super::xtask;
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use testing::{Script, said};

/// The reference, but it says that it left something out when it did not.
fn faulty() -> Script {
    let reference = testing::reference().unwrap().display();
    Script::new(&format!("'{reference}' qipu \"$@\" | sed 's/ truncated=false/ truncated=true/'\n"))
}

/// The case that all these runs are about.
const CASE: &str = "header/context";

/// What the faulty program violates there.
const VIOLATED: &str = "records.not-truncated-without-budget";

#[test]
fn a_sound_program_conforms() {
    let reference = format!("'{}' qipu", testing::reference().unwrap().display());
    let said = said(&mut xtask(&["verify", "records", "--cli", &reference, "--case", CASE]));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains("conforms: ") && said.out.ends_with("exit 0\n"), "{}", said.out);
    assert_eq!(said.err, "", "progress is for terminals");
    assert!(said.out.lines().all(|line| line.chars().count() <= 100), "{}", said.out);
}

#[test]
fn a_fault_is_told_with_a_command_that_repeats_it() {
    let program = faulty();
    let run = said(&mut xtask(&["verify", "records", "--cli", &program.line(), "--case", CASE]));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let violated: Vec<&str> =
        run.out.lines().filter_map(|line| line.strip_prefix("VIOLATED ")?.split(": ").next()).collect();
    assert_eq!(violated, [VIOLATED]);
    let command = run.out.lines().find_map(|line| line.trim().strip_prefix("repeat: ")).unwrap();
    let again = said(Command::new("sh").args(["-c", command]));
    assert_eq!(again.code, Some(0), "{command}: {}", again.err);
    let first = again.out.lines().next().unwrap();
    assert!(first.starts_with("H ") && first.ends_with("truncated=true"), "{command}: {}", again.out);
}

#[test]
fn json_is_for_programs() {
    let program = faulty();
    let said = said(&mut xtask(&["verify", "records", "--cli", &program.line(), "--case", CASE, "--format", "json"]));
    assert_eq!(said.code, Some(1), "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["totals"]["exit_code"], 1);
    assert_eq!(report["totals"]["conclusion"], "does-not-conform");
    let violated = report["findings"].as_array().unwrap().iter().filter(|one| one["outcome"] == "violated");
    assert_eq!(violated.map(|one| &one["finding"]["requirement"]).collect::<Vec<_>>(), [VIOLATED]);
}

#[test]
fn a_run_of_one_requirement_judges_it_alone() {
    let program = faulty();
    let said = said(&mut xtask(&[
        "verify",
        "records",
        "--cli",
        &program.line(),
        "--case",
        CASE,
        "--only",
        "records.header-first",
    ]));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains("conforms: 1 check of 1 case"), "{}", said.out);
}

#[test]
fn a_requirement_of_a_transport_can_be_run_alone() {
    let program = faulty();
    let said =
        said(&mut xtask(&["verify", "records", "--cli", &program.line(), "--case", CASE, "--only", "cli.utf-8"]));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
}

#[test]
fn reports_are_written_beside_what_is_printed() {
    let program = faulty();
    let (junit, json, log) = (program.file("junit.xml"), program.file("report.json"), program.file("run.ndjson"));
    let paths = [("--junit", &junit), ("--json", &json), ("--log", &log)];
    let mut command = xtask(&["verify", "records", "--cli", &program.line(), "--case", CASE]);
    paths.iter().for_each(|(flag, path)| _ = command.arg(flag).arg(path));
    assert_eq!(said(&mut command).code, Some(1));
    let xml = fs::read_to_string(junit).unwrap();
    assert_eq!(xml.matches("<failure ").count(), 1, "{xml}");
    assert!(xml.contains(&format!("name=\"{VIOLATED} in {CASE} over cli\" classname=\"records.cli\"")), "{xml}");
    let report: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(report["totals"]["exit_code"], 1);
    let lines: Vec<Value> =
        fs::read_to_string(log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["format"], "conformance-run/3");
    assert!(lines[1..].iter().any(|line| line["exchange"]["case"] == CASE));
    assert_eq!(lines.last().unwrap()["totals"]["exit_code"], 1);
}

/// The script tells through a pipe that it has begun, and would then go on for ever.
#[rstest]
#[case::at_once("cat \"$BEGUN\"")]
#[case::deaf("trap '' INT TERM; cat \"$BEGUN\"")]
fn an_interrupted_run_writes_its_report(#[case] hang: &str) {
    let program = Script::new(&format!("BEGUN=\"${{0%/*}}/begun\"\necho begun >\"$BEGUN\"\n{hang}\n"));
    let begun = program.file("begun");
    assert!(Command::new("mkfifo").arg(&begun).status().unwrap().success());
    let junit = program.file("junit.xml");
    let mut command = xtask(&["verify", "records", "--cli", &program.line(), "--case", CASE, "--timeout", "600"]);
    let run = command.arg("--junit").arg(&junit).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert_eq!(fs::read_to_string(&begun).unwrap(), "begun\n");
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("interrupted: ") && text.ends_with("exit 130\n"), "{text}");
    let xml = fs::read_to_string(junit).unwrap();
    assert!(xml.contains("the run was interrupted") && xml.trim_end().ends_with("</testsuites>"), "{xml}");
}

/// What GitHub is told of a run, with the folder that is checked out.
fn annotations(program: &Script, words: &[&str]) -> Vec<String> {
    let mut command = xtask(&["verify", "records", "--cli", &program.line()]);
    command.args(words).env("GITHUB_ACTIONS", "true").env("GITHUB_WORKSPACE", testing::root());
    let run = said(&mut command);
    run.err.lines().filter(|line| line.starts_with("::")).map(str::to_owned).collect()
}

/// The line of a file that an annotation is at.
fn annotated(annotation: &str) -> String {
    let place = annotation.strip_prefix("::error file=").unwrap_or_else(|| panic!("no file: {annotation}"));
    let (file, rest) = place.split_once(",line=").unwrap();
    let line: usize = rest.split(',').next().unwrap().parse().unwrap();
    let text = fs::read_to_string(testing::root().join(file)).unwrap();
    format!("{file}: {}", text.lines().nth(line - 1).unwrap().trim())
}

#[rstest]
#[case::of_every_case(CASE, "sed 's/ truncated=false/ truncated=true/'", "always.json", VIOLATED)]
#[case::of_the_case("header/link-tree", "sed 's/^H //'", "cases/header/link-tree.json", "records.link-tree-offered")]
fn an_annotation_is_at_the_line_of_the_check(
    #[case] case: &str,
    #[case] filter: &str,
    #[case] file: &str,
    #[case] requirement: &str,
) {
    let reference = testing::reference().unwrap().display();
    let program = Script::new(&format!("'{reference}' qipu \"$@\" | {filter}\n"));
    let all = annotations(&program, &["--case", case, "--only", requirement]);
    let [one] = all.as_slice() else { panic!("one annotation: {all:?}") };
    assert_eq!(annotated(one), format!("fixtures/records/{file}: \"requirement\": \"{requirement}\","));
    assert!(one.contains(&format!("title={requirement} over cli%3A violated::")), "{one}");
    assert!(one.contains(" --format records "), "the call is shown: {one}");
}

/// A program that says the same to every call fails for one reason, which is one block with one call, and one annotation.
#[test]
fn one_cause_is_one_block() {
    let program = Script::new("echo 'locked' >&2\nexit 3\n");
    let run = said(&mut xtask(&["verify", "records", "--cli", &program.line()]));
    assert_eq!(run.code, Some(1), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines.len() <= 50, "{}", run.out);
    let head = lines.iter().find(|line| line.contains("could not be judged: the call was refused: locked"));
    assert!(head.is_some_and(|line| line.contains("requirements violated and ")), "{}", run.out);
    let blocks = lines.iter().filter(|line| line.contains("the call was refused: locked"));
    // Beside it, it is why requirements were not exercised.
    let blocks = blocks.filter(|line| !line.contains("not exercised"));
    assert_eq!(blocks.count(), 1, "{}", run.out);
    assert!(!run.out.contains("VIOLATED "), "{}", run.out);
    let all = annotations(&program, &[]);
    let of_it = all.iter().filter(|line| line.contains("refused: locked")).count();
    assert_eq!(of_it, 1, "{all:#?}");
}
