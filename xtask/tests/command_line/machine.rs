//! What this machine cannot do is named as that, and held against no target.

use crate::plain;
use rstest::rstest;
use testing::{Said, said};

/// No process that starts the tests leaves so many files open to them.
const MOST_INHERITED: usize = 1000;

/// Verifies a program after these words of a shell that can ignore every signal.
fn verified_after(words: &str) -> Said {
    let target = format!("{} qipu", testing::reference().unwrap().display());
    let verify = [env!("CARGO_BIN_EXE_xtask"), "verify", "records", "--case", "edges/list", "--cli", &target];
    let script = format!("{words}; exec {}", shlex::try_join(verify).unwrap());
    said(plain("bash").args(["-c", &script]).current_dir(testing::root()))
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
    let why = "this machine has no file handle left, so raise `ulimit -n`";
    let mut is_said = false;
    // How many are enough depends on the machine, and on those that the run inherits.
    for handles in 3.. {
        let run = verified_after(&format!("ulimit -n {handles}"));
        let shown = format!("with {handles} file handles: {:?} {}{}", run.code, run.out, run.err);
        assert!(!run.out.contains("VIOLATED") && !run.out.contains("not reachable"), "{shown}");
        match run.code {
            Some(0) => break,
            Some(3) => is_said |= unfilled(&run.out).contains(why),
            Some(2) => assert!(run.err.contains("Too many open files") && run.out.is_empty(), "{shown}"),
            // Not even its libraries can be loaded.
            Some(127) => assert!(handles < MOST_INHERITED && run.out.is_empty(), "{shown}"),
            _ => panic!("{shown}"),
        }
    }
    assert!(is_said, "no run says that {why}");
}

/// A process that ignores SIGCHLD, as what it starts then does, is not told how its children ended.
#[test]
fn what_starts_the_program_may_ignore_the_end_of_its_children() {
    let run = verified_after("trap '' CHLD");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

/// The certificates of a system matter to nobody who speaks no TLS.
#[rstest]
#[case::not_over_http("http://127.0.0.1:9", false)]
#[case::over_https("https://127.0.0.1:9", true)]
fn without_certificates_only_tls_is_impossible(#[case] address: &str, #[case] is_missed: bool) {
    let mut verify = plain(env!("CARGO_BIN_EXE_xtask"));
    verify.args(["verify", "recall", "--http", address]);
    let run = said(verify.env("SSL_CERT_FILE", "/nowhere").env("SSL_CERT_DIR", "/nowhere"));
    let shown = format!("{}{}", run.out, run.err);
    assert_eq!(shown.contains("No CA certificates"), is_missed, "{shown}");
    assert_eq!(run.code, Some(if is_missed { 2 } else { 4 }), "{shown}");
}
