//! `--watch`: a run after each change, until it is interrupted.

use crate::xtask;
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use testing::Script;

/// A run that watches, and what it says on standard error.
struct Watching {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Watching {
    fn new(folder: &Path, more: &[&str]) -> Self {
        let mut command = xtask(&["verify", "--watch", "-q", "--case", "edges/list", "--target", "target.toml"]);
        command.args(more).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut watching = Self { child, lines };
        watching.says(&["watching for changes; Ctrl-C ends"]);
        watching
    }

    /// The next lines begin like these.
    fn says(&mut self, due: &[&str]) {
        for due in due {
            let line = self.lines.next().unwrap_or_else(|| panic!("it ended without `{due}`")).unwrap();
            assert!(line.starts_with(due), "`{line}` and not `{due}`");
        }
    }

    /// The end of the path of the file that starts the next run, and the end of that run.
    fn runs_after(&mut self, file: &str) {
        let line = self.lines.next().unwrap().unwrap();
        assert!(line.ends_with(&format!("{file} changed")), "{line}");
        self.says(&["watching for changes"]);
    }

    /// What it printed, after it was interrupted.
    fn interrupted(mut self) -> String {
        Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut self.child.stdout.take().unwrap(), &mut text).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
        text
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Only a failed test leaves it running.
        let _ = self.child.kill();
    }
}

/// A script, and a target file beside it that has this name and calls it.
fn target(script: &Script, name: &str, more: &str) {
    let words = script.words();
    let text = format!("name = \"{name}\"\n{more}\n[[endpoint]]\ncontract = \"records\"\ncli = {words:?}\n");
    fs::write(script.file("target.toml"), text).unwrap();
}

fn folder(script: &Script) -> std::path::PathBuf {
    script.file(".")
}

#[test]
fn a_change_of_the_target_file_runs_again() {
    let script = Script::new("exit 7\n");
    target(&script, "before", "");
    let mut watching = Watching::new(&folder(&script), &[]);
    // What makes no sense is told, and waits for the next change.
    fs::write(script.file("target.toml"), "name = \n").unwrap();
    let mut until =
        |due: &str| assert!(watching.lines.any(|line| line.unwrap().contains(due)), "it ended without `{due}`");
    until("target.toml changed");
    until("error: the target file ");
    until("watching for changes");
    target(&script, "after", "");
    watching.runs_after("target.toml");
    let out = watching.interrupted();
    assert!(out.contains("before, records") && out.contains("after, records"), "{out}");
}

#[test]
fn a_change_of_what_a_command_names_runs_again() {
    let script = Script::new("exit 7\n");
    target(&script, "target", "");
    let mut watching = Watching::new(&folder(&script), &[]);
    let text = script.read("script.sh");
    // As an editor does that keeps the old file until the new one is whole.
    fs::write(script.file("script.sh.new"), &text).unwrap();
    fs::rename(script.file("script.sh.new"), script.file("script.sh")).unwrap();
    watching.runs_after("script.sh");
    fs::write(script.file("script.sh"), text).unwrap();
    watching.runs_after("script.sh");
    assert_eq!(watching.interrupted().matches("exit 3\n").count(), 3);
}

#[test]
fn what_a_run_writes_and_what_is_beside_it_runs_nothing() {
    // The program writes beside its own file, and to its own file.
    let script = Script::new("echo >>\"$FOLDER/notes.json\"; echo '#' >>\"$FOLDER/script.sh\"; exit 7\n");
    target(&script, "target", "");
    let reports = ["--log", "run.ndjson", "--json", "new/report.json", "--markdown", "report.md"];
    let mut watching = Watching::new(&folder(&script), &reports);
    fs::write(script.file("other.json"), "{}").unwrap();
    fs::write(script.file("run.ndjson"), "{}").unwrap();
    target(&script, "target", "");
    watching.runs_after("target.toml");
    target(&script, "target", "");
    watching.runs_after("target.toml");
    assert_eq!(watching.interrupted().matches("exit 3\n").count(), 3);
}

#[test]
fn a_change_in_the_folder_that_the_target_names_runs_again() {
    let script = Script::new("mkdir -p \"$FOLDER/app/src\"; echo >>\"$FOLDER/app/data.log\"; exit 7\n");
    for folder in ["app/src", "app/node_modules/x", "app/.git"] {
        fs::create_dir_all(script.file(folder)).unwrap();
    }
    target(&script, "target", "cwd = \"app\"");
    let mut watching = Watching::new(&folder(&script), &["--log", "app/run.ndjson"]);
    for file in ["app/node_modules/x/index.js", "app/.git/index.lock", "app/src/.main.py.swp", "app/src/main.py"] {
        fs::write(script.file(file), "").unwrap();
    }
    watching.runs_after("main.py");
    watching.interrupted();
}
