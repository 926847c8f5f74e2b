//! The revision of a contract that a server speaks: what is written of it, and who takes it from there.

use crate::serving::Serving;
use crate::tap::Tap;
use crate::xtask;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use testing::{Said, said};

const LATER: [&str; 2] = ["--revision", "memory@2"];
const SHOWN: &str = "memory@2 (ADR-020, recognised: more than 10 entries came, more than 3 contexts came)";

/// A folder for logs and target files.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Judges the memories of a server over HTTP, and writes a log.
    fn verified(&self, server: &Serving, name: &str, options: &[&str]) -> Said {
        let words = ["verify", "memory", "--http", &server.1, "--corpus-loaded", "-q", "--log"];
        said(xtask(&words).arg(self.file(name)).args(options))
    }
}

#[test]
fn init_pins_what_it_recognised() {
    let (server, folder) = (Serving::start(&LATER), Folder::new());
    let words = ["init", &server.1, "--contract", "memory", "--corpus-loaded", "--no-run", "--ci", "none"];
    let init = said(xtask(&words).current_dir(folder.0.path()));
    assert_eq!(init.code, Some(0), "{}{}", init.out, init.err);
    assert!(init.out.contains(&format!("\nIt speaks {SHOWN} (HTTP), ")), "{}", init.out);
    let target = fs::read_to_string(folder.file("conformance.toml")).unwrap();
    let pin = "contract = \"memory\"\nrevision = 2     # ADR-020: more than 10 entries came, more than 3 contexts came\nhttp = ";
    assert!(target.contains(pin), "{target}");
    let words = ["verify", "memory", "--target", "conformance.toml", "--case", "request/pairs", "-q"];
    let verified = said(xtask(&words).current_dir(folder.0.path()));
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
    let is_pinned = |line: &str| line.starts_with("memory@2 (ADR-020, pinned) over http, ");
    assert!(verified.out.lines().any(is_pinned), "{}", verified.out);
}

#[test]
fn init_says_what_could_be_pinned_where_nothing_shows_it() {
    let (server, folder) = (Serving::start(&[]), Folder::new());
    let words = ["init", &server.1, "--contract", "memory", "--no-run", "--ci", "none"];
    let init = said(xtask(&words).current_dir(folder.0.path()));
    assert!(init.out.contains("\nIt speaks memory@1 (ADR-017, assumed) (HTTP), "), "{}{}", init.out, init.err);
    let target = fs::read_to_string(folder.file("conformance.toml")).unwrap();
    let comment = "# revision = 1     # 1 is ADR-017, 2 is ADR-020; nothing shows which, so the first is assumed\n";
    assert!(target.contains(comment), "{target}");
}

#[test]
fn a_pin_that_another_one_contradicts_says_nothing() {
    let (folder, target) = (
        Folder::new(),
        "name = \"x\"\n[[endpoint]]\ncontract = \"memory\"\nrevision = 1\nhttp = \"http://127.0.0.1:9\"\n",
    );
    fs::write(folder.file("target.toml"), target).unwrap();
    let refused = said(xtask(&["verify", "--target"]).arg(folder.file("target.toml")).args(LATER));
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("every endpoint of memory pins another revision than memory@2"), "{}", refused.err);
}

#[test]
fn shards_are_merged_and_judged_by_the_revision_that_they_name() {
    let (server, folder) = (Serving::start(&LATER), Folder::new());
    for shard in ["1/2", "2/2"] {
        let ran = folder.verified(&server, &format!("{}.ndjson", &shard[..1]), &["--shard", shard]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
    let merged = ["1.ndjson", "2.ndjson"].map(|name| folder.file(name));
    let merged = said(xtask(&["merge"]).args(merged).arg("-o").arg(folder.file("all.ndjson")));
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    let judged = said(xtask(&["judge", "-q"]).arg(folder.file("all.ndjson")));
    assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
    assert!(judged.out.lines().any(|line| line == format!("{SHOWN} over http")), "{}", judged.out);
    let strict = said(xtask(&["judge", "-q", "--strict"]).arg(folder.file("all.ndjson")));
    assert_eq!(strict.code, Some(3), "{}", strict.out);
    assert!(strict.out.contains("write `revision = 2` at the endpoint"), "{}", strict.out);
}

#[test]
fn logs_of_two_revisions_are_compared() {
    let folder = Folder::new();
    for (name, options) in [("old.ndjson", &[][..]), ("new.ndjson", &LATER[..])] {
        let ran = folder.verified(&Serving::start(options), name, &["--case", "request/"]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
    let compared = said(xtask(&["compare"]).args([folder.file("old.ndjson"), folder.file("new.ndjson")]));
    assert_eq!(compared.code, Some(0), "{}", compared.err);
    let out: String = compared.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for due in ["over http, memory@1 (ADR-017, assumed): ", &format!("over http, {SHOWN}: ")] {
        assert!(out.contains(due), "{due}: {out}");
    }
}

#[test]
fn a_tap_judges_by_the_revision_that_it_is_told() {
    let server = Serving::start(&LATER);
    let body = r#"{"memoryId":"orchard","query":"apple","top_ke":25,"top_kc":10}"#;
    let search = format!(
        "POST /v0/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    let heard = |options: &[&str]| {
        let tap = Tap::before(&server.1, options);
        tap.raw(search.as_bytes());
        tap.end()
    };
    let first = heard(&[]);
    // The first revision says nothing of an answer to what it does not let anybody ask for.
    assert_eq!(first.code, Some(0), "{}", first.out);
    assert!(first.out.lines().any(|line| line == "memory@1 (ADR-017, assumed) over http"), "{}", first.out);
    assert!(!first.log.contains("memory.most-entries"), "{}", first.out);
    let later = heard(&LATER);
    assert_eq!(later.code, Some(0), "{}", later.out);
    assert!(later.out.lines().any(|line| line == "memory@2 (ADR-020, pinned) over http"), "{}", later.out);
    assert!(later.log.contains("memory.most-entries"), "{}", later.out);
    let folder = Folder::new();
    fs::write(folder.file("session.ndjson"), &later.log).unwrap();
    let judged = said(xtask(&["judge"]).arg(folder.file("session.ndjson")));
    assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
    assert!(judged.out.lines().any(|line| line == "memory@2 (ADR-020, pinned) over http"), "{}", judged.out);
}
