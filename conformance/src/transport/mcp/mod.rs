//! MCP: a raw JSON-RPC client over standard streams or streamable HTTP.
//!
//! A typed client of an SDK drops what it does not know and forgives what is wrong. This one keeps every answer as it
//! came: `rpc` sorts messages, `stdio` and `web` carry them, `inbox` takes what answers a POST. `opening` begins a conversation, and
//! finds out in which era; `connection` is one that has begun, `server` the one that all cases share; `mirrored` says what goes into
//! headers.

mod connection;
pub(crate) mod events;
pub(crate) mod inbox;
pub(crate) mod mirrored;
pub(crate) mod opening;
mod outgoing;
pub(crate) mod rpc;
mod server;
mod stdio;
mod tools;
mod way;
mod web;

pub(crate) use tools::other_revision;

use super::tail::Heard;
use super::web::{HttpOptions, client};
use super::{InEra, Limits, Pace, Session, Transport, TransportError};
use crate::model::{Channel, Era, Names, Noticed, Operation, Problem, RawReply, Said, TransportKind};
use futures::future::BoxFuture;
use opening::{AS_LEGACY, Attempt, Found};
use serde_json::{Map, Value};
use server::Server;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdio::Program;
use way::Way;

/// A server of tools.
#[derive(Debug, Clone)]
pub struct Mcp(Arc<Server>, Names);

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
        Self(Arc::new(Server::new(way, limits, None)), Names::default())
    }

    /// The same at a pace that others share, where it is a server at an address.
    pub fn paced(self, pace: &Pace) -> Self {
        if let Way::Address { caller, .. } = self.0.way() {
            caller.keep_to(pace);
        }
        self
    }

    /// The same with the names of the target for what the document gives no name.
    pub fn naming(self, names: Names) -> Self {
        Self(self.0, names)
    }

    /// The same in this era alone.
    pub fn in_era(self, era: Era) -> Self {
        Self(Arc::new(Server::new(self.0.way().clone(), self.0.limits(), Some(era))), self.1)
    }

    /// The same server in the eras that it was found to speak, the newer one first; why it speaks none.
    fn found(&self, Found { modern, legacy }: Found) -> Result<Vec<InEra>, TransportError> {
        if !modern.has_begun() && !legacy.has_begun() {
            let found = Found { modern, legacy };
            let mut reason = found.why();
            if found.is_silent() && matches!(self.0.way(), Way::Address { .. }) {
                reason += &format!("; it may hang since it was asked for the modern era: {AS_LEGACY}");
            }
            return Err(TransportError::DidNotStart { command: self.0.way().to_string(), reason });
        }
        let tried = [modern, legacy];
        let alone = tried.iter().any(|attempt| matches!(attempt, Attempt::Not(_)));
        let begun = tried.into_iter().filter_map(|attempt| match attempt {
            Attempt::Begun(begun) => Some(Server::begun(begun.way, self.0.limits(), begun.connection)),
            _ => None,
        });
        Ok(begun.map(|server| InEra { alone, ..self.with(server) }).collect())
    }

    /// The same server, as it is now.
    fn with(&self, server: Server) -> InEra {
        let revision = server.revision();
        InEra { transport: Box::new(Self(Arc::new(server), self.1.clone())), revision, alone: false }
    }
}

impl Transport for Mcp {
    fn kind(&self) -> TransportKind {
        match self.0.way() {
            Way::Program(_) => TransportKind::McpStdio,
            Way::Address { .. } => TransportKind::McpHttp,
        }
    }

    fn channel(&self) -> Channel {
        Channel::new(self.kind(), self.0.era())
    }

    fn in_eras(&self) -> BoxFuture<'_, Result<Vec<InEra>, TransportError>> {
        Box::pin(async move { self.found(opening::open(self.0.way(), self.0.limits(), self.0.era()).await?) })
    }

    fn in_legacy(&self) -> BoxFuture<'_, Result<Vec<InEra>, TransportError>> {
        let era = self.0.era().or(Some(Era::Legacy));
        Box::pin(async move { self.found(opening::open(self.0.way(), self.0.limits(), era).await?) })
    }

    fn not_spoken(&self, why: &str) -> Option<InEra> {
        let era = self.0.era()?;
        let why = format!("the server does not speak MCP of the {era} era: {why}");
        Some(self.with(Server::lost(self.0.way().clone(), self.0.limits(), era, why)))
    }

    fn open(&self, _: Option<&Path>) -> Result<Box<dyn Session>, TransportError> {
        Ok(Box::new(self.clone()))
    }

    fn said(&self) -> Option<Said> {
        let Way::Program(program) = self.0.way() else { return None };
        let said = Said { command: program.command.join(" "), lines: program.errors.lines() };
        Some(said).filter(|said| !said.lines.is_empty())
    }

    fn noticed(&self) -> Noticed {
        match self.0.way() {
            Way::Address { caller, .. } => caller.noticed(),
            Way::Program(_) => Noticed::default(),
        }
    }

    fn keep(&self, problems: Vec<Problem>, retried: Vec<String>) -> BoxFuture<'_, ()> {
        Box::pin(self.0.keep(problems, retried))
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.0.close())
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
