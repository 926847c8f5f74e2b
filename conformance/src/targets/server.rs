//! A server that is started for a run: ready, seeded, and gone afterwards with everything that it started.

use crate::transport::{Group, Tail, TransportError};
use std::collections::BTreeMap;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::time::{Instant, sleep, timeout};

/// How long a server may take until it listens, and a seed until it is done.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long between two looks whether it listens.
const LOOK: Duration = Duration::from_millis(10);
/// How long it may take to end when it is told to.
const FAREWELL: Duration = Duration::from_secs(2);

/// How a server is started and seeded.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) start: Option<Vec<String>>,
    pub(super) seed: Option<Vec<String>>,
    pub(super) ready: Option<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) corpus: Option<String>,
}

/// A server that runs. When this value is dropped, it is killed with all its children.
pub struct Running {
    group: Option<Group>,
    tail: Tail,
}

impl Server {
    /// Starts the server, waits until it listens, and seeds it.
    pub(super) async fn start(&self) -> Result<Running, TransportError> {
        let mut running = Running { group: None, tail: Tail::default() };
        if let Some(command) = &self.start {
            let mut group = self.spawn(command)?;
            running.tail.listen(group.child.stdout.take());
            running.tail.listen(group.child.stderr.take());
            running.group = Some(group);
            if let Some(address) = &self.ready {
                running.wait_until_ready(command, address).await?;
            }
        }
        if let Some(command) = &self.seed {
            self.run_seed(command).await?;
        }
        Ok(running)
    }

    fn spawn(&self, command: &[String]) -> Result<Group, TransportError> {
        let (program, arguments) = command.split_first().ok_or_else(|| TransportError::NotThere {
            program: String::new(),
            reason: "no program is given".to_owned(),
        })?;
        let mut process = Command::new(program);
        process.args(arguments).envs(&self.env).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
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
        let ended = timeout(PATIENCE, group.child.wait()).await;
        match ended {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => Err(failed(format!("seeding ended with {status}{}", tail.last_words().await))),
            Ok(Err(error)) => Err(failed(error.to_string())),
            Err(_) => Err(failed(format!("seeding was not done after {} s", PATIENCE.as_secs()))),
        }
    }
}

impl Running {
    async fn wait_until_ready(&mut self, command: &[String], address: &str) -> Result<(), TransportError> {
        let failed = |reason: String| TransportError::DidNotStart { command: command.join(" "), reason };
        let sockets = sockets(address).map_err(failed)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(Ok(Some(status))) = self.group.as_mut().map(|group| group.child.try_wait()) {
                return Err(failed(format!("it ended with {status}{}", self.tail.last_words().await)));
            }
            for socket in &sockets {
                if timeout(FAREWELL, TcpStream::connect(socket)).await.is_ok_and(|connected| connected.is_ok()) {
                    return Ok(());
                }
            }
            if Instant::now() > deadline {
                let waited = PATIENCE.as_secs();
                return Err(failed(format!(
                    "nothing listens at {address} after {waited} s{}",
                    self.tail.last_words().await
                )));
            }
            sleep(LOOK).await;
        }
    }

    /// Asks the server to end, and ends it with everything that it started when it does not.
    pub(super) async fn stop(mut self) {
        let Some(group) = self.group.as_mut() else { return };
        group.ask_to_end();
        let _ = timeout(FAREWELL, group.child.wait()).await;
    }
}

/// The sockets behind an address such as `http://localhost:3000/health`.
fn sockets(address: &str) -> Result<Vec<SocketAddr>, String> {
    let url = reqwest::Url::parse(address).map_err(|error| format!("`{address}` is no address: {error}"))?;
    let host = url.host_str().ok_or_else(|| format!("`{address}` names no host"))?;
    let port = url.port_or_known_default().ok_or_else(|| format!("`{address}` names no port"))?;
    (host.trim_matches(['[', ']']), port).to_socket_addrs().map(Iterator::collect).map_err(|error| error.to_string())
}
