//! A process with everything that it started.

use std::collections::BTreeMap;
use std::time::Duration;
use tokio::process::{Child, Command};

/// How long what a process wrote before it ended may be on its way to us. A child of it may hold the stream open for ever. What was written
/// is there at once: the time is for a machine with too much to do. It is ours, and no part of the time that a target has.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(1);

/// Variables that force colours upon a program.
const FORCING: [&str; 2] = ["FORCE_COLOR", "CLICOLOR_FORCE"];

/// A program with its arguments, and additions to its environment. It uses no colours unless these say otherwise: its words are
/// read by us, whatever terminal we have.
pub(crate) fn command<S: AsRef<str>>(
    program: &str,
    arguments: &[S],
    environment: &BTreeMap<String, String>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments.iter().map(AsRef::as_ref)).env("NO_COLOR", "1");
    for name in FORCING {
        command.env_remove(name);
    }
    command.envs(environment);
    command
}

/// A process that leads a process group of its own: none of the group outlives this value.
pub(crate) struct Group {
    /// The process.
    pub(crate) child: Child,
    /// Its group, which may outlive the process that began it and is not told once that was waited for.
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

impl Group {
    /// Starts a process in a group of its own.
    pub(crate) fn spawn(command: &mut Command) -> std::io::Result<Self> {
        command.kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let child = command.spawn()?;
        Ok(Self {
            #[cfg(unix)]
            leader: child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())),
            child,
        })
    }

    /// Asks every process of the group to end.
    pub(crate) fn ask_to_end(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(leader) = self.leader {
            // That it is gone already is no error.
            let _ = rustix::process::kill_process_group(leader, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        let _ = self.child.start_kill();
    }
}
