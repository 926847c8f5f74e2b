//! The processes below this one: becoming their subreaper, finding them, and ending them.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait};
use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::{Duration, Instant};

/// How long processes may take to be gone after they were killed. One that the kernel holds up is not waited for any longer.
const FAREWELL: Duration = Duration::from_secs(2);

/// Takes over every process below this one whose parent ends. Linux alone has that.
pub(super) fn adopt() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(getpid()));
}

/// Lets this process be asked to end when the one that started it is killed. Linux alone has that.
pub(super) fn end_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
}

/// Kills every process below this one, and waits until they are gone.
pub(super) fn end() {
    // The processes change while they are looked at, so that none of them may be seen. The system knows whether there is a child, and what
    // is below an adopting process is below a child of it.
    if !none_is_left() {
        kill_all(|below| below.of(getpid()), |_| none_is_left());
    }
}

/// The same, and lets the guard below end by itself: were it killed before the others, and this process by somebody else then, nobody would
/// be left to end them.
pub(super) fn end_with(guard: Pid) {
    let others = |below: &Children| {
        let mut others = below.of(getpid());
        others.retain(|process| *process != guard);
        others
    };
    kill_all(others, |_| none_is_left());
    end();
}

/// Waits for each child that has ended; whether there is no other.
fn none_is_left() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

/// Kills every process below this one that is neither the worker nor below it: what was adopted.
pub(super) fn end_adopted(worker: Pid) {
    let adopted = |below: &Children| {
        let mut adopted = below.of(getpid());
        let of_worker: HashSet<Pid> = below.of(worker).into_iter().collect();
        adopted.retain(|process| *process != worker && !of_worker.contains(process));
        adopted
    };
    kill_all(adopted, <[Pid]>::is_empty);
}

/// Kills processes again and again until it is done: one may start another before it ends.
///
/// They are killed in this order, parents first: whoever started a program must not find it killed, and take that for its own end.
fn kill_all(of: impl Fn(&Children) -> Vec<Pid>, is_done: impl Fn(&[Pid]) -> bool) {
    let since = Instant::now();
    loop {
        let left = of(&Children::now());
        if is_done(&left) || since.elapsed() > FAREWELL {
            return;
        }
        for process in left {
            // It may have ended by itself.
            let _ = kill_process(process, Signal::KILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The processes that run, by the process that each is a child of.
#[derive(Debug)]
struct Children(HashMap<Pid, Vec<Pid>>);

impl Children {
    fn now() -> Self {
        let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
        for (process, parent) in running() {
            children.entry(parent).or_default().push(process);
        }
        Self(children)
    }

    /// Every process below one, each after its parent.
    fn of(&self, process: Pid) -> Vec<Pid> {
        let (mut known, mut found) = (HashSet::from([process]), Vec::new());
        let mut ahead = vec![process];
        while let Some(parent) = ahead.pop() {
            let children = self.0.get(&parent).into_iter().flatten().copied();
            let new: Vec<Pid> = children.filter(|child| known.insert(*child)).collect();
            found.extend(&new);
            ahead.extend(new);
        }
        found
    }
}

/// Each process that has not ended, with its parent.
#[cfg(target_os = "linux")]
fn running() -> Vec<(Pid, Pid)> {
    // In a container that sees the processes of another, their numbers are those of other processes here.
    let this = getpid().as_raw_nonzero().to_string();
    if std::fs::read_link("/proc/self").ok().is_none_or(|named| named.as_os_str() != this.as_str()) {
        return Vec::new();
    }
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| {
        let process = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let text = std::fs::read(entry.path().join("stat")).ok()?;
        let text = String::from_utf8_lossy(&text);
        // The name of the program comes before, in brackets, and may hold anything.
        let mut words = text.rsplit_once(") ")?.1.split(' ');
        let has_ended = words.next().is_none_or(|state| matches!(state, "Z" | "X"));
        let parent = Pid::from_raw(words.next()?.parse().ok()?)?;
        (!has_ended).then_some((process, parent))
    });
    processes.collect()
}

/// The same by the command that every other Unix has.
#[cfg(not(target_os = "linux"))]
fn running() -> Vec<(Pid, Pid)> {
    let Ok(output) = std::process::Command::new("ps").args(["-A", "-o", "pid=,ppid=,stat="]).output() else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let processes = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let mut pid = || Pid::from_raw(words.next()?.parse().ok()?);
        let (process, parent) = (pid()?, pid()?);
        let has_ended = words.next().is_none_or(|state| state.starts_with('Z'));
        (!has_ended).then_some((process, parent))
    });
    processes.collect()
}

#[cfg(test)]
mod tests {
    use super::Children;
    use rustix::process::Pid;

    #[test]
    fn parents_come_before_what_they_started() {
        // Numbers tell nothing: they begin anew when all are used.
        let below = [(9, [5, 8]), (8, [3, 6]), (3, [7, 2]), (4, [1, 10])];
        let of = |numbers: [i32; 2]| numbers.into_iter().filter_map(Pid::from_raw).collect();
        let parents = below.into_iter().filter_map(|(parent, children)| Some((Pid::from_raw(parent)?, of(children))));
        let children = Children(parents.collect());
        let below_9 = Pid::from_raw(9).map(|parent| children.of(parent)).unwrap_or_default();
        let order: Vec<i32> = below_9.into_iter().map(|one| one.as_raw_nonzero().get()).collect();
        assert_eq!(order, [5, 8, 3, 6, 7, 2]);
    }
}
