//! Ending a process with everything that it started: it leads a process group of its own.

use tokio::process::Child;

/// Ends a process and its children: at once, or by asking them to.
pub(crate) fn kill_group(child: &mut Child, at_once: bool) {
    #[cfg(unix)]
    if let Some(pid) = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
        use rustix::process::{Signal, kill_process_group};
        // That it is gone already is no error.
        let _ = kill_process_group(pid, if at_once { Signal::KILL } else { Signal::TERM });
    }
    if at_once {
        let _ = child.start_kill();
    }
}
