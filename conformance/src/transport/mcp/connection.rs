//! A connection to a server that has said who it is and what tools it has.

use super::rpc::{self, Came};
use super::stdio::Stdio;
use super::web::Web;
use crate::model::{Body, Failure, Problem};
use crate::text::inert;
use crate::transport::{Limits, TransportError};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The revision of the protocol that is offered; a server may answer with an older one.
const REVISION: &str = "2025-11-25";
/// How long a server may take until it has answered `initialize`: some are fetched and built first.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many pages `tools/list` may have.
const MOST_PAGES: usize = 100;

/// The id of the first request. All ids of a conversation have as many digits, so that the size of an answer does not depend
/// on the order of calls.
const FIRST_ID: u64 = 1_000_001;

/// A server that has said who it is and what tools it has.
#[derive(Debug)]
pub(super) struct Connection {
    wire: Wire,
    /// The result of `initialize`, as it arrived.
    pub(super) initialize: Arc<Value>,
    /// What it answered to the notification that the conversation has begun, where an answer has a form of its own.
    notified: Option<Value>,
    /// The tools that it lists; nothing when it does not list any.
    pub(super) tools: Option<Vec<Value>>,
    /// The schemas that it advertises for structured content, by the tool.
    output_schemas: BTreeMap<String, Arc<Value>>,
    /// What was wrong on the way; the first call takes it along.
    problems: Mutex<Vec<Problem>>,
    /// Why something had to be asked again on the way; the first call takes it along too.
    retried: Mutex<Vec<String>>,
    /// Why it is of no more use.
    gone: Mutex<Option<Failure>>,
    /// Whether a tool has answered over it.
    was_of_use: AtomicBool,
    next_id: AtomicU64,
    limits: Limits,
}

#[derive(Debug)]
pub(super) enum Wire {
    Stdio(Stdio),
    Web(Box<Web>),
}

/// What `tools/list` brought.
pub(super) struct Listed {
    /// The last request.
    pub(super) sent: Value,
    pub(super) came: Came,
    /// The responses as they arrived.
    pub(super) pages: Vec<Body>,
    /// The tools of all pages; nothing when one page was none.
    pub(super) tools: Option<Vec<Value>>,
}

impl Connection {
    /// Asks a server who it is and what tools it has; otherwise why it does not say.
    pub(super) async fn over(wire: Wire, limits: Limits) -> Result<Result<Self, String>, TransportError> {
        let mut connection = Self {
            wire,
            initialize: Arc::default(),
            notified: None,
            tools: None,
            output_schemas: BTreeMap::new(),
            problems: Mutex::default(),
            retried: Mutex::default(),
            gone: Mutex::default(),
            was_of_use: AtomicBool::new(false),
            next_id: AtomicU64::new(FIRST_ID),
            limits,
        };
        let client = json!({ "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") });
        let params = json!({ "protocolVersion": REVISION, "capabilities": {}, "clientInfo": client });
        let (hello, id) = connection.request("initialize", params);
        let came = connection.wire.ask(id, &hello, limits.time.max(PATIENCE)).await?;
        connection.initialize = Arc::new(came.response["result"].clone());
        if came.failure.is_some() || !connection.initialize.is_object() {
            let start = || inert::short(&came.response.to_string(), 200);
            let why = came.failure.map_or_else(start, |failure| failure.to_string());
            let noise = came.problems.first().map_or_else(String::new, |problem| format!("; {}", problem.message));
            return Ok(Err(format!("`initialize` brings no result: {why}{noise}")));
        }
        if let (Wire::Web(web), Some(revision)) = (&connection.wire, connection.initialize["protocolVersion"].as_str())
        {
            web.agree(revision);
        }
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        connection.notified = connection.wire.tell(&initialized, limits.time).await;
        let listed = connection.pages().await?;
        let schema = |tool: &Value| Some((tool["name"].as_str()?.to_owned(), Arc::new(tool["outputSchema"].clone())));
        // The first of two tools of one name is the one that is called.
        connection.output_schemas = listed.tools.iter().flatten().rev().filter_map(schema).collect();
        connection.tools = listed.tools;
        connection.retried = Mutex::new(came.retried.into_iter().chain(listed.came.retried).collect());
        // Nobody derives an exchange from these messages, so what is wrong with their JSON goes to the first call too.
        let mut problems: Vec<Problem> = came.message.iter().chain(&listed.pages).flat_map(rpc::form).collect();
        problems.splice(0..0, came.problems.into_iter().chain(listed.came.problems));
        connection.problems = Mutex::new(problems);
        Ok(Ok(connection))
    }

    /// Every page of `tools/list`.
    pub(super) async fn pages(&self) -> Result<Listed, TransportError> {
        let (mut pages, mut tools) = (Vec::new(), Vec::new());
        let (mut problems, mut cursors, mut bytes) = (Vec::new(), BTreeSet::new(), 0);
        let mut retried = Vec::new();
        let mut params = json!({});
        loop {
            let (sent, mut came) = self.ask("tools/list", params).await?;
            problems.append(&mut came.problems);
            came.problems = std::mem::take(&mut problems);
            retried.append(&mut came.retried);
            came.retried.clone_from(&retried);
            bytes += came.message.as_ref().map_or(0, |message| message.0.len());
            if bytes > self.limits.bytes {
                came.failure.get_or_insert(Failure::TooLarge(self.limits.bytes));
                came.read = Some(bytes);
            }
            pages.extend(came.take_page());
            let Some(page) = came.tools() else {
                return Ok(Listed { sent, came, pages, tools: None });
            };
            tools.extend_from_slice(page);
            let next = came.response["result"]["nextCursor"].clone();
            if next.is_null() {
                return Ok(Listed { sent, came, pages, tools: Some(tools) });
            }
            if !cursors.insert(next.to_string()) || pages.len() == MOST_PAGES {
                let message = format!("the pages of tools/list do not end: {} came, the next is {next}", pages.len());
                came.problems.push(rpc::problem("cursor", message));
                return Ok(Listed { sent, came, pages, tools: Some(tools) });
            }
            problems = came.problems;
            params = json!({ "cursor": next });
        }
    }

    /// How the server keeps to the protocol beside tools: its answer to a ping, and to a notification.
    pub(super) async fn beside(&self) -> Result<Map<String, Value>, TransportError> {
        let (_, came) = self.ask("ping", json!({})).await?;
        let is_of_the_moment = matches!(came.failure, Some(Failure::Hindered(_))) || came.gone && self.has_session();
        let ping = match (came.failure, came.response) {
            (Some(failure), _) => json!({ "failure": failure.to_string() }),
            (None, Value::Object(mut response)) => {
                response.retain(|name, _| matches!(name.as_str(), "result" | "error"));
                response.into()
            }
            (None, _) => json!({}),
        };
        let told = [("ping", (!is_of_the_moment).then_some(ping)), ("notified", self.notified.clone())];
        Ok(told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
    }

    /// One request: the message that went out, and what came.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<(Value, Came), TransportError> {
        let (message, id) = self.request(method, params);
        let came = self.wire.ask(id, &message, self.limits.time).await?;
        self.was_of_use.fetch_or(method == "tools/call" && came.failure.is_none(), Ordering::Relaxed);
        if came.gone {
            self.gone.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&came.failure);
        }
        if matches!(came.failure, Some(Failure::TimedOut(_))) {
            // So that the server need not work in vain.
            let params = json!({ "requestId": id, "reason": "no answer in time" });
            self.wire.send_off(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
        }
        Ok((message, came))
    }

    fn request(&self, method: &str, params: Value) -> (Value, u64) {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        (json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }), id)
    }

    /// The schema that it advertises for the structured content of a tool.
    pub(super) fn output_schema(&self, tool: &str) -> Arc<Value> {
        self.output_schemas.get(tool).map(Arc::clone).unwrap_or_default()
    }

    /// What was noticed on the way and that nobody was told yet.
    pub(super) fn problems(&self) -> Vec<Problem> {
        std::mem::take(&mut self.problems.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Why something had to be asked again on the way and nobody was told yet.
    pub(super) fn retried(&self) -> Vec<String> {
        std::mem::take(&mut self.retried.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Why it is of no more use, when it is not.
    pub(super) fn gone(&self) -> Option<Failure> {
        self.gone.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether it is a session that served its time, so that another one is as good as it was.
    pub(super) fn can_be_renewed(&self) -> bool {
        self.has_session() && self.was_of_use.load(Ordering::Relaxed)
    }

    /// Whether the server opened a session, which it may forget.
    pub(super) fn has_session(&self) -> bool {
        matches!(&self.wire, Wire::Web(web) if web.session().is_some())
    }

    /// Ends it.
    pub(super) async fn close(&self) {
        match &self.wire {
            Wire::Stdio(stdio) => stdio.close().await,
            Wire::Web(web) => web.close().await,
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

    async fn tell(&self, message: &Value, time: Duration) -> Option<Value> {
        match self {
            Self::Stdio(stdio) => {
                stdio.tell(message);
                None
            }
            Self::Web(web) => web.tell(message, time).await,
        }
    }

    fn send_off(&self, message: &Value) {
        match self {
            Self::Stdio(stdio) => stdio.tell(message),
            Self::Web(web) => web.send_off(message),
        }
    }
}
