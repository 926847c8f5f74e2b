//! What an MCP server said of itself, and what its answers come to.

use super::catalogue::Catalogue;
use super::heard::{Call, Overheard};
use crate::model::{Failure, Problem, Status, TransportKind};
use crate::transport::Reply;
use crate::transport::mcp::rpc::{self, Came};
use crate::transport::mcp::{other_revision, reply};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// JSON-RPC: something went wrong in the server. Every other error may be the client's own.
const INTERNAL_ERROR: i64 = -32603;
/// So many lists of tools may be under way in one conversation.
const MOST_LISTINGS: usize = 8;

/// A request that waits for its answer.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) message: Value,
    pub(super) at: DateTime<Utc>,
    /// The client does not want the answer any more.
    pub(super) cancelled: bool,
}

impl Pending {
    pub(super) fn new(message: Value, at: DateTime<Utc>) -> Self {
        Self { message, at, cancelled: false }
    }

    fn text(&self, pointer: &str) -> &str {
        self.message.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }
}

/// How a message went, so that it can be repeated.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) kind: TransportKind,
    /// What evidence keeps of it, but for the message.
    pub(super) sent: Value,
    pub(super) secrets: Vec<String>,
    /// The status of HTTP, where it refuses the caller, the message or the moment.
    pub(super) refusal: Option<u16>,
}

/// A conversation between a client and a server.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// What the server said of itself.
    initialize: Option<Value>,
    /// The tools that it lists.
    tools: Option<Vec<Value>>,
    listings: Vec<Listing>,
    /// What was noticed and belongs to no answer; the next one takes it along.
    pub(super) stray: Vec<Problem>,
}

/// A list of tools of which pages are missing.
#[derive(Debug)]
struct Listing {
    /// The cursor of the next page.
    next: Value,
    cursors: BTreeSet<String>,
    pages: Vec<Value>,
    tools: Vec<Value>,
    problems: Vec<Problem>,
    bytes: usize,
    begun: DateTime<Utc>,
}

impl Conversation {
    /// What a server says of its own accord.
    pub(super) fn told(&mut self, method: &str) {
        if method == "notifications/tools/list_changed" {
            self.tools = None;
        }
    }

    /// What the answer to a request comes to.
    pub(super) fn answered(
        &mut self,
        asked: Pending,
        mut came: Came,
        way: &Way,
        now: DateTime<Utc>,
        catalogue: &Catalogue,
    ) -> Vec<Overheard> {
        if asked.cancelled {
            return vec![not_judged("the client did not want the answer any more")];
        }
        match asked.text("/method") {
            "initialize" => {
                if came.failure.is_none() && came.response["result"].is_object() {
                    let stray = std::mem::take(&mut came.problems);
                    *self = Self { initialize: Some(came.response["result"].clone()), stray, ..Self::default() };
                }
                Vec::new()
            }
            "tools/list" => self.listed(&asked, came, way, now, catalogue),
            "tools/call" => self.called(&asked, came, way, now, catalogue),
            _ => Vec::new(),
        }
    }

    /// A page of the list of tools.
    fn listed(
        &mut self,
        asked: &Pending,
        mut came: Came,
        way: &Way,
        now: DateTime<Utc>,
        catalogue: &Catalogue,
    ) -> Vec<Overheard> {
        let cursor = &asked.message["params"]["cursor"];
        let mut listing = match self.listings.iter().position(|listing| !cursor.is_null() && listing.next == *cursor) {
            Some(at) => self.listings.swap_remove(at),
            None if cursor.is_null() => Listing {
                next: Value::Null,
                cursors: BTreeSet::new(),
                pages: Vec::new(),
                tools: Vec::new(),
                problems: Vec::new(),
                bytes: 0,
                begun: asked.at,
            },
            None => return vec![not_judged("a page of a list of tools that began before the tap")],
        };
        listing.problems.append(&mut came.problems);
        listing.bytes += came.bytes;
        let result = came.response["result"].clone();
        let page = result["tools"].as_array().filter(|_| came.failure.is_none());
        let is_list = page.is_some();
        listing.tools.extend(page.into_iter().flatten().cloned());
        if is_list {
            listing.next = result["nextCursor"].clone();
            listing.pages.push(result);
            if !listing.next.is_null() && listing.cursors.insert(listing.next.to_string()) {
                self.listings.truncate(MOST_LISTINGS - 1);
                self.listings.insert(0, listing);
                return Vec::new();
            }
            if !listing.next.is_null() {
                let (pages, next) = (listing.pages.len(), &listing.next);
                let message = format!("the pages of tools/list do not end: {pages} came, the next is {next}");
                listing.problems.push(rpc::problem("cursor", message));
            }
        }
        came.problems = listing.problems;
        came.problems.append(&mut self.stray);
        came.bytes = listing.bytes;
        let tools = is_list.then_some(listing.tools);
        self.tools.clone_from(&tools);
        let mut outcomes = Vec::new();
        let error = came.response["error"].clone();
        for known in catalogue.listings(tools.as_deref()) {
            let came = Came { response: came.response.clone(), problems: came.problems.clone(), ..came_of(&came) };
            let list = reply::List {
                initialize: self.initialize.as_ref(),
                pages: listing.pages.clone(),
                tools: tools.clone(),
            };
            let reply = reply::of_list(sent(way, &asked.message), came, list);
            let call = Call {
                contract: known.contract,
                kind: way.kind,
                operation: known.name.to_owned(),
                with: Map::new(),
                reply: Reply { elapsed: elapsed(listing.begun, now), ..reply },
                sent_at: stamp(listing.begun),
                secrets: way.secrets.clone(),
            };
            outcomes.push(self.outcome(call, &error, way));
        }
        outcomes
    }

    /// The answer of a tool.
    fn called(
        &mut self,
        asked: &Pending,
        mut came: Came,
        way: &Way,
        now: DateTime<Utc>,
        catalogue: &Catalogue,
    ) -> Vec<Overheard> {
        let tool = asked.text("/params/name").to_owned();
        let none = Map::new();
        let arguments = match &asked.message["params"]["arguments"] {
            Value::Object(arguments) => arguments,
            _ => &none,
        };
        let called = catalogue.called(&tool, self.tools.as_deref(), arguments);
        if called.is_empty() {
            return Vec::new();
        }
        let listed = self.tools.as_ref().map(|tools| tools.iter().find(|listed| listed["name"] == *tool));
        let advertised = match listed {
            Some(None) => return vec![not_judged("the client calls a tool that the server does not list")],
            Some(Some(advertised)) => advertised.clone(),
            None => Value::Null,
        };
        came.problems.append(&mut self.stray);
        let error = came.response["error"].clone();
        let mut outcomes = Vec::new();
        for (known, binding, with) in called {
            if let Some(why) = other_revision(&tool, &advertised, known.operation, binding) {
                outcomes.push(not_judged(&why));
                continue;
            }
            let came = Came { response: came.response.clone(), problems: came.problems.clone(), ..came_of(&came) };
            let sent = sent(way, &asked.message);
            let reply = reply::of_call(sent, came, &advertised["outputSchema"], known.operation, binding);
            let call = Call {
                contract: known.contract,
                kind: way.kind,
                operation: known.name.to_owned(),
                with,
                reply: Reply { elapsed: elapsed(asked.at, now), ..reply },
                sent_at: stamp(asked.at),
                secrets: way.secrets.clone(),
            };
            outcomes.push(self.outcome(call, &error, way));
        }
        outcomes
    }

    /// A call, unless it may be the client's fault that nothing came of it.
    fn outcome(&self, call: Call, error: &Value, way: &Way) -> Overheard {
        let reply = &call.reply;
        if reply.status == Status::Failed {
            if let Some(status) = way.refusal {
                let why = format!("the status {status}, which refuses the caller, the message or the moment");
                return Overheard::NotJudged(why);
            }
            let code = error["code"].as_i64();
            if error.is_object() && code != Some(INTERNAL_ERROR) {
                return not_judged(&format!("the error {}, which speaks of no argument", error["code"]));
            }
            let denied = matches!(reply.raw.failure, Some(Failure::Broken(_))) && !reply.answer["result"].is_null();
            if self.tools.is_none() && denied {
                return not_judged("what it is cannot be told without the list of tools");
            }
        }
        Overheard::Call(Box::new(call))
    }
}

/// What came, but for what may be large.
fn came_of(came: &Came) -> Came {
    let Came { bytes, not_utf8_at, failure, gone, .. } = came;
    Came { bytes: *bytes, not_utf8_at: *not_utf8_at, failure: failure.clone(), gone: *gone, ..Came::default() }
}

/// What went out, with an id of its own, as the order of calls does not belong to it.
fn sent(way: &Way, message: &Value) -> Value {
    let (mut sent, mut message) = (way.sent.clone(), message.clone());
    message["id"] = json!(1);
    sent["message"] = message;
    sent
}

pub(super) fn not_judged(why: &str) -> Overheard {
    Overheard::NotJudged(why.to_owned())
}

/// When something was sent, as evidence has it.
pub(super) fn stamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// How long it took; a clock that was set back counts as no time.
pub(super) fn elapsed(from: DateTime<Utc>, to: DateTime<Utc>) -> std::time::Duration {
    (to - from).to_std().unwrap_or_default()
}
