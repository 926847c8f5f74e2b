//! One run of the real runner: watched, measured, and all that it says read strictly.

use crate::reports::Reports;
use conformance::report::FORMATS;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use wait4::Wait4;

/// A run that takes longer than this hangs. Those that end by a time-out of their own take a second or two.
const WATCHDOG: Duration = Duration::from_secs(120);
/// The memory that a run may take, whatever a target does. The allocator gives back what was freed only after a while, which
/// differs from run to run by some tens of megabytes.
const MOST_MEMORY: u64 = 300_000_000;
/// The memory that reading a log may take, however large it is.
const MOST_MEMORY_OF_A_LOG: u64 = 220_000_000;
/// The seconds of a call that is meant to run out of time.
pub(crate) const SOON: &str = "1";
/// More seconds than any call needs that ends by itself.
pub(crate) const PATIENT: &str = "60";

/// What a hostile target comes to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Due {
    code: i32,
    /// A requirement and what becomes of it.
    named: Option<(&'static str, &'static str)>,
    /// Words that say why, in every report.
    words: Option<&'static str>,
}

/// Nothing is wrong with it.
pub(crate) const CONFORMS: Due = Due { code: 0, named: None, words: None };

/// A `must` is violated.
pub(crate) const fn violates(requirement: &'static str) -> Due {
    Due { code: 1, named: Some((requirement, "violated")), words: None }
}

/// What is wrong is advice.
pub(crate) const fn advises(requirement: &'static str) -> Due {
    Due { code: 0, named: Some((requirement, "advice")), words: None }
}

/// It cannot be told.
pub(crate) const fn leaves_untold(requirement: &'static str) -> Due {
    Due { code: 3, named: Some((requirement, "incomplete")), words: None }
}

/// The target is not there, for this reason.
pub(crate) const fn is_not_there(words: &'static str) -> Due {
    Due { code: 4, named: None, words: Some(words) }
}

impl Due {
    /// And every report says these words.
    pub(crate) const fn saying(self, words: &'static str) -> Self {
        Self { words: Some(words), ..self }
    }
}

/// A run that ended by itself, within its memory, and whose reports are whole.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) reports: Reports,
}

/// Runs `verify` with these arguments, and asks for every report.
pub(crate) fn verify(arguments: &[&str]) -> Run {
    verify_in(tempfile::tempdir().unwrap(), arguments).0
}

/// The same, with a folder that the reports are left in, each by the name of its format.
pub(crate) fn verify_in(folder: TempDir, arguments: &[&str]) -> (Run, TempDir) {
    let reports = FORMATS
        .iter()
        .flat_map(|format| [format!("--{}", format.name), folder.path().join(format.name).display().to_string()]);
    let all: Vec<String> = ["verify"]
        .iter()
        .chain(arguments)
        .chain(&["--verbose"])
        .map(|word| (*word).to_owned())
        .chain(reports)
        .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let code = measured(&folder, &all, MOST_MEMORY);
    let said = fs::read_to_string(folder.path().join("err")).unwrap();
    assert_eq!(said, "", "{arguments:?}");
    (Run { code, reports: Reports::read(&folder) }, folder)
}

/// Reads logs by a command with these arguments, in little memory; returns its exit code and what it said.
pub(crate) fn reads_logs(arguments: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let code = measured(&folder, arguments, MOST_MEMORY_OF_A_LOG);
    (code, ["out", "err"].map(|name| fs::read_to_string(folder.path().join(name)).unwrap()).concat())
}

/// Runs the runner, which leaves what it says in a folder and takes no more than this memory; returns its exit code.
fn measured(folder: &TempDir, arguments: &[&str], most: u64) -> i32 {
    let file = |name: &str| folder.path().join(name);
    // By way of this program, anew: a process begins as a copy of its parent, whose memory the system counts as its own,
    // and this one may have taken much for the answers of its servers.
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(LAUNCH).arg(file("end")).args(arguments);
    command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR").env_remove("GITHUB_ACTIONS");
    command.env_remove("GITHUB_STEP_SUMMARY").stdin(Stdio::null()).process_group(0);
    command.stdout(File::create(file("out")).unwrap()).stderr(File::create(file("err")).unwrap());
    watch(&mut command, arguments);
    let end = fs::read_to_string(file("end")).unwrap();
    let (code, memory) = end.split_once(' ').unwrap();
    assert_little_memory(memory.parse().unwrap(), most, arguments);
    code.parse().unwrap()
}

/// What this program is called with to start the runner, a file for how that ended, and the runner's arguments.
pub(crate) const LAUNCH: &str = "launch-the-runner";

/// Starts the runner and writes down its exit code and the most memory that it took.
pub(crate) fn launch(mut arguments: impl Iterator<Item = String>) {
    let end = arguments.next().unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).spawn().unwrap().wait4().unwrap();
    fs::write(end, format!("{} {}", ended.status.code().unwrap(), ended.rusage.maxrss)).unwrap();
}

impl Run {
    /// The run came to what is due, and every report says so.
    pub(crate) fn assert_is(&self, due: Due) {
        let Reports { terminal, json, .. } = &self.reports;
        assert_eq!(self.code, due.code, "{terminal}");
        self.reports.assert_whole(due.code);
        if let Some((requirement, outcome)) = due.named {
            let row = json["requirements"].as_array().unwrap().iter().find(|row| row["requirement"] == requirement);
            let row = row.unwrap_or_else(|| panic!("nothing is said of {requirement}: {terminal}"));
            assert_eq!(row["outcome"], outcome, "{requirement}: {terminal}");
            self.reports.assert_all_say(requirement);
        }
        if let Some(words) = due.words {
            self.reports.assert_all_say(words);
        }
    }
}

/// Waits for the end of a run, which has to come: a watchdog kills what hangs, with all that it started.
fn watch(command: &mut Command, arguments: &[&str]) {
    let mut child = command.spawn().unwrap();
    let group = rustix::process::Pid::from_raw(child.id().cast_signed()).unwrap();
    let (ended, end) = mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        let hangs = end.recv_timeout(WATCHDOG) == Err(RecvTimeoutError::Timeout);
        if hangs {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        hangs
    });
    let status = child.wait().unwrap();
    drop(ended);
    assert!(!watchdog.join().unwrap(), "the run hangs: {arguments:?}");
    assert!(status.success(), "the run was not started: {arguments:?}");
}

fn assert_little_memory(bytes: u64, most: u64, arguments: &[&str]) {
    match bytes {
        0 => eprintln!("SKIPPED: this system does not say how much memory a process took"),
        bytes => assert!(bytes <= most, "{} MiB of memory: {arguments:?}", bytes >> 20),
    }
    if std::env::var_os("HOSTILE_MEMORY").is_some() {
        eprintln!("{:>5} MiB {arguments:?}", bytes >> 20);
    }
}
