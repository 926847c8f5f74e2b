//! A server that is started for a run: ready, seeded, and gone afterwards with everything that it started.

use super::EndpointFile;
use super::ready::{self, Ready};
use crate::model::Said;
use crate::redact::Redactor;
use crate::text::shell;
use crate::transport::{Group, Tail, TransportError, command};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long the command may take that stops a server.
const STOPPING: Duration = Duration::from_secs(10);
/// How long the answers may be on their way that a server gave before it ended.
const LAST_ANSWERS: Duration = Duration::from_secs(1);
/// How a server is started, seeded and stopped.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) start: Option<Vec<String>>,
    pub(super) stop: Option<Vec<String>>,
    pub(super) seed: Option<Vec<String>>,
    /// What answers once it is ready.
    pub(super) ready: Vec<Ready>,
    /// How long it may take until it is ready, and a seed until it is done.
    pub(super) patience: Duration,
    pub(super) env: BTreeMap<String, String>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) corpus: Option<String>,
}

impl Server {
    /// The command that starts it, as a shell reads it, in its folder and with its variables, without secrets.
    pub(super) fn command(&self, redactor: &Redactor) -> Option<String> {
        // Quoting changes what a secret looks like, so a secret is taken out before.
        let word = |text: &str| shell::word(redactor.redacted(text)).ok();
        let words = self.start.as_ref()?.iter().map(|one| word(one)).collect::<Option<Vec<_>>>()?.join(" ");
        let pairs = self.env.iter().map(|(name, value)| word(&format!("{name}={value}")));
        let pairs = pairs.collect::<Option<Vec<_>>>()?;
        let environment = if pairs.is_empty() { String::new() } else { format!("env {} ", pairs.join(" ")) };
        let enter = self.cwd.as_ref().filter(|folder| !folder.as_os_str().is_empty());
        let enter = enter.map_or_else(String::new, |folder| format!("cd {} && ", shell::path(folder)));
        Some(format!("{enter}{environment}{words}"))
    }
}

/// A server that was started. When this value is dropped, it is killed with all its children.
pub struct Running {
    server: Arc<Server>,
    group: Option<Group>,
    tail: Tail,
}

impl Running {
    /// Starts the server.
    pub(super) async fn of(server: &Arc<Server>) -> Result<Self, TransportError> {
        let mut running = Self { server: Arc::clone(server), group: None, tail: Tail::default() };
        if let Some(command) = &server.start {
            ready::unused(command, &server.ready).await?;
            let mut group = server.spawn(command)?;
            running.tail.listen(group.child.stdout.take());
            running.tail.listen_to_errors(group.child.stderr.take());
            running.group = Some(group);
        }
        Ok(running)
    }

    /// Waits until the server is ready, and seeds it.
    pub(super) async fn ready(&mut self) -> Result<(), TransportError> {
        let server = Arc::clone(&self.server);
        if let Some(command) = &server.start {
            self.wait_until_ready(command).await?;
        }
        match &server.seed {
            Some(command) => server.run_seed(command).await,
            None => Ok(()),
        }
    }

    async fn wait_until_ready(&mut self, command: &[String]) -> Result<(), TransportError> {
        let failed = |reason: String| TransportError::DidNotStart { command: command.join(" "), reason };
        let server = Arc::clone(&self.server);
        let mut last = String::new();
        let answering = ready::all_answer(&server.ready, &mut last);
        let waited = timeout(server.patience, async {
            tokio::pin!(answering);
            tokio::select! {
                biased;
                how = self.ended() => Some(how),
                // Another program may answer where ours has ended.
                () = &mut answering => self.has_ended(),
            }
        });
        let waited = waited.await;
        let (why, words) = match waited {
            Ok(None) => return Ok(()),
            Ok(Some(how)) => (format!("it ended with {how}"), self.tail.last_words().await),
            Err(_) => {
                let why = format!("it is not ready after {} s (start-timeout): {last}", server.patience.as_secs());
                (why, self.tail.last_words().await)
            }
        };
        Err(failed(format!("{why}{words}")))
    }

    /// Done when the server ended that should run; how.
    async fn ended(&mut self) -> String {
        let status = match self.group.as_mut() {
            Some(group) => group.child.wait().await.ok(),
            None => None,
        };
        match status.and_then(|status| self.server.is_end(status)) {
            Some(how) => how,
            None => std::future::pending().await,
        }
    }

    /// How the server ended that should run, if it has.
    fn has_ended(&mut self) -> Option<String> {
        let status = self.group.as_mut()?.child.try_wait().ok().flatten()?;
        self.server.is_end(status)
    }

    /// Done when the server ended during a run, and its last answers were received.
    pub(crate) async fn gone(&mut self) {
        self.ended().await;
        tokio::time::sleep(LAST_ANSWERS).await;
    }

    /// That the server ended during a run, and how.
    pub(crate) async fn end(&mut self) -> Option<TransportError> {
        let how = self.has_ended()?;
        let command = self.server.start.as_ref()?.join(" ");
        Some(TransportError::Ended { command, reason: format!("{how}{}", self.tail.last_words().await) })
    }

    /// Whether it is a server that was started, not data that was seeded alone.
    pub(super) fn is_of_ours(&self) -> bool {
        self.group.is_some()
    }

    /// What the server has said last on standard error, if anything.
    pub(super) fn said(&self) -> Option<Said> {
        let command = self.server.start.as_ref()?.join(" ");
        Some(Said { command, lines: self.tail.errors().lines() }).filter(|said| !said.lines.is_empty())
    }

    /// Runs the command that stops the server, asks the server to end, and kills it with everything that it started if it does not
    /// within this time. Returns whether it ended within it.
    pub(super) async fn stop(&mut self, patience: Duration) -> bool {
        if let Some(Ok(mut stopping)) = self.server.stop.as_ref().map(|command| self.server.spawn(command)) {
            let _ = timeout(STOPPING, stopping.child.wait()).await;
        }
        let Some(mut group) = self.group.take() else { return true };
        group.ask_to_end();
        timeout(patience, group.child.wait()).await.is_ok()
    }

    /// Stops the server. Returns that it answers all the same: it was launched elsewhere, and nothing stops it.
    pub(super) async fn stop_and_look(mut self, patience: Duration) -> Option<TransportError> {
        // One that had to be killed may have been about to end what it launched.
        let has_ended = self.stop(patience).await;
        let command = self.server.start.as_ref().filter(|_| has_ended && self.server.stop.is_none())?.join(" ");
        let address = ready::still_answers(&self.server.ready).await?;
        Some(TransportError::NotStopped { command, address })
    }
}

impl Server {
    /// How the server ended whose process did; nothing if that launched the server elsewhere, where `stop` ends it.
    fn is_end(&self, status: ExitStatus) -> Option<String> {
        match (status.success(), &self.stop) {
            (true, Some(_)) => None,
            (true, None) => {
                Some(format!("{status}; one that launches a server and ends needs a `stop` in the target file"))
            }
            (false, _) => Some(status.to_string()),
        }
    }

    fn spawn(&self, words: &[String]) -> Result<Group, TransportError> {
        let (program, arguments) = words.split_first().ok_or_else(|| TransportError::NotThere {
            program: String::new(),
            reason: "no program is given".to_owned(),
        })?;
        let mut process = command(program, arguments, &self.env);
        process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(cwd) = &self.cwd {
            process.current_dir(cwd);
        }
        if let Some(corpus) = &self.corpus {
            process.env("CORPUS", corpus);
        }
        Group::spawn(&mut process)
            .map_err(|error| TransportError::NotThere { program: program.clone(), reason: error.to_string() })
    }

    async fn run_seed(&self, command: &[String]) -> Result<(), TransportError> {
        let failed = |reason: String| TransportError::DidNotStart { command: command.join(" "), reason };
        let mut group = self.spawn(command)?;
        let mut tail = Tail::default();
        tail.listen(group.child.stdout.take());
        tail.listen(group.child.stderr.take());
        let ended = timeout(self.patience, group.child.wait()).await;
        match ended {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => Err(failed(format!("seeding ended with {status}{}", tail.last_words().await))),
            Ok(Err(error)) => Err(failed(error.to_string())),
            Err(_) => Err(failed(format!("seeding was not done after {} s (start-timeout)", self.patience.as_secs()))),
        }
    }
}

/// A target file with every value put in: the environment, the endpoints, the server, and the address that says that it is ready.
pub(super) struct Filled {
    pub(super) env: BTreeMap<String, String>,
    pub(super) endpoints: Vec<EndpointFile>,
    pub(super) server: Option<Server>,
    pub(super) ready: Option<String>,
}
