//! Targets: the file that describes one, and making it ready to be called.
//!
//! `file` reads it, `endpoint` holds the addresses in it, `known` what is known to be wrong, `revision` what is made of the signs of one, `eras` which eras of MCP are spoken, `fill` puts values in, `route` leads a case to its endpoints, `server` starts what it starts and ends it with all its children, `ready` says when that can be asked.

mod describe;
mod endpoint;
mod eras;
mod file;
mod fill;
mod known;
mod ready;
pub mod recognise;
mod revision;
mod route;
mod server;

pub use endpoint::{Address, EndpointFile};
pub use file::{CorpusState, TargetFile};
pub(crate) use revision::{Sighting, shown_by_tools};
pub use route::Route;
pub(crate) use route::UNDECIDED;
pub use server::Running;

use crate::model::{ContractKey, Eras, KnownBy, KnownFailure, Names, Said, Unsupported};
use crate::redact::Redactor;
use crate::transport::{Answering, Cli, Http, HttpOptions, Limits, Mcp, McpProgram, Pace, Transport, TransportError};
use fill::Filler;
use ready::Ready;
use serde_json::Value;
use server::{Filled, Server};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long a server may take to end when it is asked to, and when somebody waits for a report.
const FAREWELL: Duration = Duration::from_secs(2);
const SHORT_FAREWELL: Duration = Duration::from_millis(500);
/// How long a corpus is waited for that was seeded, unless the target file says otherwise.
const SETTLE: Duration = Duration::from_secs(30);
/// How long a server may take until it is ready, and a seed until it is done, unless the target file says more.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many requests a server at an address is sent at once, unless the target file says otherwise: most of its time is waited for.
const AT_ONCE: usize = 8;

/// A target that can be called.
pub struct Target {
    /// What reports call it.
    pub name: String,
    /// Its endpoints.
    pub endpoints: Vec<Endpoint>,
    /// What is known to be wrong with it.
    pub known_failures: Vec<KnownFailure>,
    /// What it does not claim to support.
    pub unsupported: Vec<Unsupported>,
    /// How many cases run at once, and how many requests are under way at its servers.
    pub jobs: usize,
    /// Whether its servers hold the corpus.
    pub has_corpus: bool,
    /// Whether a seed puts the corpus in.
    pub is_seeded: bool,
    /// How long the corpus is waited for after that.
    pub settle: Duration,
    /// Takes secrets out of what is written of it.
    pub redactor: Redactor,
    /// The free port that the suite chose for it, when it did.
    pub port: Option<u16>,
    server: Option<Arc<Server>>,
}

/// One contract at one transport, ready to be called.
pub struct Endpoint {
    /// The contract, at the revision by which it is judged.
    pub contract: ContractKey,
    /// Where it is, for reports: a URL or a command.
    pub(crate) address: String,
    /// How that revision is known.
    pub(crate) known_by: KnownBy,
    /// What shows it, where it was recognised.
    pub(crate) signs: Vec<String>,
    /// Why no revision was recognised, though signs were seen: then nothing is judged there.
    pub(crate) undecided: Option<String>,
    /// The way to reach it.
    pub transport: Box<dyn Transport>,
    /// Where the items of an HTTP answer are, as a JSON Pointer; looked for when it is not given.
    pub results: Option<String>,
    /// Values for arguments that name data of the target's own.
    pub arguments: BTreeMap<String, Value>,
    /// What it calls the things that the document gives no name.
    pub(crate) names: Names,
    /// The eras of MCP in which it is judged.
    eras: Eras,
    /// The revision of MCP that was agreed on, once it was asked.
    revision: Option<String>,
    /// Whether it is asked for the protocol alone, since the contract is judged in the other era of MCP.
    pub(crate) beside: bool,
    /// Whether it has shown that it does not speak the other era of MCP.
    alone: bool,
}

/// Why a target cannot be tested.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The file cannot be read or says something that makes no sense.
    #[error("the target file {file}: {message}")]
    File {
        /// The file.
        file: String,
        /// What is wrong, with its place.
        message: String,
    },
    /// A file of known failures cannot be read or says something that makes no sense.
    #[error("the known failures in {file}: {message}")]
    Known {
        /// The file.
        file: String,
        /// What is wrong, with its place.
        message: String,
    },
    /// The target is not there.
    #[error(transparent)]
    Transport(#[from] TransportError),
}

impl TargetError {
    /// The same without secrets.
    fn redacted(self, by: &Redactor) -> Self {
        match self {
            Self::File { file, message } => Self::File { file: by.redacted(&file), message: by.redacted(&message) },
            Self::Known { file, message } => Self::Known { file, message },
            Self::Transport(error) => Self::Transport(error.redacted(by)),
        }
    }

    /// What is wrong with a file of known failures, all of it.
    fn known(file: &Path, problems: &[String]) -> Self {
        Self::Known { file: file.display().to_string(), message: problems.join("\n  ") }
    }
}

impl Target {
    /// Starts what the target file starts, and finds out which eras of MCP its endpoints speak.
    ///
    /// # Errors
    /// As those of [`serve`](Self::serve), and when an endpoint speaks none.
    pub async fn start(&mut self) -> Result<Option<Running>, TransportError> {
        let mut running = self.serve().await?;
        match self.find_eras(&mut running, |_| true).await {
            Ok(()) => Ok(running),
            Err(error) => {
                self.stop(running).await;
                Err(error)
            }
        }
    }

    /// Starts the server that the target file starts, waits until it is ready, and seeds it.
    ///
    /// # Errors
    /// When another program answers in its place, or it cannot be started, ends, is not ready in time, or its seeding fails.
    pub async fn serve(&self) -> Result<Option<Running>, TransportError> {
        let mut running = None;
        match self.begin(&mut running).await {
            Ok(()) => Ok(running),
            Err(error) => {
                self.stop(running).await;
                Err(error)
            }
        }
    }

    /// The same, with what runs in `running` as soon as it does.
    pub(crate) async fn begin(&self, running: &mut Option<Running>) -> Result<(), TransportError> {
        match &self.server {
            Some(server) => running.insert(Running::of(server).await?).ready().await,
            None => Ok(()),
        }
    }

    /// Ends what the cases shared at every endpoint, then the server that was started.
    pub async fn stop(&self, server: Option<Running>) {
        self.close().await;
        if let Some(mut server) = server {
            server.stop(FAREWELL).await;
        }
    }

    /// The same. Returns that the server answers all the same: it was launched elsewhere, and nothing stops it.
    pub(crate) async fn stop_and_look(&self, server: Option<Running>) -> Option<TransportError> {
        self.close().await;
        server?.stop_and_look(FAREWELL).await
    }

    /// The same when somebody waits for the report: what has not ended soon is killed. A command that stops the server has its time.
    pub(crate) async fn stop_soon(&self, server: Option<Running>) {
        let _ = timeout(SHORT_FAREWELL, self.close()).await;
        if let Some(mut server) = server {
            server.stop(SHORT_FAREWELL).await;
        }
    }

    /// What programs that were started have said last on standard error.
    pub(crate) fn said(&self, server: Option<&Running>) -> Vec<Said> {
        let mut all: Vec<Said> = server.and_then(Running::said).into_iter().collect();
        for endpoint in &self.endpoints {
            all.extend(endpoint.transport.said());
        }
        all
    }

    /// The command that starts its server, for a shell and without secrets; nothing where the suite starts none.
    pub(crate) fn start_command(&self) -> Option<String> {
        Some(self.redactor.redacted(&self.server.as_ref()?.command(&self.redactor)?))
    }

    async fn close(&self) {
        for endpoint in &self.endpoints {
            endpoint.transport.close().await;
        }
    }
}

impl TargetFile {
    /// Makes the target ready. `places` are texts to put in for `{name}`, such as the path of the reference.
    ///
    /// # Errors
    /// When a variable of the environment is not set, an address is none, or a program is not there.
    pub fn ready(
        &self,
        places: &BTreeMap<String, String>,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Target, TargetError> {
        let redactor = self.redactor(places, environment);
        let made = self.made(places, environment, redactor.clone());
        made.map_err(|error| error.redacted(&redactor))
    }

    /// Takes the secrets of this file out of what is written.
    pub fn redactor(
        &self,
        places: &BTreeMap<String, String>,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Redactor {
        let mut filler = Filler::new(places, environment, &self.secret);
        self.fill(&mut filler);
        Redactor::new(filler.secrets)
    }

    fn fill(&self, filler: &mut Filler<'_>) -> Filled {
        let env = filler.named(&self.env);
        let endpoints = self.endpoints.iter().map(|endpoint| filler.endpoint(endpoint)).collect();
        let server = self.server(filler, &env);
        let ready = self.ready.as_ref().map(|address| filler.address(address));
        Filled { env, endpoints, server, ready }
    }

    fn made(
        &self,
        places: &BTreeMap<String, String>,
        environment: &dyn Fn(&str) -> Option<String>,
        redactor: Redactor,
    ) -> Result<Target, TargetError> {
        let wrong = |message: String| TargetError::File { file: self.name.clone(), message };
        let mut places = places.clone();
        let port = self.start.as_ref().map(|_| free_port()).transpose().map_err(|error| wrong(error.to_string()))?;
        if let Some(port) = port {
            places.insert("port".to_owned(), port.to_string());
        }
        let mut filler = Filler::new(&places, environment, &self.secret);
        let Filled { env, endpoints, server, ready } = self.fill(&mut filler);
        if !filler.missing.is_empty() {
            let (are, them) = if filler.missing.len() == 1 { ("is", "it") } else { ("are", "them") };
            let names = filler.missing.join(" and ");
            return Err(wrong(format!("{names} {are} not set in the environment: set {them}, or leave {them} out")));
        }
        let limits = Limits {
            time: self.timeout.map_or(Limits::default().time, Duration::from_secs),
            first: self.timeout.map_or(Limits::default().first, Duration::from_secs),
            retries: self.retries.unwrap_or(0),
            ..Limits::default()
        };
        // A server of ours at an address has shown that it is ready.
        let patience = self.start_timeout.filter(|_| self.start.is_some()).map(Duration::from_secs);
        let of_address = Limits { first: patience.unwrap_or(limits.first), ..limits };
        let server = match server {
            Some(server) => {
                let ready = self.ready_when(ready.as_deref(), &endpoints, limits).map_err(wrong)?;
                Some(Arc::new(Server { ready, ..server }))
            }
            None => None,
        };
        let jobs = self.jobs.unwrap_or_else(|| self.usual_jobs()).max(1);
        let pace = Pace::of(self.rate, jobs);
        let mut open = Vec::new();
        for endpoint in endpoints {
            let options = self.http_options(&endpoint, of_address);
            let names = || endpoint.names.clone();
            let transports: Vec<Box<dyn Transport>> = match &endpoint.address {
                Address::Cli(command) => vec![Box::new(Cli::new(command, self.cwd.as_deref(), env.clone(), limits)?)],
                Address::Http(url) => {
                    vec![Box::new(Http::new(url, &options).map_err(wrong)?.naming(names()).paced(&pace))]
                }
                Address::McpHttp(url) => {
                    let mcp = Mcp::address(url, &options).map_err(wrong)?.naming(names()).paced(&pace);
                    endpoint::in_eras(mcp, endpoint.eras)
                }
                Address::McpStdio(command) => {
                    let program = McpProgram { command, environment: env.clone(), folder: self.cwd.clone() };
                    endpoint::in_eras(Mcp::program(program, limits)?.naming(names()), endpoint.eras)
                }
            };
            open.extend(transports.into_iter().map(|transport| Endpoint::new(&endpoint, transport)));
        }
        Ok(Target {
            name: self.name.clone(),
            endpoints: open,
            known_failures: self.known_failures.clone(),
            unsupported: self.unsupported.clone(),
            jobs,
            has_corpus: self.corpus.is_some() || self.seed.is_some(),
            is_seeded: self.seed.is_some(),
            settle: self.settle.map_or(if self.seed.is_some() { SETTLE } else { Duration::ZERO }, Duration::from_secs),
            redactor,
            port,
            server,
        })
    }

    /// So many cases at once as a server can be asked that runs elsewhere; what runs here shares our processors.
    fn usual_jobs(&self) -> usize {
        let is_elsewhere =
            self.start.is_none() && self.endpoints.iter().all(|endpoint| endpoint.address.url().is_some());
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        if is_elsewhere { processors.max(AT_ONCE) } else { processors }
    }

    fn http_options<'o>(&'o self, endpoint: &'o EndpointFile, limits: Limits) -> HttpOptions<'o> {
        HttpOptions { headers: &endpoint.headers, ca_cert: self.ca_cert.as_deref(), insecure: self.insecure, limits }
    }

    /// The server, as far as nothing has to be checked for it.
    fn server(&self, filler: &mut Filler<'_>, env: &BTreeMap<String, String>) -> Option<Server> {
        let mut filled = |words: &Option<Vec<String>>| words.as_ref().map(|words| filler.words(words));
        let (start, stop, seed) = (filled(&self.start), filled(&self.stop), filled(&self.seed));
        (start.is_some() || seed.is_some()).then(|| Server {
            start,
            stop,
            seed,
            ready: Vec::new(),
            patience: self.start_timeout.map_or(PATIENCE, Duration::from_secs),
            env: env.clone(),
            cwd: self.cwd.clone(),
            corpus: filler.places.get("corpus").cloned(),
        })
    }

    /// What says that the server is ready: its own address for that, or else its endpoints.
    fn ready_when(
        &self,
        address: Option<&str>,
        endpoints: &[EndpointFile],
        limits: Limits,
    ) -> Result<Vec<Ready>, String> {
        let mut ready = Vec::new();
        if let Some(address) = address {
            let options = HttpOptions {
                headers: &BTreeMap::new(),
                ca_cert: self.ca_cert.as_deref(),
                insecure: self.insecure,
                limits,
            };
            ready.push(Ready::Says(Answering::new(address, &options)?));
        }
        for endpoint in endpoints {
            if let Some(url) = endpoint.address.url() {
                let place = Answering::new(url, &self.http_options(endpoint, limits))?;
                ready.push(if address.is_some() { Ready::Later(place) } else { Ready::Serves(place) });
            }
        }
        Ok(ready)
    }
}

/// A port that nobody listens on at this moment.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
