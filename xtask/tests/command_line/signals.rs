//! Every command that starts something, and every signal that may end it: what it started ends too, and a report is written.

use crate::xtask;
use rstest::rstest;
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader, Write, pipe};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};
use testing::{Answer, Script, Server};

/// How long a command may take to end, with its report. It takes a tenth of a second on an idle machine.
const SOON: Duration = Duration::from_secs(2);
/// How long a test waits for what has to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that does not end, with a child, a child in a session of its own, and a daemon.
const STAYING: &str = r#"
OWN='echo $$ >>"$0"; exec sleep 1000'
setsid sh -c "$OWN" "$PIDS" &
(setsid sh -c "$OWN" "$PIDS" >/dev/null 2>&1 </dev/null &)
sleep 1000 & echo $! >>"$PIDS"
"#;
/// So many processes of it there are.
const PROCESSES: usize = 4;

/// Whether this program was started so that it ignores SIGHUP, as by `nohup`. Linux alone says so.
fn is_hangup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// A command that does not outlive a test that fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already, if all is well.
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// A command that runs, what it started, and how it says that it was ended.
struct Started {
    child: Running,
    script: Script,
    /// A port that it listens at.
    port: Option<u16>,
    /// The exit code after a signal that can be handled.
    code: Option<i32>,
    /// Whether it writes a report.
    reports: bool,
    /// What has to stay open.
    _open: (Option<ChildStdin>, Option<Server>),
}

impl Started {
    fn new(mut command: Command, script: Script) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir(script.file("."));
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        Self { child: Running(child), script, port: None, code: Some(130), reports: true, _open: (input, None) }
    }

    /// One whose target does not end, once it runs.
    fn staying(arguments: &[&str]) -> Self {
        let script = Script::new(&format!("{STAYING}wait\n"));
        let words = script.words();
        let target = format!("name = \"staying\"\n[[endpoint]]\ncontract = \"records\"\ncli = {words:?}\n");
        fs::write(script.file("target.toml"), target).unwrap();
        let mut command = xtask(arguments);
        if arguments.ends_with(&["--"]) {
            command.args(&words);
        }
        let started = Self::new(command, script);
        until(|| started.script.read("pids").lines().count() >= PROCESSES);
        started
    }

    /// One whose target is a server that does not answer any call.
    fn server(arguments: &[&str]) -> Self {
        let reference = env!("CARGO_BIN_EXE_xtask");
        let corpus = testing::root().join("fixtures");
        let script = Script::new(&format!(
            "{STAYING}exec '{reference}' reference serve --port $1 --corpus '{}'\n",
            corpus.display()
        ));
        let pids = script.file("pids");
        let silent = Server::once(move || pids.exists(), |_| Answer::Hang(Vec::new()));
        let mut words = script.words();
        words.push("{port}".to_owned());
        let target = format!(
            "name = \"server\"\nstart = {words:?}\nready = \"http://127.0.0.1:{{port}}/health\"\n\
             [[endpoint]]\ncontract = \"recall\"\nhttp = \"{}\"\n",
            silent.address
        );
        fs::write(script.file("target.toml"), target).unwrap();
        let mut started = Self::new(xtask(arguments), script);
        // The run has begun once it calls.
        until(|| silent.connections() > 0);
        started._open.1 = Some(silent);
        started
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child.0), signal).unwrap();
    }

    /// The exit code and the signal that ended it, and how long that took.
    fn ended(&mut self) -> (Option<i32>, Duration) {
        let since = Instant::now();
        let status = self.child.0.wait().unwrap();
        (status.code(), since.elapsed())
    }
}

fn until(mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < PATIENCE, "nothing happened for {PATIENCE:?}");
        std::thread::yield_now();
    }
}

fn verify() -> Started {
    Started::staying(&["verify", "--target", "target.toml", "--timeout", "600", "--json", "report.json"])
}

fn verify_with_a_server() -> Started {
    Started::server(&["verify", "--target", "target.toml", "--timeout", "600", "--json", "report.json"])
}

fn watch() -> Started {
    Started::staying(&["verify", "--watch", "--target", "target.toml", "--timeout", "600", "--json", "report.json"])
}

fn explore() -> Started {
    Started::staying(&[
        "verify",
        "--explore",
        "9",
        "--target",
        "target.toml",
        "--timeout",
        "600",
        "--json",
        "report.json",
    ])
}

fn init() -> Started {
    Started { reports: false, ..Started::staying(&["init", "--timeout", "600", "--"]) }
}

fn tap() -> Started {
    let started = Started::staying(&["tap", "--json", "report.json", "--"]);
    // Being stopped is how a tap ends, so its exit code is that of its verdict: nothing was seen.
    Started { code: Some(5), ..started }
}

fn serve() -> Started {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let started = Started::new(xtask(&["serve", "--port", &free.to_string()]), Script::new(""));
    until(|| TcpStream::connect(("127.0.0.1", free)).is_ok());
    Started { port: Some(free), reports: false, ..started }
}

fn bridge() -> Started {
    let mut command = xtask(&["reference", "bridge", "--connect", "ws://127.0.0.1:9", "--corpus"]);
    command.arg(testing::root().join("fixtures"));
    let mut started = Command::new(command.get_program());
    started.args(command.get_args()).stderr(Stdio::piped()).stdin(Stdio::null());
    let mut child = started.spawn().unwrap();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut String::new()).unwrap();
    // Being stopped is how it ends, as it is with every server.
    Started {
        child: Running(child),
        script: Script::new(""),
        port: None,
        code: Some(0),
        reports: false,
        _open: (None, None),
    }
}

#[rstest]
fn a_signal_ends_a_command_and_all_that_it_started(
    #[values(verify, verify_with_a_server, watch, explore, init, tap, serve, bridge)] start: fn() -> Started,
    #[values(Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL)] signal: Signal,
) {
    if signal == Signal::HUP && is_hangup_ignored() {
        eprintln!("SKIPPED: what started these tests ignores SIGHUP, and so does all that they start");
        return;
    }
    let mut started = start();
    started.signal(signal);
    let (code, took) = started.ended();
    assert!(took < SOON, "it took {took:?}");
    if signal == Signal::KILL {
        assert_eq!(code, None);
    } else {
        assert_eq!(code, started.code);
        assert!(!started.reports || started.script.file("report.json").exists(), "there is no report");
    }
    started.script.assert_nothing_runs(0);
    if let Some(port) = started.port {
        until(|| TcpStream::connect(("127.0.0.1", port)).is_err());
    }
}

/// A report that cannot be printed holds up the end of a run: nobody reads what is written, and there is no more room for it.
#[test]
fn a_second_signal_ends_it_at_once() {
    let script = Script::new(&format!("{STAYING}wait\n"));
    let (_reader, mut full) = pipe().unwrap();
    ioctl_fionbio(&full, true).unwrap();
    // How much it takes depends on the machine.
    while full.write(b" ").is_ok() {}
    ioctl_fionbio(&full, false).unwrap();
    let mut command = xtask(&["verify", "records", "--timeout", "600", "--cli", &script.line()]);
    let mut child = Running(command.stdout(full).stderr(Stdio::null()).spawn().unwrap());
    until(|| script.read("pids").lines().count() >= PROCESSES);
    let mut ended = None;
    let mut signals = 0;
    until(|| {
        kill_process(Pid::from_child(&child.0), Signal::TERM).unwrap();
        signals += 1;
        std::thread::sleep(Duration::from_millis(50));
        ended = child.0.try_wait().unwrap();
        ended.is_some()
    });
    assert_eq!(ended.unwrap().code(), Some(130));
    assert!(signals > 2, "one that follows soon is taken for the same");
    script.assert_nothing_runs(PROCESSES);
}

/// What one run of `--watch` leaves behind does not meet the next one.
#[test]
fn a_program_that_left_its_run_ends_with_it() {
    let script = Script::new(&format!(
        "{STAYING}until [ \"$(wc -l <\"$PIDS\")\" -ge {PROCESSES} ]; do sleep 0.01; done\nexit 7\n"
    ));
    let words = script.words();
    let target = format!("name = \"leaving\"\n[[endpoint]]\ncontract = \"records\"\ncli = {words:?}\n");
    fs::write(script.file("target.toml"), target).unwrap();
    let mut command = xtask(&["verify", "--watch", "--case", "edges/list", "--target", "target.toml"]);
    command.current_dir(script.file(".")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = Running(command.spawn().unwrap());
    let mut lines = BufReader::new(child.0.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("watching for changes")));
    script.assert_nothing_runs(PROCESSES);
    kill_process(Pid::from_child(&child.0), Signal::INT).unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
}

/// The processes of a run, each started by the one before: the first, the outer and the inner guard, and the worker.
#[cfg(target_os = "linux")]
fn chain(first: u32) -> Vec<Pid> {
    let child = |process: &u32| -> Option<u32> {
        let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap();
        children.split_whitespace().next().map(|child| child.parse().unwrap())
    };
    let numbers = std::iter::successors(Some(first), child).take(4);
    numbers.map(|number| Pid::from_raw(number.cast_signed()).unwrap()).collect()
}

/// A guard that is killed is not alone, and neither is the first process or the worker.
#[cfg(target_os = "linux")]
#[rstest]
#[case::the_first_and_its_guard(&[0, 1])]
#[case::the_first_and_the_inner_guard(&[0, 2])]
#[case::the_outer_guard(&[1])]
#[case::the_outer_guard_and_the_worker(&[1, 3])]
#[case::the_inner_guard(&[2])]
#[case::the_inner_guard_and_the_worker(&[2, 3])]
#[case::all_but_the_inner_guard(&[0, 1, 3])]
fn nothing_outlives_processes_of_a_run_that_are_killed_together(#[case] killed: &[usize]) {
    let started = verify();
    let chain = chain(started.child.0.id());
    for at in killed {
        kill_process(chain[*at], Signal::KILL).unwrap();
    }
    started.script.assert_nothing_runs(PROCESSES);
}

/// The folder of the run stays when its guard is killed, until the next run.
#[cfg(target_os = "linux")]
#[test]
fn without_its_guard_a_run_ends_and_the_next_one_tidies_up() {
    let script = Script::new("exec sleep 1000\n");
    let folder = tempfile::tempdir().unwrap();
    let others = folder.path().join("retrieval-contracts-run-of-somebody");
    fs::create_dir(&others).unwrap();
    let folders = || fs::read_dir(folder.path()).unwrap().count();
    let mut command = xtask(&["verify", "records", "--timeout", "600", "--cli", &script.line()]);
    command.env("TMPDIR", folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = Running(command.spawn().unwrap());
    until(|| !script.read("pids").is_empty());
    assert_eq!(folders(), 2);
    kill_process(chain(child.0.id())[2], Signal::KILL).unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(128 + 9));
    script.assert_nothing_runs(1);
    assert_eq!(folders(), 2);
    let mut next = xtask(&["verify", "--target", "not-there.toml"]);
    assert_eq!(next.env("TMPDIR", folder.path()).stderr(Stdio::null()).status().unwrap().code(), Some(2));
    assert!(others.exists() && folders() == 1, "what is not certainly ours stays");
}

#[test]
fn what_nohup_starts_does_not_hear_the_end_of_its_terminal() {
    let script = Script::new("exec sleep 1000\n");
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_xtask")).args(["verify", "records", "--timeout", "600", "--cli", &script.line()]);
    let mut child = Running(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    until(|| !script.read("pids").is_empty());
    let process = Pid::from_child(&child.0);
    kill_process(process, Signal::HUP).unwrap();
    kill_process(process, Signal::TERM).unwrap();
    // Two signals that were heard would end it without its report.
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    script.assert_nothing_runs(1);
}
