//! `install.sh`, with a server on this machine in the place of the releases.

use crate::plain;
use crate::release::{Release, archive, version};
use rstest::rstest;
use std::fs;
use std::path::Path;
use tempfile::tempdir;
use testing::{Said, root, said};

/// Runs the script with these arguments and this search path.
fn install(arguments: &[&str], path: &str) -> Said {
    let mut command = plain("sh");
    command.arg(root().join("install.sh")).args(arguments).env("PATH", path).env("HOME", "/nowhere");
    said(command.env("NO_PROXY", "127.0.0.1"))
}

fn path() -> String {
    std::env::var("PATH").unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn the_program_is_there_and_starts() {
    let release = Release::of_the_runner();
    let folder = tempdir().unwrap();
    let to = folder.path().join("new folder");
    let said = install(&["--from", release.address(), "--to", to.to_str().unwrap()], &path());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let program = to.join("retrieval-contracts");
    let begin =
        format!("{} is installed as {}\nAdd {} to PATH", version(&program).trim(), program.display(), to.display());
    assert!(said.out.starts_with(&begin), "{}", said.out);
    assert_eq!(names(&to), ["retrieval-contracts"], "nothing else stays");
    assert_eq!(release.requests(), 2);
}

#[test]
fn a_folder_in_the_search_path_is_not_named_again() {
    let release = Release::of_the_runner();
    let to = tempdir().unwrap();
    let folder = to.path().to_str().unwrap();
    let said = install(&["--to", folder, "--from", release.address()], &format!("{folder}:{}", path()));
    assert!(said.code == Some(0) && !said.out.contains("Add "), "{}{}", said.out, said.err);
}

/// What was there before stays when the new one is not to be trusted.
#[rstest]
#[case::another_archive("exit 0", |release: &Release| fs::write(release.file(&archive()), "other bytes").unwrap(), "checksum")]
#[case::a_false_checksum("exit 0", |release: &Release| fs::write(release.file(&format!("{}.sha256", archive())), "").unwrap(), "checksum")]
#[case::no_archive("exit 0", |release: &Release| fs::remove_file(release.file(&archive())).unwrap(), "cannot be downloaded")]
#[case::no_checksum("exit 0", |release: &Release| fs::remove_file(release.file(&format!("{}.sha256", archive()))).unwrap(), "cannot be downloaded")]
#[case::no_tar("exit 0", |release: &Release| { fs::write(release.file(&archive()), "x").unwrap(); release.sign(); }, "cannot be unpacked")]
#[case::of_another_machine("exit 1", |_: &Release| {}, "does not start on this machine")]
fn nothing_is_installed(#[case] script: &str, #[case] damage: fn(&Release), #[case] due: &str) {
    let release = Release::of(script);
    damage(&release);
    let to = tempdir().unwrap();
    let program = to.path().join("retrieval-contracts");
    fs::write(&program, "the old one").unwrap();
    let said = install(&["--from", release.address(), "--to", to.path().to_str().unwrap()], &path());
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(said.err.contains("install.sh: ") && said.err.contains(due), "{}", said.err);
    assert_eq!(fs::read_to_string(&program).unwrap(), "the old one");
    assert_eq!(names(to.path()), ["retrieval-contracts"]);
}

#[rstest]
#[case::no_value(&["--to"], "--to needs a value")]
#[case::unknown(&["--prefix", "x"], "unknown argument: --prefix")]
#[case::no_release(&["--to", "/nowhere"], "say where the releases are: --from")]
#[case::nowhere_to_write(&["--to", "/proc/x", "--from", "http://127.0.0.1:9"], "the folder /proc/x cannot be made")]
fn wrong_usage(#[case] arguments: &[&str], #[case] due: &str) {
    let said = install(arguments, &path());
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(said.err.contains(due), "{}", said.err);
}

#[rstest]
#[case::windows("MINGW64_NT-10.0", "x86_64", "there is no archive for x86_64-MINGW64_NT-10.0; build it with Rust")]
#[case::machine("Linux", "riscv64", "there is no archive for riscv64-linux; build it with Rust")]
fn a_system_without_an_archive(#[case] system: &str, #[case] machine: &str, #[case] due: &str) {
    let folder = tempdir().unwrap();
    let uname = folder.path().join("uname");
    fs::write(&uname, format!("#!/bin/sh\n[ \"$1\" = -s ] && echo {system} || echo {machine}\n")).unwrap();
    said(plain("chmod").arg("+x").arg(&uname));
    let said = install(&["--from", "http://127.0.0.1:9"], &format!("{}:{}", folder.path().display(), path()));
    assert!(said.code == Some(1) && said.err.contains(due), "{}", said.err);
}
