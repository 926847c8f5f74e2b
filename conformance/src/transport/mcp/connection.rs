//! A connection to a server that has said who it is and what tools it has.

use super::mirrored;
use super::outgoing::{Outgoing, meta};
use super::rpc::{self, Came};
use super::stdio::Stdio;
use super::web::{Asking, Web};
use crate::model::{Body, Era, Failure, Problem};
use crate::transport::web::asked_alone;
use crate::transport::{Limits, TransportError};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How many pages `tools/list` may have.
const MOST_PAGES: usize = 100;

/// The id of the first request. All ids of a conversation have as many digits, so that the size of an answer does not depend
/// on the order of calls.
const FIRST_ID: u64 = 1_000_001;

/// A server that has said who it is and what tools it has.
#[derive(Debug)]
pub(super) struct Connection {
    wire: Wire,
    /// The era of the conversation.
    pub(super) era: Era,
    /// The revision of the protocol that was agreed on.
    revision: Option<String>,
    /// What the server says of itself, as it arrived: the result of `initialize`, or the response to `server/discover`.
    pub(super) hello: Arc<Value>,
    /// What it answered to the notification that the conversation has begun, where an answer has a form of its own.
    notified: Option<Value>,
    /// The tools that it lists; nothing when it does not list any.
    pub(super) tools: Option<Vec<Value>>,
    /// Whether the list of its tools says its type, as only a modern one does.
    pub(super) lists_as_modern: bool,
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
    pub(super) sent: Outgoing,
    pub(super) came: Came,
    /// The responses as they arrived.
    pub(super) pages: Vec<Body>,
    /// The tools of all pages; nothing when one page was none.
    pub(super) tools: Option<Vec<Value>>,
}

/// How the list of tools compares with the one at the beginning, and with the one on another connection.
#[derive(Default)]
struct Again {
    /// The names in the order in which they came at first and come now, where they are the same.
    order: Option<Value>,
    /// The names at first and now, sorted, where nobody says that they may change.
    set: Option<Value>,
    /// The names here and on another connection, sorted.
    elsewhere: Option<Value>,
}

impl Connection {
    /// A conversation that has not begun.
    pub(super) fn new(wire: Wire, era: Era, limits: Limits) -> Self {
        Self {
            wire,
            era,
            revision: None,
            hello: Arc::default(),
            notified: None,
            tools: None,
            lists_as_modern: false,
            output_schemas: BTreeMap::new(),
            problems: Mutex::default(),
            retried: Mutex::default(),
            gone: Mutex::default(),
            was_of_use: AtomicBool::new(false),
            next_id: AtomicU64::new(FIRST_ID),
            limits,
        }
    }

    /// Asks who the server is, as `opening` knows to, and what tools it has.
    pub(super) async fn listing(
        mut self,
        revision: Option<String>,
        hello: Value,
        came: Came,
    ) -> Result<Self, TransportError> {
        (self.revision, self.hello) = (revision, Arc::new(hello));
        if self.era == Era::Legacy {
            if let Some(revision) = self.revision() {
                self.wire.agree(revision);
            }
            let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            self.notified = self.wire.tell(&self.outgoing(initialized), self.limits.time).await;
        }
        let listed = self.pages().await?;
        let schema = |tool: &Value| Some((tool["name"].as_str()?.to_owned(), Arc::new(tool["outputSchema"].clone())));
        // The first of two tools of one name is the one that is called.
        self.output_schemas = listed.tools.iter().flatten().rev().filter_map(schema).collect();
        self.tools = listed.tools;
        self.lists_as_modern = listed.came.response["result"].get("resultType").is_some();
        self.retried = Mutex::new(came.retried.into_iter().chain(listed.came.retried).collect());
        // Nobody derives an exchange from these messages, so what is wrong with their JSON goes to the first call too.
        let mut problems: Vec<Problem> = came.message.iter().chain(&listed.pages).flat_map(rpc::form).collect();
        problems.splice(0..0, came.problems.into_iter().chain(listed.came.problems));
        self.problems = Mutex::new(problems);
        Ok(self)
    }

    /// The revision of the protocol that is spoken.
    pub(super) fn revision(&self) -> Option<&str> {
        self.revision.as_deref()
    }

    /// Every page of `tools/list`.
    pub(super) async fn pages(&self) -> Result<Listed, TransportError> {
        let (mut pages, mut tools) = (Vec::new(), Vec::new());
        let (mut problems, mut cursors, mut bytes) = (Vec::new(), BTreeSet::new(), 0);
        let mut retried = Vec::new();
        let mut params = json!({});
        loop {
            let (sent, mut came) = self.ask(self.request("tools/list", params)).await?;
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

    /// How the server keeps to the protocol beside the tools that it lists now.
    pub(super) async fn beside(&self, now: Option<&[Value]>) -> Result<Map<String, Value>, TransportError> {
        let told = match self.era {
            Era::Legacy => vec![("ping", self.ping().await?), ("notified", self.notified.clone())],
            Era::Modern => {
                let Again { order, set, elsewhere } = self.listed_again(now).await?;
                let discover = Some((*self.hello).clone());
                vec![("discover", discover), ("order", order), ("set", set), ("elsewhere", elsewhere)]
            }
        };
        Ok(told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
    }

    /// The answer to a ping; nothing where the moment was refused.
    async fn ping(&self) -> Result<Option<Value>, TransportError> {
        let (_, came) = self.ask(self.request("ping", json!({}))).await?;
        let is_of_the_moment = matches!(came.failure, Some(Failure::Hindered(_))) || came.gone && self.has_session();
        let ping = match (came.failure, came.response) {
            (Some(failure), _) => json!({ "failure": failure.to_string() }),
            (None, Value::Object(mut response)) => {
                response.retain(|name, _| matches!(name.as_str(), "result" | "error"));
                response.into()
            }
            (None, _) => json!({}),
        };
        Ok((!is_of_the_moment).then_some(ping))
    }

    /// How the list of tools now compares with the first one, and with the one on another connection.
    async fn listed_again(&self, now: Option<&[Value]>) -> Result<Again, TransportError> {
        let (Some(first), Some(now)) = (&self.tools, now) else { return Ok(Again::default()) };
        let (first, now) = (names(first), names(now));
        let (before, here) = (sorted(&first), sorted(&now));
        let order = (before == here).then(|| json!({ "first": first, "again": now }));
        // Who says that the list may change, changes it in its own time.
        let may_change = self.hello["result"]["capabilities"]["tools"]["listChanged"] == true;
        let set = (!may_change).then(|| json!({ "first": before, "again": here }));
        let Some(there) = self.listed_elsewhere().await? else { return Ok(Again { order, set, elsewhere: None }) };
        // It may have changed meanwhile, which has nothing to do with the connection.
        let is_steady =
            there == json!(here) || self.pages().await?.tools.is_some_and(|tools| sorted(&names(&tools)) == here);
        let elsewhere = is_steady.then(|| json!({ "here": here, "there": there }));
        Ok(Again { order, set, elsewhere })
    }

    /// The names of the tools on another connection, or the error in their place. What refuses the moment says nothing of the connection.
    async fn listed_elsewhere(&self) -> Result<Option<Value>, TransportError> {
        let Some(wire) = self.wire.elsewhere() else { return Ok(None) };
        let other = Self { revision: self.revision.clone(), ..Self::new(wire, self.era, self.limits) };
        let Listed { came, tools, .. } = other.pages().await?;
        Ok(match tools {
            Some(tools) => Some(json!(sorted(&names(&tools)))),
            None => came.response.get("error").map(|error| json!([error])),
        })
    }

    /// Sends the first request, which may take longer than others.
    pub(super) async fn first(&self, request: &Outgoing, time: Duration) -> Result<Came, TransportError> {
        self.wire.ask(request, time, Asking::First).await
    }

    /// Sends a request: what went out, and what came.
    pub(super) async fn ask(&self, mut request: Outgoing) -> Result<(Outgoing, Came), TransportError> {
        let mut came = self.wire.ask(&request, self.limits.time, Asking::Beside).await?;
        if came.again {
            self.cancel(&request);
            // The server may have taken the first one, so this is another request.
            request.renumber(self.next_id.fetch_add(1, Ordering::Relaxed));
            let mut retried = came.retried;
            came = self.wire.ask(&request, self.limits.time, Asking::Alone).await?;
            retried.push(asked_alone(self.limits.time));
            came.retried.splice(0..0, retried);
        }
        let is_call = request.message["method"] == "tools/call";
        self.was_of_use.fetch_or(is_call && came.failure.is_none(), Ordering::Relaxed);
        if came.gone {
            self.gone.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&came.failure);
        }
        if matches!(came.failure, Some(Failure::TimedOut(_))) {
            self.cancel(&request);
        }
        Ok((request, came))
    }

    /// Tells the server that it need not work on a request any more. Modern servers over HTTP see it by the stream that was closed.
    fn cancel(&self, request: &Outgoing) {
        if self.era == Era::Legacy || matches!(self.wire, Wire::Stdio(_)) {
            let params = json!({ "requestId": request.id, "reason": "no answer in time" });
            let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
            self.wire.send_off(&self.outgoing(cancelled));
        }
    }

    /// A request of a method, with what its era has every request say.
    pub(super) fn request(&self, method: &str, mut params: Value) -> Outgoing {
        if self.era == Era::Modern {
            params["_meta"] = meta(self.revision.as_deref().unwrap_or(Era::Modern.revision()));
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.outgoing(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    }

    /// A message with its headers.
    fn outgoing(&self, message: Value) -> Outgoing {
        let revision = match self.era {
            Era::Legacy => self.revision.as_deref(),
            Era::Modern => Some(self.revision.as_deref().unwrap_or(Era::Modern.revision())),
        };
        let headers = match self.wire {
            Wire::Web(_) => mirrored::headers(self.era, revision, &message, self.tools.as_deref().unwrap_or_default()),
            Wire::Stdio(_) => Map::new(),
        };
        Outgoing { id: message["id"].as_u64().unwrap_or_default(), message, headers }
    }

    /// The schema that it advertises for the structured content of a tool.
    pub(super) fn output_schema(&self, tool: &str) -> Arc<Value> {
        self.output_schemas.get(tool).map(Arc::clone).unwrap_or_default()
    }

    /// Leaves problems, and why requests were sent again, to the next call, where nothing judges the one that had them.
    pub(super) fn keep(&self, mut problems: Vec<Problem>, mut retried: Vec<String>) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).append(&mut problems);
        self.retried.lock().unwrap_or_else(PoisonError::into_inner).append(&mut retried);
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
    /// Another connection to the same server, where that takes no other program.
    fn elsewhere(&self) -> Option<Self> {
        match self {
            Self::Stdio(_) => None,
            Self::Web(web) => Some(Self::Web(Box::new(web.elsewhere()))),
        }
    }

    /// Remembers which revision was agreed on.
    fn agree(&self, revision: &str) {
        match self {
            Self::Stdio(stdio) => stdio.agree(revision),
            Self::Web(web) => web.agree(revision),
        }
    }

    async fn ask(&self, request: &Outgoing, time: Duration, asking: Asking) -> Result<Came, TransportError> {
        match self {
            Self::Stdio(stdio) => Ok(stdio.ask(request.id, &request.message, time).await),
            Self::Web(web) => web.ask(request, time, asking).await,
        }
    }

    async fn tell(&self, message: &Outgoing, time: Duration) -> Option<Value> {
        match self {
            Self::Stdio(stdio) => {
                stdio.tell(&message.message);
                None
            }
            Self::Web(web) => web.tell(message, time).await,
        }
    }

    fn send_off(&self, message: &Outgoing) {
        match self {
            Self::Stdio(stdio) => stdio.tell(&message.message),
            Self::Web(web) => web.send_off(message),
        }
    }
}

/// The names of tools, in their order.
fn names(tools: &[Value]) -> Vec<String> {
    tools.iter().filter_map(|tool| tool["name"].as_str()).map(str::to_owned).collect()
}

fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names
}
