//! MCP: a raw JSON-RPC client over standard streams or streamable HTTP.
//!
//! A typed client of an SDK drops what it does not know and forgives what is wrong. This one keeps every answer as it
//! came: `rpc` sorts messages, `stdio` and `web` carry them, `inbox` takes what answers a POST, `connection` begins a
//! conversation.

mod connection;
pub(crate) mod events;
pub(crate) mod inbox;
pub(crate) mod rpc;
mod stdio;
mod web;

use super::caller::Caller;
use super::sending::{Sending, in_environment};
use super::tail::Heard;
use super::web::{HttpOptions, client};
use super::{Limits, Pace, Session, Transport, TransportError};
use crate::model::{Failure, McpBinding, Names, Noticed, Operation, RawReply, Received, Said, TransportKind};
use connection::{Connection, Listed, Wire};
use futures::future::BoxFuture;
use reqwest::Url;
use rpc::Came;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdio::{Program, Stdio};
use tokio::sync::Mutex;
use web::Web;

/// A server of tools.
#[derive(Debug, Clone)]
pub struct Mcp(Arc<Server>, Names);

#[derive(Debug)]
struct Server {
    way: Way,
    limits: Limits,
    link: Mutex<Link>,
}

/// How the server is reached.
#[derive(Debug)]
enum Way {
    Program(Program),
    Address { caller: Caller, address: Url, headers: BTreeMap<String, String> },
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

/// What was asked of a server, and what came of it.
struct Asked {
    sent: Value,
    received: Received,
    came: Came,
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
        Ok(Self::new(
            Way::Program(Program { command: command.to_vec(), environment, folder, errors: Heard::default() }),
            limits,
        ))
    }

    /// A server at an address. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address, a header or the file of certificates makes no sense.
    pub fn address(address: &str, options: &HttpOptions<'_>) -> Result<Self, String> {
        let (caller, address) = client(address, options)?;
        Ok(Self::new(Way::Address { caller, address, headers: options.headers.clone() }, options.limits))
    }

    fn new(way: Way, limits: Limits) -> Self {
        Self(Arc::new(Server { way, limits, link: Mutex::default() }), Names::default())
    }

    /// The same at a pace that others share, where it is a server at an address.
    pub fn paced(self, pace: &Pace) -> Self {
        if let Way::Address { caller, .. } = &self.0.way {
            caller.keep_to(pace);
        }
        self
    }

    /// The same with the names of the target for what the document gives no name.
    pub fn naming(self, names: Names) -> Self {
        Self(self.0, names)
    }
}

impl Transport for Mcp {
    fn kind(&self) -> TransportKind {
        match self.0.way {
            Way::Program(_) => TransportKind::McpStdio,
            Way::Address { .. } => TransportKind::McpHttp,
        }
    }

    fn open(&self, _: Option<&Path>) -> Result<Box<dyn Session>, TransportError> {
        Ok(Box::new(self.clone()))
    }

    fn said(&self) -> Option<Said> {
        let Way::Program(program) = &self.0.way else { return None };
        let said = Said { command: program.command.join(" "), lines: program.errors.lines() };
        Some(said).filter(|said| !said.lines.is_empty())
    }

    fn noticed(&self) -> Noticed {
        match &self.0.way {
            Way::Address { caller, .. } => caller.noticed(),
            Way::Program(_) => Noticed::default(),
        }
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let mut link = self.0.link.lock().await;
            link.lost.get_or_insert_with(|| "the conversation with the server is over".to_owned());
            if let Some(connection) = link.connection.take() {
                connection.close().await;
            }
        })
    }
}

impl Session for Mcp {
    fn call<'s>(
        &'s self,
        operation: &'s Operation,
        with: &'s Map<String, Value>,
    ) -> BoxFuture<'s, Result<RawReply, TransportError>> {
        Box::pin(self.0.call(operation, with, &self.1))
    }
}

impl Server {
    async fn call(
        &self,
        operation: &Operation,
        with: &Map<String, Value>,
        names: &Names,
    ) -> Result<RawReply, TransportError> {
        let not_asked = |why: String| Ok(Sending::now().failed(Value::Null, Failure::NotAsked(why)));
        let Some(binding) = &operation.mcp else {
            return not_asked("the operation has no MCP binding".to_owned());
        };
        let mut again = false;
        loop {
            let connection = match self.connection().await? {
                Ok(connection) => connection,
                Err(lost) => return not_asked(lost),
            };
            let sending = Sending::now();
            let asked = match &binding.tool {
                Some(tool) => {
                    let called = match &connection.tools {
                        Some(tools) => called(tool, operation, binding, names, tools),
                        None => Ok(Cow::Borrowed(binding)),
                    };
                    match called {
                        Ok(binding) => self.call_tool(tool, &connection, &binding, with).await?,
                        Err(failure) => {
                            let (sent, received) = (Value::Null, Received::Nothing);
                            Asked { sent, received, came: Came::failed(failure) }
                        }
                    }
                }
                None => self.list(&connection).await?,
            };
            // A server may forget a session; its client begins another one and asks again.
            if asked.came.gone && connection.has_session() {
                let is_first = !std::mem::replace(&mut again, true);
                if is_first || connection.can_be_renewed() {
                    continue;
                }
            }
            let Asked { sent, received, came: Came { mut problems, failure, read, mut retried, .. } } = asked;
            if !matches!(failure, Some(Failure::NoSuchTool(_) | Failure::NotAsked(_))) {
                problems.append(&mut connection.problems());
            }
            retried.append(&mut connection.retried());
            return Ok(RawReply { problems, failure, read, retried, ..sending.reply(sent, received) });
        }
    }

    /// Calls a tool.
    async fn call_tool(
        &self,
        tool: &str,
        connection: &Connection,
        binding: &McpBinding,
        with: &Map<String, Value>,
    ) -> Result<Asked, TransportError> {
        let tool = binding.tool.as_deref().unwrap_or(tool);
        let arguments: Map<String, Value> =
            with.iter().map(|(name, value)| (binding.theirs(name).to_owned(), value.clone())).collect();
        let (sent, mut came) = connection.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await?;
        let received = Received::Tool { message: came.message.take(), output_schema: connection.output_schema(tool) };
        Ok(Asked { sent: self.sent(connection, sent), received, came })
    }

    /// Lists the tools anew, and sees whether the server answers a ping.
    async fn list(&self, connection: &Connection) -> Result<Asked, TransportError> {
        let Listed { sent, came, pages, .. } = connection.pages().await?;
        let beside = if came.gone { Map::new() } else { connection.beside().await? };
        let received = Received::Tools { initialize: Some(Arc::clone(&connection.initialize)), beside, pages };
        Ok(Asked { sent: self.sent(connection, sent), received, came })
    }

    /// What went out, so that it can be repeated; with an id of its own, as the order of calls does not belong to it.
    fn sent(&self, connection: &Connection, mut message: Value) -> Value {
        message["id"] = json!(1);
        match &self.way {
            Way::Address { address, headers, .. } => json!({
                "url": address.as_str(), "headers": headers, "session": connection.has_session(), "message": message,
            }),
            Way::Program(program) => {
                let sent = json!({ "command": program.command, "folder": program.folder, "message": message });
                in_environment(sent, &program.environment)
            }
        }
    }

    /// The connection that all calls share; why there is none any more.
    ///
    /// A server that went away is started once more. A session that ended after it was of use is begun anew each time.
    async fn connection(&self) -> Result<Result<Arc<Connection>, String>, TransportError> {
        let mut link = self.link.lock().await;
        if let Some(lost) = &link.lost {
            return Ok(Err(lost.clone()));
        }
        let (gone, is_renewed) = match &link.connection {
            Some(connection) => match connection.gone() {
                None => return Ok(Ok(Arc::clone(connection))),
                gone => (gone, connection.can_be_renewed()),
            },
            None => (None, false),
        };
        let lost = match (gone, link.again && !is_renewed) {
            (None, _) => {
                let connection = Arc::new(self.connect().await?);
                link.connection = Some(Arc::clone(&connection));
                return Ok(Ok(connection));
            }
            (Some(gone), true) => format!("the server went away twice: {gone}"),
            (Some(_), false) => match self.connect().await {
                Ok(connection) => {
                    let connection = Arc::new(connection);
                    let again = link.again || !is_renewed;
                    *link = Link { connection: Some(Arc::clone(&connection)), again, lost: None };
                    if let (Way::Address { caller, .. }, true) = (&self.way, is_renewed) {
                        caller.renewed();
                    }
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
            Way::Address { caller, address, .. } => {
                Wire::Web(Box::new(Web::new(caller.clone(), address.clone(), self.limits)))
            }
        };
        let command = || match &self.way {
            Way::Program(program) => program.command.join(" "),
            Way::Address { address, .. } => address.to_string(),
        };
        let connected = Connection::over(wire, self.limits).await?;
        connected.map_err(|reason| TransportError::DidNotStart { command: command(), reason })
    }
}

/// The binding with the names of the tool that is listed; why it cannot be called.
fn called<'b>(
    tool: &str,
    operation: &Operation,
    binding: &'b McpBinding,
    names: &Names,
    tools: &[Value],
) -> Result<Cow<'b, McpBinding>, Failure> {
    let Some((found, listed)) = binding.listed(names, tools) else {
        if binding.known_by.is_empty() {
            return Err(Failure::NoSuchTool(tool.to_owned()));
        }
        let arguments: Vec<String> = binding.known_by.iter().map(|names| names.join(" or ")).collect();
        return Err(Failure::NotAsked(match &names.tool {
            Some(tool) => format!("the server lists no tool `{tool}`, which the target file names"),
            None => format!(
                "the server lists no tool that takes {}: say in the target file which one it is, tool = \"…\"",
                arguments.join(", ")
            ),
        }));
    };
    match other_revision(tool, listed, operation, &found) {
        Some(why) => Err(Failure::NotAsked(why)),
        None => Ok(found),
    }
}

/// Why a tool speaks another revision of the contract: it lacks arguments that the contract has, and takes others.
pub(crate) fn other_revision(
    tool: &str,
    advertised: &Value,
    operation: &Operation,
    binding: &McpBinding,
) -> Option<String> {
    let takes = advertised["inputSchema"]["properties"].as_object()?;
    let known: Vec<&str> = operation.arguments.iter().map(|name| binding.theirs(name)).collect();
    let lacking: Vec<&str> = known.iter().filter(|name| !takes.contains_key(**name)).copied().collect();
    let others: Vec<&str> = takes.keys().map(String::as_str).filter(|name| !known.contains(name)).collect();
    (!lacking.is_empty() && !others.is_empty()).then(|| {
        format!(
            "the tool `{tool}` speaks another revision of the contract: it lacks {}, and takes {}",
            lacking.join(", "),
            others.join(", ")
        )
    })
}
