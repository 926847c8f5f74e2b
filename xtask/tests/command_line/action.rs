//! `action.yml`, run as GitHub runs it: its scripts by bash, what a caller gives in their environment, what they tell in files.

use rstest::rstest;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use testing::{Said, Script, said};

/// The action as data.
fn action() -> Value {
    let path = testing::root().join("action.yml");
    serde_saphyr::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Installs what was built, says how often, and knows no other way to be called.
const CARGO: &str = r#"#!/bin/sh
[ "$*" = "install --quiet --locked --path xtask --root built" ] || exit 101
mkdir -p built/bin
ln -s "${0%/*}/built" built/bin/retrieval-contracts
echo installed >>"${0%/*}/log"
"#;

/// What a job leaves behind.
struct Job {
    folder: TempDir,
    last: Said,
    outputs: BTreeMap<String, String>,
    /// What tells the cache of what the program is built.
    source: String,
}

/// Runs every script of the action in a folder of the caller's, with these inputs.
fn job(inputs: &[(&str, &str)]) -> Job {
    job_after(inputs, |_| {})
}

/// The same, after something was done to the folder of the action.
fn job_after(inputs: &[(&str, &str)], prepare: impl Fn(&Path)) -> Job {
    let action = action();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("action");
    fs::create_dir_all(root.join("xtask")).unwrap();
    fs::write(root.join("Cargo.lock"), "").unwrap();
    // The program is built already: cargo is one that puts it where it is told to.
    let programs = folder.path().join("programs");
    fs::create_dir(&programs).unwrap();
    symlink(env!("CARGO_BIN_EXE_xtask"), programs.join("built")).unwrap();
    fs::write(programs.join("cargo"), CARGO).unwrap();
    said(Command::new("chmod").arg("+x").arg(programs.join("cargo")));
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());

    prepare(&root);
    let mut known: BTreeMap<String, String> =
        BTreeMap::from([("github.action_path".to_owned(), root.display().to_string())]);
    for (name, input) in action["inputs"].as_object().unwrap() {
        known.insert(format!("inputs.{name}"), input["default"].as_str().unwrap().to_owned());
    }
    for (name, value) in inputs {
        known.insert(format!("inputs.{name}"), (*value).to_owned()).unwrap();
    }
    let caller = folder.path().join("caller");
    fs::create_dir(&caller).unwrap();
    let output = folder.path().join("output");
    let mut last = None;
    let mut source = String::new();
    for (at, step) in action["runs"]["steps"].as_array().unwrap().iter().enumerate() {
        let Some(script) = step["run"].as_str() else { continue };
        assert_eq!(step["shell"], "bash");
        let file = folder.path().join(format!("{at}.sh"));
        fs::write(&file, script).unwrap();
        fs::write(&output, "").unwrap();
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&file).current_dir(&caller);
        bash.env("GITHUB_OUTPUT", &output).env("PATH", &path).env("NO_COLOR", "1");
        for (name, value) in step["env"].as_object().unwrap() {
            bash.env(name, filled(value.as_str().unwrap(), &known));
        }
        last = Some(said(&mut bash));
        if step["id"] == "key" {
            source = fs::read_to_string(&output).unwrap();
        }
    }
    let lines = fs::read_to_string(&output).unwrap();
    let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap();
    Job { outputs: lines.lines().map(pair).collect(), last: last.unwrap(), folder, source }
}

/// A value of a step's environment with its expressions put in.
fn filled(text: &str, known: &BTreeMap<String, String>) -> String {
    let Some((before, rest)) = text.split_once("${{ ") else { return text.to_owned() };
    let (expression, after) = rest.split_once(" }}").unwrap();
    format!("{before}{}{}", known[expression], filled(after, known))
}

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
fn what_the_cache_holds_is_not_built_again() {
    let inputs = [("contract", "records"), ("transport", "cli"), ("address", "no-such-program")];
    let log = |job: &Job| fs::read_to_string(job.folder.path().join("programs/log")).unwrap_or_default();
    let first = job(&inputs);
    assert_eq!((first.last.code, log(&first).as_str()), (Some(4), "installed\n"), "{}", first.last.err);
    let again = job_after(&inputs, |root| {
        fs::create_dir_all(root.join("built/bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_xtask"), root.join("built/bin/retrieval-contracts")).unwrap();
    });
    assert_eq!((again.last.code, log(&again).as_str()), (Some(4), ""), "{}", again.last.err);
    assert_eq!(first.source, again.source, "what is built is no part of what it is built of");
}

#[test]
fn the_cache_is_asked_for_what_the_files_are() {
    let inputs = [("contract", "records"), ("transport", "cli"), ("address", "no-such-program")];
    let changed = job_after(&inputs, |root| fs::write(root.join("Cargo.lock"), "changed").unwrap());
    let moved = job_after(&inputs, |root| fs::rename(root.join("Cargo.lock"), root.join("xtask/Cargo.lock")).unwrap());
    let [as_it_is, changed, moved] = [job(&inputs), changed, moved].map(|job| job.source);
    assert!(as_it_is.starts_with("source=") && as_it_is.len() > "source=".len() + 20, "{as_it_is}");
    assert!(as_it_is != changed && as_it_is != moved);
}

#[test]
fn no_expression_stands_in_a_script() {
    for step in action()["runs"]["steps"].as_array().unwrap() {
        let script = step["run"].as_str().unwrap_or_default();
        assert!(!script.contains("${{"), "{script}");
    }
}
