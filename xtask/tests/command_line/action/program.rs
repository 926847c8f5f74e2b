//! Where the action has its program from: a release of exactly its files, the cache, or the compiler.

use super::job::{Around, Job, action, job, job_after, job_in};
use crate::release::Release;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use testing::said;

const INPUTS: [(&str, &str); 3] = [("contract", "records"), ("transport", "cli"), ("address", "no-such-program")];

/// The same with releases at this address.
fn with(release: &Release) -> Job {
    job_in(&INPUTS, &Around { known: vec![("github.server_url", release.address().to_owned())], ..Around::default() })
}

#[test]
fn what_the_cache_holds_is_not_built_again() {
    let first = job(&INPUTS);
    assert_eq!((first.last.code, first.built()), (Some(4), 1), "{}", first.last.err);
    let again = job_after(&INPUTS, |root| {
        fs::create_dir_all(root.join("built/bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_xtask"), root.join("built/bin/retrieval-contracts")).unwrap();
    });
    assert_eq!((again.last.code, again.built()), (Some(4), 0), "{}", again.last.err);
    assert_eq!(first.source, again.source, "what is built is no part of what it is built of");
}

#[test]
fn what_does_not_start_here_is_built_again() {
    let job = job_after(&INPUTS, |root| {
        fs::create_dir_all(root.join("built/bin")).unwrap();
        let program = root.join("built/bin/retrieval-contracts");
        fs::write(&program, "#!/nowhere/interpreter\n").unwrap();
        said(Command::new("chmod").arg("+x").arg(program));
    });
    assert_eq!((job.last.code, job.built()), (Some(4), 1), "{}", job.last.err);
}

#[test]
fn a_release_of_these_files_is_not_built() {
    let release = Release::of_the_runner();
    let other = with(&release);
    assert_eq!((other.last.code, other.built()), (Some(4), 1), "it is of no files that it names: {}", other.last.err);
    fs::write(release.file("source"), "a release of other files\n").unwrap();
    let other = with(&release);
    assert_eq!((other.last.code, other.built()), (Some(4), 1), "{}", other.last.err);
    fs::write(release.file("source"), format!("{}\n", other.source)).unwrap();
    let same = with(&release);
    assert_eq!((same.last.code, same.built()), (Some(4), 0), "{}", same.last.err);
    fs::write(release.file(&crate::release::archive()), "damaged").unwrap();
    let damaged = with(&release);
    assert_eq!((damaged.last.code, damaged.built()), (Some(4), 1), "{}", damaged.last.err);
}

#[test]
fn the_cache_is_asked_for_what_the_files_are() {
    let changed = job_after(&INPUTS, |root| fs::write(root.join("Cargo.lock"), "changed").unwrap());
    let moved = job_after(&INPUTS, |root| fs::rename(root.join("Cargo.lock"), root.join("xtask/Cargo.lock")).unwrap());
    let [as_it_is, changed, moved] = [job(&INPUTS), changed, moved].map(|job| job.source);
    assert!(as_it_is.len() >= 40, "{as_it_is}");
    assert!(as_it_is != changed && as_it_is != moved);
    let steps = action()["runs"]["steps"].clone();
    let cache = steps.as_array().unwrap().iter().find(|step| step["uses"].is_string()).unwrap();
    let key = cache["with"]["key"].as_str().unwrap();
    for part in ["runner.os", "runner.arch", "steps.key.outputs.image", "steps.key.outputs.source"] {
        assert!(key.contains(part), "{key}");
    }
}
