//! What this machine cannot do is named as that, and held against no target.

use std::process::Command;
use testing::{Said, said};

/// Verifies a program after these words of a shell.
fn verified_after(words: &str) -> Said {
    let target = format!("{} qipu", testing::reference().unwrap().display());
    let verify = [env!("CARGO_BIN_EXE_xtask"), "verify", "records", "--case", "edges/list", "--cli", &target];
    let script = format!("{words}; exec {}", shlex::try_join(verify).unwrap());
    said(Command::new("sh").args(["-c", &script]).current_dir(testing::root()).env("NO_COLOR", "1"))
}

/// A text in one line.
fn unfilled(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn without_room_for_a_copy_of_the_corpus_the_run_is_incomplete() {
    let run = verified_after("export TMPDIR=/no-such-folder");
    assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
    assert!(unfilled(&run.out).contains("this machine cannot make a folder for a case"), "{}", run.out);
}

#[test]
fn without_file_handles_the_run_is_incomplete() {
    // How many the run itself needs depends on what it inherits.
    let runs: Vec<Said> = (12..=18).map(|handles| verified_after(&format!("ulimit -n {handles}"))).collect();
    for run in &runs {
        assert!(matches!(run.code, Some(2 | 3)), "{:?} {}{}", run.code, run.out, run.err);
        assert!(!run.out.contains("VIOLATED") && !run.out.contains("not reachable"), "{}", run.out);
    }
    let why = "this machine has no file handle left, so raise `ulimit -n`";
    assert!(runs.iter().any(|run| run.code == Some(3) && unfilled(&run.out).contains(why)));
}
