//! MCP: a raw JSON-RPC client over standard streams or streamable HTTP.
//!
//! A typed client of an SDK drops what it does not know and forgives what is wrong. This one keeps every answer as it
//! came: `rpc` sorts messages, `stdio` and `web` carry them, `reply` says what became of a call.

mod reply;
mod rpc;
mod stdio;
mod web;

use super::web::{HttpOptions, client};
use super::{Limits, Reply, Session, Transport, TransportError};
use crate::model::{Failure, McpBinding, Operation, Problem, Status, TransportKind};
use futures::future::BoxFuture;
use reqwest::{Client, Url};
use rpc::Came;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use stdio::{Program, Stdio};
use tokio::sync::Mutex;
use web::Web;

/// The revision of the protocol that is offered; a server may answer with an older one.
const REVISION: &str = "2025-11-25";
/// How long a server may take until it has answered `initialize`: some are fetched and built first.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many pages `tools/list` may have.
const MOST_PAGES: usize = 100;

/// A server of tools.
#[derive(Debug, Clone)]
pub struct Mcp(Arc<Server>);

#[derive(Debug)]
struct Server {
    way: Way,
    limits: Limits,
    link: Mutex<Link>,
    next_id: AtomicU64,
}

/// How the server is reached.
#[derive(Debug)]
enum Way {
    Program(Program),
    Address { client: Client, address: Url, headers: BTreeMap<String, String> },
}

/// A program that speaks MCP on its standard streams.
#[derive(Debug)]
pub struct McpProgram<'p> {
    /// The program and its arguments.
    pub command: &'p [String],
    /// Additions to its environment.
    pub environment: BTreeMap<String, String>,
    /// The folder that it is started in; the current one when it is left out.
    pub folder: Option<PathBuf>,
}

/// The connection that all cases share, and how often it was made.
#[derive(Debug, Default)]
struct Link {
    connection: Option<Arc<Connection>>,
    /// Whether it was made a second time.
    again: bool,
    /// Why there is none any more.
    lost: Option<String>,
}

/// A server that has said who it is and what tools it has.
#[derive(Debug)]
struct Connection {
    wire: Wire,
    /// The answer to `initialize`, as it came.
    initialize: Value,
    /// The tools that it lists; nothing when it does not list any.
    tools: Option<Vec<Value>>,
    /// What was wrong on the way; the first call takes it along.
    problems: std::sync::Mutex<Vec<Problem>>,
    gone: std::sync::Mutex<Option<String>>,
}

#[derive(Debug)]
enum Wire {
    Stdio(Stdio),
    Web(Box<Web>),
}

impl Mcp {
    /// A program that speaks MCP on its standard streams. Nothing is started yet.
    ///
    /// # Errors
    /// When the program does not exist: its name stands in the message.
    pub fn program(program: McpProgram<'_>, limits: Limits) -> Result<Self, TransportError> {
        let McpProgram { command, environment, folder } = program;
        let name = command.first().map_or("", String::as_str);
        // A path is looked for where the program is started.
        if !name.contains('/') {
            which::which(name)
                .map_err(|error| TransportError::NotThere { program: name.to_owned(), reason: error.to_string() })?;
        }
        Ok(Self::new(Way::Program(Program { command: command.to_vec(), environment, folder }), limits))
    }

    /// A server at an address. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address, a header or the file of certificates makes no sense.
    pub fn address(address: &str, options: &HttpOptions<'_>) -> Result<Self, String> {
        let (client, address) = client(address, options)?;
        Ok(Self::new(Way::Address { client, address, headers: options.headers.clone() }, options.limits))
    }

    fn new(way: Way, limits: Limits) -> Self {
        Self(Arc::new(Server { way, limits, link: Mutex::default(), next_id: AtomicU64::new(1) }))
    }
}

impl Transport for Mcp {
    fn kind(&self) -> TransportKind {
        match self.0.way {
            Way::Program(_) => TransportKind::McpStdio,
            Way::Address { .. } => TransportKind::McpHttp,
        }
    }

    fn brings_corpus(&self) -> bool {
        false
    }

    fn open(&self, _: Option<&Path>) -> Result<Box<dyn Session>, TransportError> {
        Ok(Box::new(self.clone()))
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let connection = self.0.link.lock().await.connection.take();
            match connection.as_ref().map(|connection| &connection.wire) {
                Some(Wire::Stdio(stdio)) => stdio.close().await,
                Some(Wire::Web(web)) => web.close().await,
                None => {}
            }
        })
    }
}

impl Session for Mcp {
    fn call<'s>(
        &'s self,
        operation: &'s Operation,
        with: &'s Map<String, Value>,
    ) -> BoxFuture<'s, Result<Reply, TransportError>> {
        Box::pin(self.0.call(operation, with))
    }
}

impl Server {
    async fn call(&self, operation: &Operation, with: &Map<String, Value>) -> Result<Reply, TransportError> {
        let Some(binding) = &operation.mcp else {
            return Ok(reply::not_asked("the operation has no MCP binding"));
        };
        let connection = match self.connection().await? {
            Ok(connection) => connection,
            Err(lost) => return Ok(reply::not_asked(&lost)),
        };
        let Some(tool) = &binding.tool else {
            return self.list(&connection).await;
        };
        let listed = connection.tools.as_ref().map(|tools| tools.iter().find(|listed| listed["name"] == **tool));
        let advertised = match listed {
            Some(None) => return Ok(reply::failed(Failure::NoSuchTool(tool.clone()))),
            Some(Some(advertised)) => advertised,
            None => &Value::Null,
        };
        if let Some(why) = other_revision(tool, advertised, operation, binding) {
            return Ok(reply::not_asked(&why));
        }
        let arguments: Map<String, Value> = with
            .iter()
            .map(|(name, value)| (binding.rename.get(name).unwrap_or(name).clone(), value.clone()))
            .collect();
        let params = json!({ "name": tool, "arguments": arguments });
        let started = Instant::now();
        let (sent, mut came) = self.ask(&connection, "tools/call", params.clone()).await?;
        // A server may forget a session; its client begins another one and asks again.
        if came.gone && matches!(connection.wire, Wire::Web(_)) {
            match self.connection().await? {
                Ok(connection) => came = self.ask(&connection, "tools/call", params).await?.1,
                Err(lost) => return Ok(reply::not_asked(&lost)),
            }
        }
        let elapsed = started.elapsed();
        came.problems.append(&mut connection.problems.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Reply { elapsed, ..reply::of_call(sent, came, &advertised["outputSchema"], operation, binding) })
    }

    /// Lists the tools anew.
    async fn list(&self, connection: &Connection) -> Result<Reply, TransportError> {
        let started = Instant::now();
        let listed = self.pages(connection).await?;
        let mut problems = listed.came.problems;
        problems.append(&mut connection.problems.lock().unwrap_or_else(PoisonError::into_inner));
        let came = Came { problems, ..listed.came };
        let answer = json!({
            "initialize": connection.initialize,
            "pages": listed.pages,
            "error": came.response.get("error"),
            "body": listed.tools.as_ref().map(|tools| json!({ "tools": tools })),
        });
        let failure = came.failure.clone().or_else(|| match listed.tools {
            Some(_) => None,
            None => {
                Some(Failure::Broken(format!("tools/list gives no list of tools: {}", reply::start(&came.response))))
            }
        });
        let status = if failure.is_some() { Status::Failed } else { Status::Accepted };
        Ok(Reply { answer, status, elapsed: started.elapsed(), ..reply::of(listed.sent, Came { failure, ..came }) })
    }

    /// Every page of `tools/list`.
    async fn pages(&self, connection: &Connection) -> Result<Listed, TransportError> {
        let (mut pages, mut tools) = (Vec::new(), Vec::new());
        let mut problems = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
            let (sent, mut came) = self.ask(connection, "tools/list", params).await?;
            problems.append(&mut came.problems);
            came.problems = std::mem::take(&mut problems);
            let result = came.response["result"].clone();
            let Some(page) = result["tools"].as_array() else {
                return Ok(Listed { sent, came, pages, tools: None });
            };
            tools.extend(page.iter().cloned());
            let next = result["nextCursor"].clone();
            pages.push(result);
            if next.is_null() {
                return Ok(Listed { sent, came, pages, tools: Some(tools) });
            }
            if next == cursor || pages.len() == MOST_PAGES {
                let message = format!("the pages of tools/list do not end: {} came, the next is {next}", pages.len());
                came.problems.push(rpc::problem("cursor", message));
                return Ok(Listed { sent, came, pages, tools: Some(tools) });
            }
            problems = came.problems;
            cursor = next;
        }
    }

    /// One request: what went out, and what came.
    async fn ask(&self, connection: &Connection, method: &str, params: Value) -> Result<(Value, Came), TransportError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let came = connection.wire.ask(id, &message, self.limits.time).await?;
        if let (true, Some(failure)) = (came.gone, &came.failure) {
            *connection.gone.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure.to_string());
        }
        Ok((self.sent(&connection.wire, message), came))
    }

    /// What went out, so that it can be repeated.
    fn sent(&self, wire: &Wire, message: Value) -> Value {
        match (&self.way, wire) {
            (Way::Address { address, headers, .. }, Wire::Web(web)) => json!({
                "url": address.as_str(), "headers": headers, "session": web.session().is_some(), "message": message,
            }),
            (Way::Program(program), _) => {
                json!({ "command": program.command, "folder": program.folder, "message": message })
            }
            _ => json!({ "message": message }),
        }
    }

    /// The connection that all calls share; why there is none any more.
    ///
    /// A server that went away is started once more.
    async fn connection(&self) -> Result<Result<Arc<Connection>, String>, TransportError> {
        let mut link = self.link.lock().await;
        if let Some(lost) = &link.lost {
            return Ok(Err(lost.clone()));
        }
        let gone = match &link.connection {
            Some(connection) => match &*connection.gone.lock().unwrap_or_else(PoisonError::into_inner) {
                None => return Ok(Ok(Arc::clone(connection))),
                gone => gone.clone(),
            },
            None => None,
        };
        let Some(gone) = gone else {
            let connection = Arc::new(self.connect().await?);
            link.connection = Some(Arc::clone(&connection));
            return Ok(Ok(connection));
        };
        let lost = match std::mem::replace(&mut link.again, true) {
            true => format!("the server went away twice: {gone}"),
            false => match self.connect().await {
                Ok(connection) => {
                    let connection = Arc::new(connection);
                    link.connection = Some(Arc::clone(&connection));
                    return Ok(Ok(connection));
                }
                Err(error) => format!("the server went away and did not come back: {error}"),
            },
        };
        link.lost = Some(lost.clone());
        Ok(Err(lost))
    }

    /// Starts the server, when it is a program, and asks who it is and what tools it has.
    async fn connect(&self) -> Result<Connection, TransportError> {
        let wire = match &self.way {
            Way::Program(program) => Wire::Stdio(Stdio::start(program, self.limits)?),
            Way::Address { client, address, .. } => {
                Wire::Web(Box::new(Web::new(client.clone(), address.clone(), self.limits)))
            }
        };
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let client = json!({ "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") });
        let params = json!({ "protocolVersion": REVISION, "capabilities": {}, "clientInfo": client });
        let hello = json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": params });
        let came = wire.ask(id, &hello, self.limits.time.max(PATIENCE)).await?;
        let initialize = came.response["result"].clone();
        if came.failure.is_some() || !initialize.is_object() {
            let why = came.failure.map_or_else(|| reply::start(&came.response), |failure| failure.to_string());
            let noise = came.problems.first().map_or_else(String::new, |problem| format!("; {}", problem.message));
            let reason = format!("`initialize` brings no result: {why}{noise}");
            return Err(TransportError::DidNotStart { command: self.name(), reason });
        }
        if let (Wire::Web(web), Some(revision)) = (&wire, initialize["protocolVersion"].as_str()) {
            web.agree(revision);
        }
        wire.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }), self.limits.time).await;
        let problems = std::sync::Mutex::new(came.problems);
        let mut connection = Connection { wire, initialize, tools: None, problems, gone: std::sync::Mutex::default() };
        let listed = self.pages(&connection).await?;
        connection.tools = listed.tools;
        connection.problems.get_mut().unwrap_or_else(PoisonError::into_inner).extend(listed.came.problems);
        Ok(connection)
    }

    fn name(&self) -> String {
        match &self.way {
            Way::Program(program) => program.command.join(" "),
            Way::Address { address, .. } => address.to_string(),
        }
    }
}

impl Wire {
    async fn ask(&self, id: u64, message: &Value, time: Duration) -> Result<Came, TransportError> {
        match self {
            Self::Stdio(stdio) => Ok(stdio.ask(id, message, time).await),
            Self::Web(web) => web.ask(id, message, time).await,
        }
    }

    async fn tell(&self, message: &Value, time: Duration) {
        match self {
            Self::Stdio(stdio) => stdio.tell(message, time).await,
            Self::Web(web) => web.tell(message, time).await,
        }
    }
}

/// What `tools/list` brought.
struct Listed {
    sent: Value,
    came: Came,
    /// The results as they came.
    pages: Vec<Value>,
    /// The tools of all pages; nothing when one page was none.
    tools: Option<Vec<Value>>,
}

/// Why a tool speaks another revision of the contract: it lacks arguments that the contract has, and takes others.
fn other_revision(tool: &str, advertised: &Value, operation: &Operation, binding: &McpBinding) -> Option<String> {
    let takes = advertised["inputSchema"]["properties"].as_object()?;
    let known: Vec<&String> = operation.arguments.iter().map(|name| binding.rename.get(name).unwrap_or(name)).collect();
    let lacking: Vec<&str> =
        known.iter().filter(|name| !takes.contains_key(name.as_str())).map(|name| name.as_str()).collect();
    let others: Vec<&str> = takes.keys().filter(|name| !known.contains(name)).map(String::as_str).collect();
    (!lacking.is_empty() && !others.is_empty()).then(|| {
        format!(
            "the tool `{tool}` speaks another revision of the contract: it lacks {}, and takes {}",
            lacking.join(", "),
            others.join(", ")
        )
    })
}
