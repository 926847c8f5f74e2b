//! Targets: the file that describes one, and making it ready to be called.
//!
//! `file` reads it, `endpoint` holds the addresses in it, `known` what is known to be wrong, `fill` puts values in, `route` leads a case to its endpoints, `server` starts what it starts and ends it with all its children.

mod describe;
mod endpoint;
mod file;
mod fill;
mod known;
pub mod recognise;
mod route;
mod server;

pub use endpoint::{Address, EndpointFile};
pub use file::{CorpusState, TargetFile};
pub use route::Route;
pub use server::Running;

use crate::model::{ContractKey, KnownFailure, Unsupported};
use crate::redact::Redactor;
use crate::transport::{Cli, Http, HttpOptions, Limits, Mcp, McpProgram, Transport, TransportError};
use fill::Filler;
use serde_json::Value;
use server::Server;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

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
    /// How many cases run at once.
    pub jobs: usize,
    /// Whether its servers hold the corpus.
    pub has_corpus: bool,
    /// Takes secrets out of what is written of it.
    pub redactor: Redactor,
    /// The free port that the suite chose for it, when it did.
    pub port: Option<u16>,
    server: Option<Server>,
}

/// One contract at one transport, ready to be called.
pub struct Endpoint {
    /// The contract.
    pub contract: ContractKey,
    /// The way to reach it.
    pub transport: Box<dyn Transport>,
    /// Where the items of an HTTP answer are, as a JSON Pointer; looked for when it is not given.
    pub results: Option<String>,
    /// Values for arguments that name data of the target's own.
    pub arguments: BTreeMap<String, Value>,
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
    /// Starts the server that the target file starts, waits until it answers, and seeds it.
    ///
    /// # Errors
    /// When it cannot be started, ends, does not answer in time, or its seeding fails.
    pub async fn start(&self) -> Result<Option<Running>, TransportError> {
        match &self.server {
            Some(server) => server.start().await.map(Some),
            None => Ok(None),
        }
    }

    /// Ends what the cases shared at every endpoint, then the server that was started.
    pub async fn stop(&self, server: Option<Running>) {
        for endpoint in &self.endpoints {
            endpoint.transport.close().await;
        }
        if let Some(server) = server {
            server.stop().await;
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

    /// Everything with values put in: the environment, the endpoints, the server.
    fn fill(&self, filler: &mut Filler<'_>) -> (BTreeMap<String, String>, Vec<EndpointFile>, Option<Server>) {
        let env = filler.named(&self.env);
        let endpoints: Vec<EndpointFile> = self.endpoints.iter().map(|endpoint| filler.endpoint(endpoint)).collect();
        let server = self.server(filler, &env, &endpoints);
        (env, endpoints, server)
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
        let (env, endpoints, server) = self.fill(&mut filler);
        if !filler.missing.is_empty() {
            return Err(wrong(format!(
                "the environment has no {}; set it, or leave it out",
                filler.missing.join(", ")
            )));
        }
        let limits = Limits {
            time: self.timeout.map_or(Limits::default().time, Duration::from_secs),
            retries: self.retries.unwrap_or(0),
            ..Limits::default()
        };
        let mut ready = Vec::new();
        for endpoint in endpoints {
            let options = self.http_options(&endpoint, limits);
            let names = || endpoint.names.clone();
            let transport: Box<dyn Transport> = match &endpoint.address {
                Address::Cli(command) => Box::new(Cli::new(command, env.clone(), limits)?),
                Address::Http(url) => Box::new(Http::new(url, &options).map_err(wrong)?.naming(names())),
                Address::McpHttp(url) => Box::new(Mcp::address(url, &options).map_err(wrong)?.naming(names())),
                Address::McpStdio(command) => {
                    let program = McpProgram { command, environment: env.clone(), folder: self.cwd.clone() };
                    Box::new(Mcp::program(program, limits)?.naming(names()))
                }
            };
            let EndpointFile { contract, results, arguments, .. } = endpoint;
            ready.push(Endpoint { contract, transport, results, arguments });
        }
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Target {
            name: self.name.clone(),
            endpoints: ready,
            known_failures: self.known_failures.clone(),
            unsupported: self.unsupported.clone(),
            jobs: self.jobs.unwrap_or(processors).max(1),
            has_corpus: self.corpus.is_some() || self.seed.is_some(),
            redactor,
            port,
            server,
        })
    }

    fn http_options<'o>(&'o self, endpoint: &'o EndpointFile, limits: Limits) -> HttpOptions<'o> {
        HttpOptions { headers: &endpoint.headers, ca_cert: self.ca_cert.as_deref(), insecure: self.insecure, limits }
    }

    fn server(
        &self,
        filler: &mut Filler<'_>,
        env: &BTreeMap<String, String>,
        endpoints: &[EndpointFile],
    ) -> Option<Server> {
        let start = self.start.as_ref().map(|words| filler.words(words));
        let seed = self.seed.as_ref().map(|words| filler.words(words));
        let ready = self.ready.as_ref().map(|address| filler.address(address));
        let ready = ready.or_else(|| endpoints.iter().find_map(|endpoint| endpoint.address.url()).map(str::to_owned));
        (start.is_some() || seed.is_some()).then(|| Server {
            start,
            seed,
            ready,
            env: env.clone(),
            cwd: self.cwd.clone(),
            corpus: filler.places.get("corpus").cloned(),
        })
    }
}

/// A port that nobody listens on at this moment.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
