//! The files that commands write: checked before anything is asked, whole or as they were, and never in the way of the verdict.

use super::{plain, xtask};
use rstest::rstest;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use tempfile::{TempDir, tempdir};
use testing::{Said, Script, said};

/// A program that is asked, and a run of one case against it, in a folder of its own.
struct Place {
    program: Script,
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { program: Script::new("exit 7\n"), folder: tempdir().unwrap() }
    }

    fn verify(&self, more: &[&str]) -> Command {
        let mut command = xtask(&["verify", "records", "-q", "--case", "edges/list", "--cli", &self.program.line()]);
        command.args(more).current_dir(self.folder.path());
        command
    }

    fn was_asked(&self) -> bool {
        !self.program.read("pids").is_empty()
    }

    /// The names of all files, with a slash for those in folders.
    fn names(&self) -> Vec<String> {
        let entries = walkdir::WalkDir::new(self.folder.path()).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = entries.filter(|entry| !entry.file_type().is_dir());
        files.map(|entry| entry.path().strip_prefix(self.folder.path()).unwrap().to_str().unwrap().to_owned()).collect()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

fn assert_verdict(said: &Said) {
    assert!(said.out.ends_with(", exit 3\n"), "{}{}", said.out, said.err);
    assert_eq!(said.code, Some(3), "{}", said.err);
}

#[test]
fn missing_folders_are_made_and_files_are_whole_and_readable() {
    let place = Place::new();
    let said =
        said(&mut place.verify(&["--json", "a/b/report.json", "--html", "./report.html", "--log", "run.ndjson"]));
    assert_verdict(&said);
    assert_eq!(place.names(), ["a/b/report.json", "report.html", "run.ndjson"]);
    assert!(serde_json::from_str::<serde_json::Value>(&place.read("a/b/report.json")).is_ok());
    let probe = place.folder.path().join("probe");
    fs::write(&probe, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&place.folder.path().join("report.html")), mode(&probe));
}

#[rstest]
#[case::a_folder(&["--junit", "folder"], "--junit cannot be written to folder: it is a folder: name a file in it")]
#[case::a_path_of_a_folder(&["--junit", "new/"], "--junit cannot be written to new/: it is the path of a folder")]
#[case::below_a_file(&["--junit", "file/x.xml"], "--junit cannot be written to file/x.xml: Not a directory")]
#[case::below_a_device(&["--log", "/dev/null/x"], "--log cannot be written to /dev/null/x: Not a directory")]
#[case::where_nothing_can_be(&["--html", "/proc/nothing/x"], "--html cannot be written to /proc/nothing/x: ")]
#[case::twice(&["--json", "x", "--html", "x"], "--html and --json are the same file")]
#[case::twice_by_other_words(&["--json", "new/x", "--html", "./folder/../new/x"], "--html and --json are the same file")]
#[case::twice_by_a_link(&["--json", "file", "--html", "link"], "--html and --json are the same file")]
#[case::a_link_to_nowhere(&["--json", "gone", "--html", "dangling"], "--html and --json are the same file")]
#[case::around(&["--json", "around"], "--json cannot be written to around: ")]
#[case::a_dash(&["--json", "-"], "--json cannot be written to -: name a file; standard output is /dev/stdout")]
fn what_cannot_be_written_is_refused_before_anything_is_asked(#[case] options: &[&str], #[case] due: &str) {
    let place = Place::new();
    let folder = place.folder.path();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("file"), "older").unwrap();
    for (name, target) in [("link", "file"), ("dangling", "gone"), ("around", "around")] {
        symlink(target, folder.join(name)).unwrap();
    }
    let before = place.names();
    let said = said(&mut place.verify(options));
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
    assert!(said.err.contains(due), "{}", said.err);
    assert!(!place.was_asked());
    assert_eq!((place.names(), place.read("file").as_str()), (before, "older"));
}

#[test]
fn every_command_checks_its_files_first() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let none = folder.path().join("none.ndjson");
    let none = none.to_str().unwrap();
    for (words, due) in [
        (vec!["judge", none, "--html", "file/x"], "--html cannot be written to file/x"),
        (vec!["compare", none, none, "--html", "file/x"], "--html cannot be written to file/x"),
        (vec!["merge", none, "-o", "file/x"], "the log cannot be written to file/x"),
        (vec!["tap", "--log", "file/x", "--", "true"], "--log cannot be written to file/x"),
        (vec!["export", "recall", "--format", "sql", "-o", "file/x"], "nothing can be written to the folder file/x"),
        (
            vec!["verify", "records", "--cli", "true", "--explore", "1", "--save", "file/x"],
            "nothing can be written to the folder",
        ),
    ] {
        let said = said(xtask(&words).current_dir(folder.path()));
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words:?}: {}", said.err);
        assert!(said.err.contains(due), "{words:?}: {}", said.err);
    }
}

/// `/dev/full` takes nothing, as a full disk does.
#[test]
fn the_verdict_and_every_other_report_survive_one_that_cannot_be_written() {
    let place = Place::new();
    if !Path::new("/dev/full").exists() {
        return;
    }
    let run = said(&mut place.verify(&["--html", "report.html", "--markdown", "/dev/full", "--log", "run.ndjson"]));
    assert_verdict(&run);
    assert!(run.err.contains("error: /dev/full cannot be written: No space left on device"), "{}", run.err);
    assert_eq!(place.names(), ["report.html", "run.ndjson"]);
    assert!(place.read("report.html").ends_with("</html>"));
    // A run that is well otherwise is not one that left its reports.
    let sound = format!("'{}' qipu", testing::reference().unwrap().display());
    let command = ["verify", "records", "--case", "edges/list", "--cli", &sound, "--json", "/dev/full"];
    let run = said(&mut xtask(&command));
    assert!(run.out.ends_with("exit 0\n") && run.code == Some(2), "{}{}", run.out, run.err);
}

/// A report that outgrows the size of a file that the system allows.
#[test]
fn an_older_report_stays_until_the_new_one_is_whole() {
    let place = Place::new();
    fs::write(place.folder.path().join("report.html"), "older").unwrap();
    assert_verdict(&said(&mut place.verify(&["--log", "run.ndjson"])));
    let words = [env!("CARGO_BIN_EXE_xtask"), "judge", "run.ndjson", "--html", "report.html"];
    let words = shlex::try_join(words).unwrap();
    let limited = format!("trap '' XFSZ; ulimit -f 1; exec {words}");
    let run = said(plain("sh").args(["-c", &limited]).current_dir(place.folder.path()));
    assert_verdict(&run);
    assert!(run.err.contains("error: report.html cannot be written: File too large"), "{}", run.err);
    assert_eq!(place.names(), ["report.html", "run.ndjson"]);
    assert_eq!(place.read("report.html"), "older");
}

#[test]
fn links_stay_links_and_permissions_stay() {
    let place = Place::new();
    let folder = place.folder.path();
    fs::create_dir(folder.join("there")).unwrap();
    fs::write(folder.join("there/report.html"), "older").unwrap();
    fs::set_permissions(folder.join("there/report.html"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("there/report.html", folder.join("link.html")).unwrap();
    symlink("there/new.json", folder.join("link.json")).unwrap();
    assert_verdict(&said(&mut place.verify(&["--html", "link.html", "--json", "link.json"])));
    assert_eq!(place.names(), ["link.html", "link.json", "there/new.json", "there/report.html"]);
    assert!(fs::symlink_metadata(folder.join("link.html")).unwrap().is_symlink());
    assert!(place.read("there/report.html").ends_with("</html>"));
    assert_eq!(fs::metadata(folder.join("there/report.html")).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn devices_and_pipes_are_written_through() {
    let place = Place::new();
    let run = said(&mut place.verify(&["--html", "/dev/null", "--junit", "/dev/null", "--json", "/dev/stdout"]));
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert!(run.out.ends_with("}\n") && run.out.contains(", exit 3\n"), "{}", run.out);
    // Standard output that is a file keeps what is in it.
    let out = place.folder.path().join("out");
    let run = place.verify(&["--markdown", "/dev/stdout"]).stdout(fs::File::create(&out).unwrap()).status().unwrap();
    let text = place.read("out");
    assert!(run.code() == Some(3) && text.contains(", exit 3\n") && text.ends_with("exit code 3\n"), "{text}");
}

#[test]
fn a_named_pipe_is_written_where_somebody_reads_it() {
    let place = Place::new();
    let pipe = place.folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let refused = said(&mut place.verify(&["--json", "pipe"]));
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    assert!(refused.err.contains("it is a pipe that nobody reads"), "{}", refused.err);
    let at_once = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut reader = fs::File::options().read(true).custom_flags(at_once).open(&pipe).unwrap();
    let run = said(&mut place.verify(&["--json", "pipe"]));
    assert_eq!(run.code, Some(3), "{}", run.err);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["totals"]["exit_code"], 3);
}
