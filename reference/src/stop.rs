//! How a command ends: the signals that stop it, and its exit code.

#[cfg(unix)]
use futures::FutureExt;
use std::fmt::Display;
use std::process::ExitCode;
#[cfg(unix)]
use std::task::Poll;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The exit code of a command. A problem is printed on standard error, after what `name` calls the command.
pub(crate) fn exit_code(name: &str, result: Result<(), impl Display>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{name}: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Signals within this time are one: a supervisor may send its signal to a process and to its group.
#[cfg(unix)]
const SAME: std::time::Duration = std::time::Duration::from_millis(250);
/// The exit code of a process that a second signal ended.
#[cfg(unix)]
const INTERRUPTED: i32 = 130;

/// Done when the process is interrupted or terminated, or its terminal is gone. A further signal ends the process at once.
#[cfg(unix)]
pub(crate) fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    let mut signals = signals()?;
    Ok(async move {
        one_of(&mut signals).await;
        tokio::spawn(async move {
            tokio::time::sleep(SAME).await;
            // What was received meanwhile belongs to the first.
            signals = signals.into_iter().map(drained).collect();
            one_of(&mut signals).await;
            std::process::exit(INTERRUPTED);
        });
    })
}

#[cfg(unix)]
fn signals() -> std::io::Result<Vec<Signal>> {
    let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
    // `nohup` starts a program so that it does not hear the end of its terminal. Linux alone says so.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    if ignored.is_none_or(|mask| mask & 1 == 0) {
        kinds.push(SignalKind::hangup());
    }
    kinds.into_iter().map(signal).collect()
}

/// Done when one of the signals is received.
#[cfg(unix)]
async fn one_of(signals: &mut [Signal]) {
    std::future::poll_fn(|context| match signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready()) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

/// A signal without what was received of it until now.
#[cfg(unix)]
fn drained(mut signal: Signal) -> Signal {
    while signal.recv().now_or_never().is_some() {}
    signal
}

/// Done when the process is interrupted.
#[cfg(not(unix))]
pub(crate) fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async { drop(tokio::signal::ctrl_c().await) })
}
