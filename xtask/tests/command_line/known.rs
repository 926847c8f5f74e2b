//! `--known-failures`: files of what is known to be wrong, for a target that is only an address.

use super::xtask;
use rstest::rstest;
use std::fs;
use testing::{Script, said};

/// A program that says of every answer that it was cut, which violates one requirement of the case that is run.
fn program() -> Script {
    let reference = testing::reference().unwrap().display();
    Script::new(&format!("'{reference}' qipu \"$@\" | sed 's/ truncated=false/ truncated=true/'\n"))
}

/// What is known of it.
const KNOWN: &str =
    "[[known-failure]]\nrequirement = \"records.not-truncated-without-budget\"\nreason = \"see our #12\"\n";

/// Something that it does not claim to support.
const UNSUPPORTED: &str = "[[unsupported]]\nrequirement = \"records.header-first\"\nreason = \"not yet\"\n";

#[test]
fn files_add_to_one_another() {
    let program = program();
    let (first, second) = (program.file("first.toml"), program.file("second.toml"));
    fs::write(&first, KNOWN).unwrap();
    fs::write(&second, UNSUPPORTED).unwrap();
    let mut command = xtask(&["verify", "records", "--case", "header/context", "--cli", &program.line()]);
    command.arg("--known-failures").arg(&first).arg("--known-failures").arg(&second);
    let said = said(&mut command);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains("1 known failure") && said.out.contains("1 unsupported"), "{}", said.out);
}

#[test]
fn they_add_to_a_target_file() {
    let program = program();
    let (target, known) = (program.file("target.toml"), program.file("known.toml"));
    let command = program.file("script.sh").display().to_string();
    let endpoint = format!("[[endpoint]]\ncontract = \"records\"\ncli = [\"sh\", \"{command}\"]\n");
    fs::write(&target, format!("name = \"x\"\n{endpoint}{UNSUPPORTED}")).unwrap();
    let run = |text: &str| {
        fs::write(&known, text).unwrap();
        let mut command = xtask(&["verify", "--case", "header/context", "--target"]);
        said(command.arg(&target).arg("--known-failures").arg(&known))
    };
    assert_eq!(run("").code, Some(1), "a file in which nothing is left is a file");
    let said = run(KNOWN);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let said = run(UNSUPPORTED);
    assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
    assert!(said.err.contains("known.toml: `records.header-first` is named unsupported twice"), "{}", said.err);
}

#[test]
fn what_is_excused_no_longer_fails() {
    let program = program();
    let known = program.file("known.toml");
    fs::write(&known, format!("{KNOWN}until = 2020-02-29\n")).unwrap();
    let mut command = xtask(&["verify", "records", "--case", "header/context", "--cli", &program.line()]);
    let said = said(command.arg("--known-failures").arg(&known));
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(said.out.contains("was excused until 2020-02-29"), "{}", said.out);
}

#[rstest]
#[case::syntax("[[known-failure]\n", "line 1, column")]
#[case::a_key_of_a_target("name = \"x\"\n", "unknown field `name`")]
#[case::no_reason("[[known-failure]]\nrequirement = \"records.header-first\"\n", "missing field `reason`")]
#[case::empty_reason(
    "[[unsupported]]\nrequirement = \"records.header-first\"\nreason = \" \"\n",
    "`records.header-first` has no reason"
)]
#[case::requirement(
    "[[known-failure]]\nrequirement = \"records.header-frist\"\nreason = \"b\"\n",
    "unknown requirement `records.header-frist`; did you mean `records.header-first`?"
)]
#[case::case(
    "[[known-failure]]\nrequirement = \"records.header-first\"\ncase = \"header/contxt\"\nreason = \"b\"\n",
    "unknown case `header/contxt`; did you mean `header/context`?"
)]
#[case::day(
    "[[known-failure]]\nrequirement = \"records.header-first\"\nreason = \"b\"\nuntil = 10:00:00\n",
    "`10:00:00` is no day"
)]
#[case::both(
    "[[known-failure]]\nrequirement = \"records.header-first\"\nreason = \"b\"\n\
    [[unsupported]]\nrequirement = \"records.header-first\"\nreason = \"b\"\n",
    "`records.header-first` is named both unsupported and a known failure"
)]
fn a_broken_file_is_told_with_its_name_and_place(#[case] text: &str, #[case] due: &str) {
    let script = Script::new("");
    let file = script.file("known.toml");
    fs::write(&file, text).unwrap();
    let mut command = xtask(&["verify", "records", "--cli", "true", "--known-failures"]);
    let said = said(command.arg(&file));
    assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
    assert_eq!(said.out, "");
    assert!(said.err.contains(&format!("the known failures in {}: ", file.display())), "{}", said.err);
    assert!(said.err.contains(due), "{}", said.err);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let said = said(&mut xtask(&["verify", "--cli", "true", "--known-failures", "no-such.toml"]));
    assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
    assert!(said.err.contains("the known failures in no-such.toml: cannot be read"), "{}", said.err);
}
