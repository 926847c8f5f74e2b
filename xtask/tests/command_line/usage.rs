//! Help, and what is said of a command line or a target file that makes no sense: exit code 2, or 4 for no target.

use super::{listed, xtask};
use insta::assert_snapshot;
use rstest::rstest;
use std::collections::BTreeMap;
use testing::{Script, said};

#[test]
fn help() {
    let said = said(&mut xtask(&["--help"]));
    assert_eq!(said.code, Some(0));
    assert_snapshot!(said.out);
}

/// A name without `dev` is answered with the whole one, for every command of `dev`.
#[test]
fn a_command_of_dev_is_found_there() {
    let names = listed(&said(&mut xtask(&["dev", "--help"])).out);
    for name in names.iter().filter(|name| *name != "help") {
        let said = said(&mut xtask(&[name]));
        assert_eq!(said.code, Some(2));
        assert!(said.err.contains(&format!("did you mean `cargo xtask dev {name}`")), "{}", said.err);
    }
}

#[test]
fn verify_help() {
    let said = said(&mut xtask(&["verify", "--help"]));
    assert_eq!(said.code, Some(0));
    assert_snapshot!(said.out);
}

#[rstest]
#[case::contract(&["verify", "recrods", "--cli", "true"], "unknown contract `recrods`; did you mean `records`?")]
#[case::requirement(&["verify", "--cli", "true", "--only", "records.header-frist"],
    "unknown requirement `records.header-frist`; did you mean `records.header-first`?")]
#[case::flag(&["verify", "--junti", "x"], "a similar argument exists: '--junit'")]
#[case::renamed_corpus(&["verify", "outline", "--mcp", "x", "--corpus"], "a similar argument exists: '--corpus-loaded'")]
#[case::renamed_corpus_of_tap(&["tap", "--upstream", "x", "--corpus"], "a similar argument exists: '--corpus-loaded'")]
#[case::renamed_seed(&["init", "x", "--seed", "x"], "a similar argument exists: '--seed-command'")]
#[case::renamed_known_failures(&["init", "x", "--known-failures"], "a similar argument exists: '--write-known-failures'")]
#[case::renamed_out(&["export", "recall", "--format", "sql", "--out", "x"], "a similar argument exists: '--output'")]
#[case::command(&["verfy"], "a similar subcommand exists: 'verify'")]
#[case::command_that_moved(&["mutants", "memory"], "tip: did you mean `cargo xtask dev mutants`")]
#[case::command_of_dev(&["dev", "tokes"], "a similar subcommand exists: 'tokens'")]
#[case::two_targets(&["verify", "--cli", "true", "--target", "x.toml"], "cannot be used with")]
#[case::open_quotation_mark(&["verify", "--cli", "true 'x"], "`true 'x` has a quotation mark that is not closed")]
#[case::no_such_file(&["verify", "--target", "no-such.toml"], "the target file no-such.toml: cannot be read")]
#[case::list(&["list", "recrods"], "did you mean `records`?")]
#[case::two_revisions(&["verify", "memory", "--revision", "memory@1", "--revision", "memory@2"],
    "memory@1 and memory@2 are two revisions of one contract: give one of them")]
#[case::two_revisions_by_name(&["verify", "memory@1", "--revision", "memory@2"], "memory@1 and memory@2 are two revisions")]
#[case::two_revisions_of_a_list(&["list", "memory@1", "memory@2"], "memory@1 and memory@2 are two revisions")]
#[case::two_revisions_of_a_tap(&["tap", "--upstream", "http://127.0.0.1:1", "--revision", "memory@2", "--revision", "memory@1"],
    "memory@2 and memory@1 are two revisions")]
#[case::a_revision_of_nothing_asked(&["list", "remnote", "--revision", "memory@2"],
    "--revision memory@2 does nothing here: only remnote was asked for")]
#[case::a_revision_of_another_contract(&["explain", "remnote.limit", "--revision", "memory@2"],
    "--revision memory@2 does nothing here: `remnote.limit` is not a requirement of memory")]
#[case::a_revision_that_is_not_there(&["explain", "memory@7"], "memory has no revision 7")]
#[case::no_revision(&["coverage", "memory@two"], "`memory@two`: a revision is CONTRACT@NUMBER")]
#[case::every_revision_and_one(&["verify", "memory@2", "--every-revision"], "--every-revision runs all revisions of a contract")]
#[case::where_no_revision_is_taken(&["edits", "memory@2"], "`memory@2` names a revision, which is nothing to this command")]
#[case::no_time_for_a_call(&["verify", "--cli", "true", "--timeout", "0"], "invalid value '0' for '--timeout <SECONDS>'")]
#[case::no_time_for_an_answer(&["init", "--timeout", "0", "x"], "invalid value '0' for '--timeout <SECONDS>'")]
fn what_is_unknown_is_answered_with_the_nearest(#[case] arguments: &[&str], #[case] due: &str) {
    let said = said(&mut xtask(arguments));
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains(due), "{}", said.err);
    assert_eq!(said.out, "");
}

#[rstest]
#[case::syntax("name = \"x\"\n[[endpoint]\n", "line 2, column")]
#[case::unknown_key("name = \"x\"\nnmae = \"y\"\n", "line 2, column 1")]
#[case::wrong_type("name = 1\n", "line 1, column 8")]
#[case::unknown_contract(
    "name = \"x\"\n[[endpoint]]\ncontract = \"recrods\"\ncli = [\"true\"]\n",
    "unknown contract `recrods`; did you mean `records`?"
)]
#[case::unknown_requirement(
    "name = \"x\"\nunsupported = [{ requirement = \"records.moc\", reason = \"\" }]\n",
    "unknown requirement `records.moc`"
)]
#[case::bad_day(
    "name = \"x\"\n[[known-failure]]\nrequirement = \"a\"\nreason = \"b\"\nuntil = 10:00:00\n",
    "line 5, column"
)]
#[case::no_endpoint("name = \"x\"\n", "names no [[endpoint]]")]
#[case::no_time("name = \"x\"\ntimeout = 0\n", "`timeout` is 0 seconds")]
#[case::missing_variable(
    "name = \"x\"\nenv = { T = \"${NO_SUCH_VARIABLE}\" }\n[[endpoint]]\ncontract = \"records\"\n\
    cli = [\"true\"]\n",
    "${NO_SUCH_VARIABLE}, which `T` uses, is not set in the environment"
)]
fn a_broken_target_file_is_told_with_its_place(#[case] text: &str, #[case] due: &str) {
    let script = Script::new("");
    let file = script.file("target.toml");
    std::fs::write(&file, text).unwrap();
    let said = said(&mut xtask(&["verify", "--target", file.to_str().unwrap()]));
    assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
    assert!(said.err.contains(due), "{}", said.err);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let script = Script::new("");
    let junit = script.file("report.xml");
    let said = said(&mut xtask(&["verify", "--cli", "no-such-program --flag", "--junit", junit.to_str().unwrap()]));
    assert_eq!(said.code, Some(4), "{}{}", said.out, said.err);
    assert!(said.out.contains("the program `no-such-program` cannot be started"), "{}", said.out);
    assert!(said.out.ends_with("exit 4\n"), "{}", said.out);
    let report = std::fs::read_to_string(junit).unwrap();
    assert!(report.contains("no-such-program"), "the report is written even so: {report}");
}

#[test]
fn nothing_selected_is_no_success() {
    let said = said(&mut xtask(&["verify", "--cli", "true", "--case", "no/such/case"]));
    assert_eq!(said.code, Some(5), "{}{}", said.out, said.err);
}

/// An option that several commands have takes the same kind of value in each of them.
#[test]
fn no_option_means_two_things() {
    let mut commands: Vec<Vec<String>> = Vec::new();
    for name in listed(&said(&mut xtask(&["--help"])).out).into_iter().filter(|name| name != "help") {
        let inner = match name.as_str() {
            "dev" | "reference" => listed(&said(&mut xtask(&[&name, "--help"])).out),
            _ => vec![],
        };
        commands.extend(inner.into_iter().filter(|inner| inner != "help").map(|inner| vec![name.clone(), inner]));
        commands.push(vec![name]);
    }
    let mut options: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["-h"]).collect();
        for line in said(&mut xtask(&words)).out.lines().filter(|line| line.trim_start().starts_with('-')) {
            let Some((_, option)) = line.split_once("--") else { continue };
            // What is said of it follows two spaces.
            let (name, value) =
                option.split("  ").next().unwrap().split_once(' ').unwrap_or((option.trim(), "nothing"));
            options.entry(name.trim().to_owned()).or_default().insert(value.to_owned(), command.join(" "));
        }
    }
    assert!(options.len() > 50, "{options:?}");
    options.retain(|_, values| values.len() > 1);
    assert_eq!(options, BTreeMap::new(), "an option with the command that takes each kind of value");
}
