//! A process with everything that it started.

use tokio::process::{Child, Command};

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
