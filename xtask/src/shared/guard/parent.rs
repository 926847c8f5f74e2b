//! Watching the process that started the guard.

use crate::shared::interrupts::Signals;
use rustix::process::{Pid, Signal, getppid};
use std::time::Duration;

/// How often it is looked for, where the system cannot tell that it is gone.
const LOOK: Duration = Duration::from_millis(100);

/// Passes signals on until the parent is gone.
pub(super) fn passing_on(mut signals: Signals, parent: Pid, mut pass_on: impl FnMut(Signal)) {
    signals.until(is_gone(parent), &mut pass_on);
}

async fn is_gone(parent: Pid) {
    #[cfg(target_os = "linux")]
    if let Some(end) = end_of(parent) {
        // An error would be one of the thread, and the looks below do without it.
        let _ = end.await;
    }
    while getppid() == Some(parent) {
        tokio::time::sleep(LOOK).await;
    }
}

/// Done once a process has ended; nothing where the kernel is too old to tell.
#[cfg(target_os = "linux")]
fn end_of(process: Pid) -> Option<tokio::sync::oneshot::Receiver<()>> {
    use rustix::event::{PollFd, PollFlags, poll};
    let handle = rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty()).ok()?;
    let (ended, end) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        while poll(&mut [PollFd::new(&handle, PollFlags::IN)], None) == Err(rustix::io::Errno::INTR) {}
        drop(ended);
    });
    Some(end)
}
