//! What is made from the definition of the command line: completions and manual pages, tried by the programs that read them.

use super::xtask;
use rstest::rstest;
use std::io::Write;
use std::process::{Command, Stdio};
use testing::{Said, said};

/// What is printed for a shell or a page.
fn made(arguments: &[&str]) -> String {
    let Said { code, out, err } = said(&mut xtask(arguments));
    assert_eq!(code, Some(0), "{err}");
    out
}

/// What a program says to a text on its standard input; nothing, loudly, where there is no such program.
fn read_by(program: &str, arguments: &[&str], text: &str) -> Option<Said> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.env("MANWIDTH", "100").spawn() else {
        eprintln!("SKIPPED: there is no {program} here");
        return None;
    };
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Some(Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) })
}

#[rstest]
#[case::command("xtask", "ver", &["verify"])]
#[case::flag("xtask verify", "--mcp", &["--mcp", "--mcp-era", "--mcp-stdio"])]
#[case::contract("xtask explain", "records.header-fi", &["records.header-first"])]
#[case::only("xtask verify --only", "records.header-fi", &["records.header-first"])]
#[case::contract_of_verify("xtask verify", "rec", &["recall", "records"])]
fn bash_completes(#[case] before: &str, #[case] word: &str, #[case] due: &[&str]) {
    let words: Vec<&str> = before.split(' ').chain([word]).collect();
    let (at, last) = (words.len() - 1, words[words.len() - 2]);
    let ask = format!(
        "{}\nCOMP_WORDS=({}) COMP_CWORD={at}\n_xtask xtask '{word}' '{last}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        made(&["completions", "bash"]),
        words.join(" ")
    );
    let said = read_by("bash", &["--noprofile", "--norc"], &ask).unwrap();
    assert_eq!(said.code, Some(0), "{}", said.err);
    let mut offered: Vec<&str> = said.out.lines().collect();
    offered.sort_unstable();
    assert_eq!(offered, due, "{}", said.err);
}

#[rstest]
#[case::flag("xtask verify --known", "--known-failures")]
#[case::only("xtask verify --only records.header-fi", "records.header-first")]
fn fish_completes(#[case] line: &str, #[case] due: &str) {
    let ask = format!("{}\ncomplete --do-complete '{line}'\n", made(&["completions", "fish"]));
    let Some(said) = read_by("fish", &["--no-config"], &ask) else { return };
    assert_eq!(said.code, Some(0), "{}", said.err);
    // A tab and a description follow.
    let offered: Vec<&str> = said.out.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(offered, [due], "{}", said.err);
}

#[rstest]
#[case::bash("bash")]
#[case::zsh("zsh")]
#[case::fish("fish")]
fn a_shell_reads_its_completions(#[case] shell: &str) {
    let script = made(&["completions", shell]);
    assert!(script.contains("verify") && script.contains("records.header-first"));
    if let Some(said) = read_by(shell, &["-n"], &script) {
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(said.err, "");
    }
}

#[rstest]
#[case::runner(&["man"], "xtask-judge(1)")]
#[case::verify(&["man", "verify"], "--mcp-stdio")]
fn a_manual_page_is_read(#[case] arguments: &[&str], #[case] due: &str) {
    let page = made(arguments);
    assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{page}");
    if let Some(said) = read_by("mandoc", &["-T", "lint", "-W", "error"], &page) {
        assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    }
    if let Some(said) = read_by("man", &["--warnings", "-l", "-"], &page) {
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(said.err, "", "{}", said.out);
        assert!(said.out.replace(['\u{2010}', '\u{2212}'], "-").contains(due), "{}", said.out);
    }
}

#[test]
fn a_page_of_no_command_names_the_nearest() {
    let said = said(&mut xtask(&["man", "verfy"]));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("did you mean `verify`?"), "{}", said.err);
}
