//! What programs find that a run starts: names of files, colours, a terminal.

use crate::xtask;
use rstest::rstest;
use std::fs;
use std::process::Command;
use testing::{Said, Script, said};

/// Calls a command line of `records` once, from a folder with `cli.sh` and `dist/cli.sh` in it, which write down what they find.
fn called(command: &str, finds: &str, change: impl FnOnce(&mut Command)) -> (Said, Script) {
    let place = Script::new("");
    let text = format!("({finds}) >>'{}'\necho 'H records=0 truncated=false'\n", place.file("found").display());
    fs::create_dir(place.file("dist")).unwrap();
    fs::write(place.file("cli.sh"), &text).unwrap();
    fs::write(place.file("dist/cli.sh"), &text).unwrap();
    let mut verify = xtask(&["verify", "records", "--case", "edges/list", "--cli", command]);
    change(verify.current_dir(place.file(".")));
    let said = said(&mut verify);
    (said, place)
}

#[rstest]
#[case::a_script("sh cli.sh", "$0")]
#[case::in_a_folder("sh dist/cli.sh", "$0")]
#[case::behind_an_option("env -u NONE sh -e cli.sh", "$0")]
#[case::of_an_option("sh cli.sh --config=dist/cli.sh", "${1#--config=}")]
fn a_file_is_found_that_an_argument_names(#[case] command: &str, #[case] named: &str) {
    let (said, place) = called(command, &format!("[ -f \"{named}\" ] && echo \"{named}\""), |_| ());
    let found = place.read("found");
    let folder = place.file(".").canonicalize().unwrap();
    assert!(!found.is_empty(), "{}{}", said.out, said.err);
    for found in found.lines() {
        assert!(fs::canonicalize(found).unwrap().starts_with(&folder), "{found}");
    }
}

#[rstest]
#[case::a_word("records")]
#[case::the_folder_of_the_call(".")]
#[case::a_name_that_is_nowhere("none/here.md")]
fn an_argument_that_names_no_file_stays(#[case] word: &str) {
    let (said, place) = called(&format!("sh cli.sh {word}"), "echo \"$1\"", |verify| {
        fs::write(verify.get_current_dir().unwrap().join("records"), "").unwrap();
    });
    assert!(place.read("found").lines().all(|found| found == word), "{}{}", said.out, said.err);
    assert!(!place.read("found").is_empty(), "{}{}", said.out, said.err);
}

#[test]
fn a_target_file_names_what_is_beside_it() {
    let place = Script::new("");
    let folder = place.file("theirs");
    fs::create_dir(&folder).unwrap();
    let text = format!("echo \"$0\" >>'{}'\necho 'H records=0'\n", place.file("found").display());
    fs::write(folder.join("cli.sh"), text).unwrap();
    let target = "name = \"x\"\n[[endpoint]]\ncontract = \"records\"\ncli = [\"sh\", \"cli.sh\"]\n";
    fs::write(folder.join("target.toml"), target).unwrap();
    let mut verify = xtask(&["verify", "--case", "edges/list", "--target", "theirs/target.toml"]);
    let said = said(verify.current_dir(place.file(".")));
    assert!(place.read("found").ends_with("theirs/cli.sh\n"), "{}{}", said.out, said.err);
}

#[rstest]
#[case::inherited("", "1 none none")]
#[case::as_the_target_file_says("env = { FORCE_COLOR = \"2\", NO_COLOR = \"\" }", " 2 none")]
fn a_program_is_not_forced_to_use_colours(#[case] env: &str, #[case] due: &str) {
    let place = Script::new("echo \"$NO_COLOR ${FORCE_COLOR-none} ${CLICOLOR_FORCE-none}\" >>\"$FOLDER/found\"");
    let words = place.words();
    let target = format!("name = \"x\"\n{env}\n[[endpoint]]\ncontract = \"records\"\ncli = {words:?}\n");
    fs::write(place.file("target.toml"), target).unwrap();
    let mut verify = xtask(&["verify", "--case", "edges/list", "--target"]);
    verify.arg(place.file("target.toml")).env("FORCE_COLOR", "3").env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    let said = said(&mut verify);
    let found = place.read("found");
    assert!(!found.is_empty() && found.lines().all(|found| found == due), "{found}{}{}", said.out, said.err);
}

/// A program that asks at the terminal finds none, so it cannot write into our progress and wait.
#[cfg(target_os = "linux")]
#[test]
fn a_program_is_in_a_session_without_our_terminal() {
    let (said, place) = called("sh cli.sh", "cat /proc/self/stat; (: </dev/tty) 2>/dev/null && echo terminal", |_| ());
    let ours = session(&fs::read_to_string("/proc/self/stat").unwrap());
    let found = place.read("found");
    assert!(!found.is_empty(), "{}{}", said.out, said.err);
    for found in found.lines() {
        assert_ne!(found, "terminal");
        // Ours is 0 where a process outside of our container leads it; nothing that we start can be in a new one of that number.
        assert!(session(found) > 0 && session(found) != ours, "{found}");
    }
}

/// The session in what Linux says of a process. The name of the program stands before it, in brackets, and may hold anything.
#[cfg(target_os = "linux")]
fn session(stat: &str) -> u32 {
    let (_, words) = stat.rsplit_once(") ").unwrap();
    words.split(' ').nth(3).unwrap().parse().unwrap()
}
