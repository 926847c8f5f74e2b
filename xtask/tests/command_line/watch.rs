//! `--watch`: a run after each change, until it is interrupted.

use crate::xtask;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use testing::Script;

#[test]
fn a_change_of_the_target_file_runs_again() {
    let script = Script::new("exit 7\n");
    let target = script.file("target.toml");
    let write = |name: &str| {
        let words = script.words();
        let text = format!("name = \"{name}\"\n[[endpoint]]\ncontract = \"records\"\ncli = {words:?}\n");
        fs::write(&target, text).unwrap();
    };
    write("before");
    let mut command = xtask(&["verify", "--watch", "-q", "--case", "edges/list", "--target"]);
    let mut child =
        command.arg(&target).stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut until = |due: &str| assert!(lines.any(|line| line.contains(due)), "it ended without `{due}`");
    until("watching for changes; Ctrl-C ends");
    // What makes no sense is told, and waits for the next change.
    fs::write(&target, "name = \n").unwrap();
    until("target.toml changed");
    until("error: the target file ");
    until("watching for changes");
    write("after");
    until("target.toml changed");
    until("watching for changes");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let out = String::from_utf8(ended.stdout).unwrap();
    assert!(out.contains("records over cli, before") && out.contains("records over cli, after"), "{out}");
}
