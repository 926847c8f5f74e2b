//! The server that all cases share, in one era.

use super::connection::{Connection, Listed};
use super::mirrored;
use super::opening;
use super::outgoing::Outgoing;
use super::rpc::Came;
use super::tools::called;
use super::way::Way;
use crate::format::codes::MISSING_CAPABILITY;
use crate::model::{Era, Failure, McpBinding, Names, Operation, Otherwise, Problem, RawReply, Received};
use crate::transport::sending::{Sending, in_environment};
use crate::transport::{Limits, TransportError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The server that all cases share.
#[derive(Debug)]
pub(super) struct Server {
    way: Way,
    /// The era, once it is known.
    era: Option<Era>,
    /// The revision that was agreed on when the conversation began for the first time.
    revision: Option<String>,
    limits: Limits,
    link: Mutex<Link>,
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

/// So many times a call is made again that asks for nothing but that.
const MOST_ROUNDS: usize = 5;

/// The state that a result wants to see again, where it asks for nothing else (2026-07-28, basic/patterns/mrtr, Client Requirements).
fn state_alone(result: &Value) -> Option<&Value> {
    let is_asking = result["resultType"] == "input_required" && result["inputRequests"].is_null();
    result.get("requestState").filter(|state| is_asking && state.is_string())
}

/// What was asked of a server, and what came of it.
struct Asked {
    sent: Value,
    received: Received,
    came: Came,
}

impl Server {
    /// One that was not asked anything.
    pub(super) fn new(way: Way, limits: Limits, era: Option<Era>) -> Self {
        Self { way, era, revision: None, limits, link: Mutex::default() }
    }

    /// One with which a conversation has begun.
    pub(super) fn begun(way: Way, limits: Limits, connection: Connection) -> Self {
        let (era, revision) = (Some(connection.era), connection.revision().map(str::to_owned));
        let link = Link { connection: Some(Arc::new(connection)), ..Link::default() };
        Self { way, era, revision, limits, link: Mutex::new(link) }
    }

    /// One that is not asked, for this reason.
    pub(super) fn lost(way: Way, limits: Limits, era: Era, why: String) -> Self {
        let link = Link { lost: Some(why), ..Link::default() };
        Self { way, era: Some(era), revision: None, limits, link: Mutex::new(link) }
    }

    pub(super) fn way(&self) -> &Way {
        &self.way
    }

    pub(super) fn era(&self) -> Option<Era> {
        self.era
    }

    pub(super) fn revision(&self) -> Option<String> {
        self.revision.clone()
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Ends the conversation. Calls after that are not made.
    pub(super) async fn close(&self) {
        let mut link = self.link.lock().await;
        link.lost.get_or_insert_with(|| "the conversation with the server is over".to_owned());
        if let Some(connection) = link.connection.take() {
            connection.close().await;
        }
    }

    pub(super) async fn call(
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
                        Some(tools) => called(tool, operation, binding, with, names, tools),
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
            if !matches!(failure, Some(Failure::NoSuchTool(_) | Failure::NotAsked(_) | Failure::NotOffered(_))) {
                problems.append(&mut connection.problems());
            }
            retried.append(&mut connection.retried());
            return Ok(RawReply { problems, failure, read, retried, ..sending.reply(sent, received) });
        }
    }

    /// Leaves problems, and why requests were sent again, to the next call.
    pub(super) async fn keep(&self, problems: Vec<Problem>, retried: Vec<String>) {
        if let Some(connection) = &self.link.lock().await.connection {
            connection.keep(problems, retried);
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
        let otherwise = with.get(Otherwise::ARGUMENT).and_then(|otherwise| Otherwise::deserialize(otherwise).ok());
        let arguments: Map<String, Value> = with
            .iter()
            .filter(|(name, _)| !Otherwise::is_own(name))
            .map(|(name, value)| (binding.theirs(name).to_owned(), value.clone()))
            .collect();
        let params = json!({ "name": tool, "arguments": arguments });
        let mut request = connection.request("tools/call", params.clone());
        if let Some(otherwise) = &otherwise {
            request.change(otherwise, with.get(Otherwise::HEADER).and_then(Value::as_str));
        }
        let (sent, mut came) = connection.ask(request).await?;
        // What asks for nothing but to be asked again is asked again.
        for _ in 0..MOST_ROUNDS {
            let Some(state) = state_alone(&came.response["result"]).filter(|_| connection.era == Era::Modern) else {
                break;
            };
            let mut params = params.clone();
            params["requestState"] = state.clone();
            (_, came) = connection.ask(connection.request("tools/call", params)).await?;
        }
        // The status of an error that speaks of the protocol is a part of it.
        let is_of_protocol = came.response["error"]["code"] == MISSING_CAPABILITY;
        let status = came.status.filter(|_| otherwise.is_some() || is_of_protocol);
        let (message, output_schema) = (came.message.take(), connection.output_schema(tool));
        let received = Received::Tool { message, output_schema, status };
        Ok(Asked { sent: self.sent(connection, sent), received, came })
    }

    /// Lists the tools anew, and sees how the server keeps to the protocol beside that.
    async fn list(&self, connection: &Connection) -> Result<Asked, TransportError> {
        let Listed { sent, came, pages, tools } = connection.pages().await?;
        let beside = if came.gone { Map::new() } else { connection.beside(tools.as_deref()).await? };
        let initialize = (connection.era == Era::Legacy).then(|| Arc::clone(&connection.hello));
        let received = Received::Tools { initialize, beside, pages };
        Ok(Asked { sent: self.sent(connection, sent), received, came })
    }

    /// What went out, so that it can be repeated; with an id of its own, as the order of calls does not belong to it.
    fn sent(&self, connection: &Connection, sent: Outgoing) -> Value {
        let Outgoing { mut message, headers: own, .. } = sent;
        message["id"] = json!(1);
        match &self.way {
            Way::Address { address, headers, .. } => {
                let mut headers: Map<String, Value> =
                    headers.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
                let mirrored: Vec<&String> = own.keys().filter(|name| mirrored::is_of_argument(name)).collect();
                let mut sent =
                    json!({ "url": address.as_str(), "session": connection.has_session(), "era": connection.era });
                if !mirrored.is_empty() {
                    sent["mirrored"] = json!(mirrored);
                }
                if connection.era == Era::Modern
                    && mirrored::is_unfit(&message, connection.tools.as_deref().unwrap_or_default())
                {
                    sent["unfit"] = true.into();
                }
                headers.extend(own);
                (sent["headers"], sent["message"]) = (headers.into(), message);
                sent
            }
            Way::Program(program) => {
                let sent = json!({
                    "command": program.command, "folder": program.folder, "era": connection.era, "message": message,
                });
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

    /// Begins the conversation.
    async fn connect(&self) -> Result<Connection, TransportError> {
        let did_not_start = |reason| TransportError::DidNotStart { command: self.way.to_string(), reason };
        match self.era {
            Some(era) => opening::again(&self.way, era, self.limits).await?.map_err(did_not_start),
            None => {
                let found = opening::open(&self.way, self.limits, None).await?;
                found.best().map_err(did_not_start)
            }
        }
    }
}
