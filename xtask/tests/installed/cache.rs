//! The data that it carries: unpacked once, whole, and mended when somebody was at it.

use crate::{Machine, Said, said, told};
use rstest::rstest;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use walkdir::WalkDir;

/// Reads all of the data.
const LIST: &[&str] = &["list", "--format", "json"];

/// The files below a folder, by their path in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = WalkDir::new(folder).into_iter().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    files
        .map(|entry| (entry.path().strip_prefix(folder).unwrap().to_owned(), fs::read(entry.path()).unwrap()))
        .collect()
}

fn sound(said: &Said) {
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.contains("recall.start-time-required"), "{}", said.out);
}

#[test]
fn it_carries_what_the_checkout_holds() {
    let machine = Machine::new();
    sound(&machine.says(LIST));
    let folder = machine.unpacked().remove(0);
    let root = testing::root();
    for name in ["schemas", "fixtures"] {
        assert_eq!(files(&folder.join(name)), files(&root.join(name)), "{name}");
    }
    assert_eq!(
        fs::read(folder.join("reference/target.toml")).unwrap(),
        fs::read(root.join("reference/target.toml")).unwrap()
    );
}

#[test]
fn the_second_start_takes_what_the_first_unpacked() {
    let machine = Machine::new();
    let first = machine.says(LIST);
    sound(&first);
    let made = |machine: &Machine| {
        let [folder] = machine.unpacked().try_into().unwrap();
        let files = WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().metadata().unwrap());
        files.map(|file| (file.ino(), file.mtime_nsec())).collect::<Vec<_>>()
    };
    let before = made(&machine);
    assert_eq!(machine.says(LIST), first);
    assert_eq!(made(&machine), before);
}

#[test]
fn several_that_start_at_once_do_not_disturb_each_other() {
    let machine = Machine::new();
    let started: Vec<_> =
        (0..6).map(|_| machine.command(LIST).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()).collect();
    let said: Vec<Said> = started.into_iter().map(|child| told(child.wait_with_output().unwrap())).collect();
    sound(&said[0]);
    assert!(said.iter().all(|one| *one == said[0]));
    assert_eq!(machine.unpacked().len(), 1);
}

/// A file that is read in every run.
const READ: &str = "schemas/recall/contract.json";

#[rstest]
#[case::another_byte(|folder: &Path| {
    let mut bytes = fs::read(folder.join(READ)).unwrap();
    bytes[0] = b' ';
    fs::write(folder.join(READ), bytes).unwrap();
})]
#[case::cut_off(|folder: &Path| fs::write(folder.join(READ), "").unwrap())]
#[case::gone(|folder: &Path| fs::remove_file(folder.join(READ)).unwrap())]
#[case::one_more(|folder: &Path| fs::write(folder.join("fixtures/recall/cases/more.json"), "{}").unwrap())]
#[case::a_link(|folder: &Path| {
    fs::rename(folder.join(READ), folder.join("../elsewhere.json")).unwrap();
    symlink(folder.join("../elsewhere.json"), folder.join(READ)).unwrap();
})]
#[case::a_folder_in_its_place(|folder: &Path| {
    fs::remove_file(folder.join(READ)).unwrap();
    fs::create_dir(folder.join(READ)).unwrap();
})]
#[case::a_file_in_place_of_all(|folder: &Path| {
    fs::remove_dir_all(folder).unwrap();
    fs::write(folder, "").unwrap();
})]
#[case::killed_while_unpacking(|folder: &Path| {
    let part = folder.with_file_name(".retrieval-contracts-part-of-one-that-was-killed");
    fs::create_dir(&part).unwrap();
    let mark = "The retrieval-contracts program made this folder to unpack its data, and deletes it.\n";
    fs::write(part.join("retrieval-contracts.part"), mark).unwrap();
    fs::rename(folder, part.join("fresh")).unwrap();
    fs::remove_dir_all(part.join("fresh/fixtures")).unwrap();
})]
fn what_somebody_changed_is_mended(#[case] change: fn(&Path)) {
    let machine = Machine::new();
    let first = machine.says(LIST);
    sound(&first);
    let folder = machine.unpacked().remove(0);
    let whole = files(&folder);
    change(&folder);
    assert_eq!(machine.says(LIST), first);
    assert_eq!(files(&folder), whole);
    let mut left = machine.unpacked();
    left.retain(|path| !path.ends_with("elsewhere.json"));
    assert_eq!(left, [folder]);
}

#[test]
fn what_is_not_its_own_stays() {
    let machine = Machine::new();
    let cache = machine.path("work/cache");
    let theirs = ["part-mine", ".retrieval-contracts-part-mine", "fresh", "damaged"];
    for name in theirs {
        fs::create_dir_all(cache.join(name)).unwrap();
        fs::write(cache.join(name).join("mine"), "mine").unwrap();
    }
    fs::write(cache.join("lock"), "mine").unwrap();
    fs::write(cache.join(".retrieval-contracts-part-file"), "mine").unwrap();
    symlink(machine.path("home"), cache.join(".retrieval-contracts-part-link")).unwrap();
    sound(&said(machine.command(LIST).env("RETRIEVAL_CONTRACTS_CACHE", &cache)));
    for name in theirs
        .map(|name| format!("{name}/mine"))
        .into_iter()
        .chain(["lock", ".retrieval-contracts-part-file"].map(str::to_owned))
    {
        assert_eq!(fs::read_to_string(cache.join(&name)).unwrap(), "mine", "{name}");
    }
    assert!(machine.path("home").is_dir());
}

#[test]
fn where_nothing_can_be_kept_it_runs_and_leaves_nothing() {
    let machine = Machine::new();
    // A home that is a file takes no folder, whoever asks.
    fs::remove_dir(machine.path("home")).unwrap();
    fs::write(machine.path("home"), "").unwrap();
    sound(&machine.says(LIST));
    let verified = machine.says(&["verify", "records", "--case", "edges/list", "-q"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
    assert_eq!(fs::read_dir(machine.path("temporary")).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_named_is_taken_instead() {
    let machine = Machine::new();
    sound(&said(machine.command(LIST).env("RETRIEVAL_CONTRACTS_CACHE", "there/and there")));
    assert!(machine.path("work/there/and there").is_dir());
    assert!(!machine.path("home/.cache").exists());
}

#[test]
fn a_folder_that_is_named_and_cannot_be_is_an_error() {
    let machine = Machine::new();
    fs::write(machine.path("work/file"), "").unwrap();
    let said = said(machine.command(LIST).env("RETRIEVAL_CONTRACTS_CACHE", "file"));
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    let due = "work/file, which RETRIEVAL_CONTRACTS_CACHE names: ";
    assert!(said.err.starts_with("error: the data cannot be unpacked in ") && said.err.contains(due), "{}", said.err);
}
