//! What an MCP server said of itself, and what its answers come to.

use super::catalogue::{Catalogue, Known};
use super::heard::{Call, Overheard};
use crate::derive;
use crate::format::codes::INTERNAL_ERROR;
use crate::format::declared::{self, Declared};
use crate::model::{Body, Channel, Era, Failure, McpBinding, Problem, RawReply, Received, Request, Status};
use crate::redact::Secrets;
use crate::transport::mcp::other_revision;
use crate::transport::mcp::rpc::{self, Came};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

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

    /// The era that it is of.
    pub(super) fn era(&self) -> Era {
        declared::era(&self.message)
    }

    fn text(&self, pointer: &str) -> &str {
        self.message.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }
}

/// How a message went, so that it can be repeated.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) kind: Channel,
    /// What evidence keeps of it, but for the message.
    pub(super) sent: Value,
    pub(super) secrets: Secrets,
    /// The status of HTTP, where it refuses the caller, the message or the moment.
    pub(super) refusal: Option<u16>,
}

/// A conversation between a client and a server.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// What the server said of itself.
    initialize: Option<Arc<Value>>,
    /// What the client said in `initialize` that it can do.
    capabilities: Value,
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
    pages: Vec<Body>,
    tools: Vec<Value>,
    problems: Vec<Problem>,
    begun: DateTime<Utc>,
}

impl Conversation {
    /// What the client of a request has declared.
    pub(super) fn declared(&self, request: &Value) -> Declared {
        Declared::with(request, &self.capabilities)
    }

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
                    let mut stray = std::mem::take(&mut came.problems);
                    stray.extend(came.message.iter().flat_map(rpc::form));
                    let initialize = Some(Arc::new(came.response["result"].take()));
                    let capabilities = asked.message["params"]["capabilities"].clone();
                    *self = Self { initialize, capabilities, stray, ..Self::default() };
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
                begun: asked.at,
            },
            None => return vec![not_judged("a page of a list of tools that began before the tap")],
        };
        listing.problems.append(&mut came.problems);
        let message = came.take_page();
        listing.pages.extend(message);
        let is_list = came.tools().is_some();
        if let Some(page) = came.tools() {
            listing.tools.extend_from_slice(page);
            listing.next = came.response["result"]["nextCursor"].clone();
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
        self.tools = is_list.then_some(listing.tools);
        came.problems = listing.problems;
        came.problems.append(&mut self.stray);
        let received =
            Received::Tools { initialize: self.initialize.clone(), beside: Map::new(), pages: listing.pages };
        let error = came.response["error"].take();
        let raw = heard(came, received, way, &asked.message, (listing.begun, now));
        let known = catalogue.listings(self.tools.as_deref()).into_iter();
        known.map(|known| self.outcome(known, Map::new(), (&raw, &error), way, catalogue)).collect()
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
        let received = Received::Tool {
            message: came.message.take(),
            output_schema: Arc::new(advertised["outputSchema"].clone()),
            status: None,
        };
        let error = came.response["error"].take();
        let raw = heard(came, received, way, &asked.message, (asked.at, now));
        let outcome = |(known, binding, with): (Known<'_>, &McpBinding, _)| match other_revision(
            &tool,
            &advertised,
            known.operation,
            binding,
        ) {
            Some(why) => not_judged(&why),
            None => self.outcome(known, with, (&raw, &error), way, catalogue),
        };
        called.into_iter().map(outcome).collect()
    }

    /// A call, unless it may be the client's fault that nothing came of it.
    fn outcome(
        &self,
        known: Known<'_>,
        with: Map<String, Value>,
        (raw, error): (&RawReply, &Value),
        way: &Way,
        catalogue: &Catalogue,
    ) -> Overheard {
        let request = Request { operation: known.name.to_owned(), with, over: None, sent: Value::Null };
        let exchange = derive::answered(request, raw, known.operation, None);
        if exchange.status == Status::Failed {
            if let Some(status) = way.refusal {
                return Overheard::NotJudged(Failure::turned_away(status));
            }
            let code = error["code"].as_i64();
            if error.is_object() && code != Some(INTERNAL_ERROR) {
                return not_judged(&format!("the error {}, which speaks of no argument", error["code"]));
            }
            let denied =
                matches!(exchange.raw.failure, Some(Failure::Broken(_))) && !exchange.answer["result"].is_null();
            if self.tools.is_none() && denied {
                return not_judged("what it is cannot be told without the list of tools");
            }
        }
        let secrets = way.secrets.clone();
        let signs = catalogue.signs(known.contract, self.tools.as_deref());
        Overheard::Call(Box::new(Call { contract: known.contract, kind: way.kind, signs, exchange, secrets }))
    }
}

/// What came, as a transport of our own would have handed it over.
fn heard(
    came: Came,
    received: Received,
    way: &Way,
    message: &Value,
    times: (DateTime<Utc>, DateTime<Utc>),
) -> RawReply {
    let Came { problems, failure, read, .. } = came;
    RawReply { sent: sent(way, message), problems, failure, read, ..raw(times, received) }
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

/// What was received of something that was sent at the first of two times, and answered at the second.
pub(super) fn raw((sent_at, now): (DateTime<Utc>, DateTime<Utc>), received: Received) -> RawReply {
    RawReply {
        sent_at: sent_at.to_rfc3339_opts(SecondsFormat::Millis, true),
        // A clock that was set back counts as no time.
        elapsed: (now - sent_at).to_std().unwrap_or_default().as_secs_f64(),
        ..RawReply::of(received)
    }
}
