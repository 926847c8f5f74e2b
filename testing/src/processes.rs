//! Whether the processes that a run started are gone after it.

use std::fs;
use std::path::Path;

/// How many times a process is looked for before it counts as left behind.
const LOOKS: usize = 1_000_000;

/// Fails if a process is still running, or if fewer than `at_least` were started.
///
/// Scripts write the ids of their processes to the file `pids` of the folder, one a line. A process that was killed needs
/// a moment to go, so each is looked for repeatedly.
pub fn assert_nothing_runs(folder: &Path, at_least: usize) {
    let pids = fs::read_to_string(folder.join("pids")).unwrap_or_default();
    assert!(pids.lines().count() >= at_least, "only these were started: {pids}");
    for pid in pids.lines() {
        let is_gone = (0..LOOKS).any(|_| {
            std::thread::yield_now();
            !is_running(pid)
        });
        assert!(is_gone, "process {pid} outlived its run");
    }
}

/// Whether a process exists and has not ended. A zombie, whose parent has not yet waited for it, has ended.
fn is_running(pid: &str) -> bool {
    let there = pid.parse().ok().and_then(rustix::process::Pid::from_raw);
    let there = there.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok());
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let has_ended = state.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X']));
    there && !has_ended
}
