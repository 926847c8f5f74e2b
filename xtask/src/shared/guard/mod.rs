//! A run ends together with everything that it started, also when it is killed.
//!
//! Three processes of this program take part. The first one passes signals to the guard, and the exit code of the worker back. The
//! guard starts the worker, which does what the command line asks for, and waits. Once the worker or the first process is gone, the
//! guard ends every program that is left. On Linux it is their subreaper, so that a program that left its session is still
//! below it. The guard has a session of its own, without a terminal: a signal to the group of the first process does not reach it,
//! and what is started cannot ask at the terminal.

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

/// Runs a command line in a worker below a guard; returns the exit code. Nothing if no guard can be started here.
pub(crate) fn around<'w>(words: impl Iterator<Item = &'w OsString>) -> Option<ExitCode> {
    let mut signals = Signals::new().ok()?;
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.arg(program::GUARD).arg(number(getpid())).args(words);
    let mut guard = command.spawn().ok()?;
    let pid = Pid::from_child(&guard);
    thread::spawn(move || signals.each(|signal| pass_on(pid, signal)));
    let status = guard.wait().ok()?;
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    Some(exit_code(status.code(), signal))
}

/// Is the guard of a worker; returns the worker's exit code. `words` are the first process, with which everything ends, and the command
/// line.
pub(crate) fn run(words: Vec<OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let first = process(words.next());
    let signals = Signals::new().and_then(Signals::with_requests);
    let (Some(first), Ok(signals), Ok(program)) = (first, signals, std::env::current_exe()) else {
        return failed("it can find neither itself nor its signals");
    };
    // A guard that stays in the session of its parent guards all the same.
    let _ = setsid();
    descendants::adopt();
    let folder = Folder::new().ok().map(Arc::new);
    let path = folder.as_ref().map(|folder| folder.path().as_os_str().to_owned());
    let mut command = Command::new(program);
    command.arg(program::GUARDED).arg(number(getpid())).arg(path.unwrap_or_default()).args(words);
    let worker = match command.spawn() {
        Ok(worker) => Pid::from_child(&worker),
        Err(error) => return failed(error),
    };
    let of_watch = folder.clone();
    thread::spawn(move || {
        parent::passing_on(signals, first, |signal| match signal {
            Signal::USR1 => descendants::end_adopted(worker),
            signal => pass_on(worker, signal),
        });
        descendants::end();
        remove(of_watch.as_deref());
        std::process::exit(i32::from(interrupts::INTERRUPTED));
    });
    temporary::remove_left_behind();
    let status = end_of(worker);
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
