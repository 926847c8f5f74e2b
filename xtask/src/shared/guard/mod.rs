//! A run ends together with everything that it started, also when it is killed.
//!
//! Four processes of this program take part. The first one passes signals on, and the exit code of the worker back. The outer guard
//! starts the inner one, and that the worker, which does what the command line asks for. Once a process above or below a guard is gone,
//! the guard ends every program that is left: one guard can be killed together with any process but the other guard. On Linux a guard is
//! a subreaper, so that a program that left its session is still below it. Each has a session of its own, without a terminal: a signal to
//! the group of the first process does not reach it, and what is started cannot ask at the terminal.

mod descendants;
mod parent;
mod temporary;

use crate::shared::interrupts::{self, Signals};
use crate::shared::print::tell;
use crate::shared::program;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, setsid, wait};
use std::ffi::OsString;
use std::fmt::Display;
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};
use std::thread;
use temporary::Folder;

/// The words for which guard one is.
const OUTER: &str = "outer";
const INNER: &str = "inner";

/// Runs a command line in a worker below two guards; returns the exit code. Nothing if no guard can be started here.
pub(crate) fn around<'w>(words: impl Iterator<Item = &'w OsString>) -> Option<ExitCode> {
    let mut signals = Signals::new().ok()?;
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.arg(program::GUARD).arg(number(getpid())).arg(OUTER).args(words);
    let mut guard = command.spawn().ok()?;
    let pid = Pid::from_child(&guard);
    thread::spawn(move || signals.each(|signal| pass_on(pid, signal)));
    let status = guard.wait().ok()?;
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    Some(exit_code(status.code(), signal))
}

/// Is a guard; returns the worker's exit code. `words` are the process that started it, with which everything ends, which guard it is, and
/// the command line.
pub(crate) fn run(words: Vec<OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let above = process(words.next());
    let is_inner = words.next().is_some_and(|which| which == INNER);
    let signals = Signals::new().and_then(Signals::with_requests);
    let (Some(above), Ok(signals), Ok(program)) = (above, signals, std::env::current_exe()) else {
        return failed("it can find neither itself nor its signals");
    };
    // A guard that stays in the session of its parent guards all the same.
    let _ = setsid();
    descendants::adopt();
    let folder = if is_inner { Folder::new().ok().map(Arc::new) } else { None };
    let path = folder.as_ref().map(|folder| folder.path().as_os_str().to_owned());
    let mut command = Command::new(program);
    match is_inner {
        true => command.arg(program::GUARDED).arg(number(getpid())).arg(path.unwrap_or_default()),
        false => command.arg(program::GUARD).arg(number(getpid())).arg(INNER),
    };
    let below = match command.args(words).spawn() {
        Ok(below) => Pid::from_child(&below),
        Err(error) => return failed(error),
    };
    let of_watch = folder.clone();
    thread::spawn(move || {
        parent::passing_on(signals, above, |signal| match signal {
            Signal::USR1 => descendants::end_adopted(below),
            signal => pass_on(below, signal),
        });
        match is_inner {
            true => descendants::end(),
            false => descendants::end_with(below),
        }
        remove(of_watch.as_deref());
        std::process::exit(i32::from(interrupts::INTERRUPTED));
    });
    if is_inner {
        temporary::remove_left_behind();
    }
    let status = end_of(below);
    descendants::end();
    remove(folder.as_deref());
    exit_code(status.and_then(WaitStatus::exit_status), status.and_then(WaitStatus::terminating_signal))
}

/// The guard of this process.
static GUARD: OnceLock<Pid> = OnceLock::new();

/// Begins the part of the worker: the first words are its guard and the folder for its temporary files, which is empty if there is none.
pub(crate) fn guarded(words: &mut impl Iterator<Item = OsString>) {
    if let Some(guard) = process(words.next()) {
        descendants::end_with_parent();
        let _ = GUARD.set(guard);
    }
    if let Some(folder) = words.next().filter(|folder| !folder.is_empty()) {
        // Only the first call counts, and this is it.
        let _ = tempfile::env::override_temp_dir(folder.as_ref());
    }
}

/// Asks the guard to end what a run left behind: programs whose parent has ended.
pub(crate) fn sweep() {
    if let Some(guard) = GUARD.get().filter(|guard| getppid() == Some(**guard)) {
        pass_on(*guard, Signal::USR1);
    }
}

fn process(word: Option<OsString>) -> Option<Pid> {
    Pid::from_raw(word?.to_str()?.parse().ok()?)
}

fn number(process: Pid) -> String {
    process.as_raw_nonzero().to_string()
}

fn remove(folder: Option<&Folder>) {
    if let Some(folder) = folder {
        folder.remove();
    }
}

/// A command line that cannot be run below a guard.
fn failed(why: impl Display) -> ExitCode {
    tell!("error: the guard of what is started cannot do its work: {why}");
    ExitCode::from(interrupts::WRONG_USAGE)
}

/// That a process is gone already is no error.
fn pass_on(process: Pid, signal: Signal) {
    let _ = kill_process(process, signal);
}

/// Waits until a child ends, and for each orphan that ends before.
fn end_of(child: Pid) -> Option<WaitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((ended, status))) if ended == child => return Some(status),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// What a shell makes of the end of a process.
fn exit_code(code: Option<i32>, signal: Option<i32>) -> ExitCode {
    let code = code.or(signal.map(|signal| 128 + signal)).and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(interrupts::WRONG_USAGE))
}
