//! MCP over streamable HTTP: a POST for each message, answered as JSON or as a stream of events.

use super::events::Events;
use super::inbox::{self, Head, Inbox};
use super::outgoing::Outgoing;
use super::rpc::{self, Came};
use crate::format::declared::Declared;
use crate::model::{Era, Failure};
use crate::text::{inert, media_type};
use crate::transport::arriving::Arriving;
use crate::transport::broken::failure;
use crate::transport::caller::Caller;
use crate::transport::waits::{Waits, asked_to_wait};
use crate::transport::web::{self, token_refused};
use crate::transport::{Limits, TransportError};
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, StatusCode, Url};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// How often a stream that ended early is taken up again.
const RESUMPTIONS: usize = 20;
/// How long the end of a stream is waited for after the response: a connection that was read to its end is used again.
const REST: Duration = Duration::from_millis(10);
/// So many requests that want no answer are sent at once.
const MOST_AT_ONCE: usize = 4;
/// How long a server may take over what wants no answer at the end.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a request is that is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    /// The first one, which may take longer than others.
    First,
    /// One among others.
    Beside,
    /// One that came to nothing beside others.
    Alone,
}

/// A server at an address.
#[derive(Debug)]
pub(super) struct Web {
    pub(super) caller: Caller,
    pub(super) address: Url,
    pub(super) limits: Limits,
    era: Era,
    /// The session that the server opened, which only a legacy one can.
    session: Mutex<Option<String>>,
    /// The revision of the protocol that was agreed on with it, said with every request that is none of a message too.
    revision: Mutex<Option<String>>,
    /// So many requests that want no answer are on their way at once.
    turns: Arc<Semaphore>,
    /// Whether it ever answered: what fails before is a target that is not there.
    answered: AtomicBool,
    /// How often it answered a call of a tool with anything but that it wants a token: until it did, it cannot be tested.
    let_in: AtomicUsize,
}

impl Web {
    pub(super) fn new(caller: Caller, address: Url, era: Era, limits: Limits) -> Self {
        Self {
            caller,
            address,
            limits,
            era,
            session: Mutex::default(),
            revision: Mutex::default(),
            turns: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            answered: AtomicBool::new(false),
            let_in: AtomicUsize::new(0),
        }
    }

    /// Remembers what was agreed on.
    pub(super) fn agree(&self, revision: &str) {
        *self.revision.lock().unwrap_or_else(PoisonError::into_inner) = Some(revision.to_owned());
    }

    /// The same server on connections of its own.
    pub(super) fn elsewhere(&self) -> Self {
        Self::new(self.caller.elsewhere(), self.address.clone(), self.era, self.limits)
    }

    /// Whether the server opened a session.
    pub(super) fn session(&self) -> Option<String> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sends a request and waits for its response.
    pub(super) async fn ask(&self, request: &Outgoing, time: Duration, asking: Asking) -> Result<Came, TransportError> {
        let (mut retried, mut waits) = (Vec::new(), Waits::default());
        loop {
            let turn = self.caller.turn(asking == Asking::Alone).await;
            let answered = timeout(time, self.exchange(request, &mut retried)).await;
            let again = asking != Asking::First && self.caller.is_again(&turn, answered.is_ok(), time);
            let came = match answered {
                Ok(came) => came?,
                Err(_) => Came { again, ..Came::failed(Failure::TimedOut(time.as_secs())) },
            };
            let after = came.retry_after.as_deref();
            let pause = came.status.and_then(|status| Some((status, self.caller.pause(&mut waits, status, after)?)));
            let Some((status, pause)) = pause else {
                return Ok(Came { retried, ..came });
            };
            turn.was_slow();
            drop(turn);
            retried.push(asked_to_wait(status, pause));
            sleep(pause).await;
        }
    }

    /// Sends what wants no answer, and waits until it has arrived: the status, and how many bytes came with 202, where
    /// these came to an end. A redirect, which is not followed, tells nothing.
    pub(super) async fn tell(&self, message: &Outgoing, time: Duration) -> Option<Value> {
        self.caller.gap().await;
        let response =
            timeout(time, self.caller.once(&Method::POST, &self.address, self.posting(message))).await.ok()?.ok()?;
        if response.status().is_redirection() {
            return None;
        }
        let mut answer = json!({ "status": response.status().as_u16() });
        if response.status() == StatusCode::ACCEPTED
            && let Ok((body, None)) = timeout(FAREWELL, web::read(response, self.limits.bytes)).await
        {
            answer["bytes"] = body.len().into();
        }
        Some(answer)
    }

    /// Sends what wants no answer, and does not wait.
    pub(super) fn send_off(&self, message: &Outgoing) {
        self.send_all_off(std::slice::from_ref(message));
    }

    /// Sends messages that want no answer, one after the other, and does not wait. All that is sent so shares a few connections.
    fn send_all_off(&self, messages: &[Outgoing]) {
        let (caller, address) = (self.caller.clone(), self.address.clone());
        let (time, turns) = (self.limits.time, Arc::clone(&self.turns));
        let posts: Vec<_> = messages.iter().map(|message| self.posting(message)).collect();
        tokio::spawn(async move {
            for with in posts {
                let turn = turns.acquire().await;
                caller.gap().await;
                drop(timeout(time, caller.once(&Method::POST, &address, with)).await);
                drop(turn);
            }
        });
    }

    /// Ends the session, as a client should that needs it no more.
    pub(super) async fn close(&self) {
        if self.session().is_some() {
            let with = |request: RequestBuilder| request.headers(self.marks());
            let _ = timeout(FAREWELL, self.caller.once(&Method::DELETE, &self.address, with)).await;
        }
    }

    /// What makes a request one that posts a message.
    fn posting(&self, message: &Outgoing) -> impl Fn(RequestBuilder) -> RequestBuilder + use<> {
        let (mut marks, body) = (self.marks(), message.message.to_string());
        for (name, value) in &message.headers {
            // What cannot stand in a header is encoded before, but for a revision that a server made up.
            let value = value.as_str().and_then(|value| HeaderValue::from_str(value).ok());
            if let (Ok(name), Some(value)) = (HeaderName::try_from(name.as_str()), value) {
                marks.insert(name, value);
            }
        }
        move |request| {
            request.headers(marks.clone()).header(header::CONTENT_TYPE, "application/json").body(body.clone())
        }
    }

    /// The headers of every request.
    fn marks(&self) -> HeaderMap {
        let mut marks = HeaderMap::new();
        marks.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let revision = self.revision.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (name, value) in [("mcp-session-id", self.session()), ("mcp-protocol-version", revision)] {
            // The session came in a header; a revision that cannot stand in one is not said.
            if let Some(value) = value.and_then(|value| HeaderValue::from_str(&value).ok()) {
                marks.insert(HeaderName::from_static(name), value);
            }
        }
        marks
    }

    async fn exchange(&self, request: &Outgoing, retried: &mut Vec<String>) -> Result<Came, TransportError> {
        let Outgoing { id, message, .. } = request;
        let (id, had_session) = (*id, self.session().is_some());
        let with = self.posting(request);
        let response = match self.caller.send(&Method::POST, &self.address, with, self.limits, retried).await {
            Ok(response) => response,
            Err(error) => match failure(&error) {
                Failure::Broken(reason) if error.is_connect() && !self.answered.load(Ordering::Relaxed) => {
                    return Err(TransportError::NotReachable { address: self.address.to_string(), reason });
                }
                failure => return Ok(Came::failed(failure)),
            },
        };
        self.answered.store(true, Ordering::Relaxed);
        let status = response.status().as_u16();
        if status == 401 {
            let refused = token_refused(self.let_in.load(Ordering::Relaxed));
            let refused = refused.ok_or_else(|| TransportError::NotAuthorized { address: self.address.to_string() })?;
            return Ok(Came::failed(refused));
        }
        // Some servers let everybody see what they have, and ask who calls.
        self.let_in.fetch_add(usize::from(message["method"] == "tools/call"), Ordering::Relaxed);
        if status == 404 && had_session {
            return Ok(Came::gone(Failure::Broken("the server knows the session no more (404)".to_owned())));
        }
        let session = response
            .headers()
            .get("mcp-session-id")
            .filter(|_| self.era == Era::Legacy && message["method"] == "initialize");
        if let Some(session) = session.and_then(|value| value.to_str().ok()) {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.to_owned());
        }
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let retry_after = header("retry-after").map(str::to_owned);
        let location = header("location").map(str::to_owned);
        let kind = media_type(header("content-type").unwrap_or_default());
        let location = location.as_deref();
        let head = Head { status, kind: &kind, asks_to_wait: retry_after.is_some(), location };
        let came = match (head.is_stream(), head.is_refusal()) {
            (true, false) => return Ok(Came { status: Some(status), ..self.events(id, &head, response).await }),
            (true, true) => self.events(id, &head, response).await,
            (false, _) => self.body(id, &head, response).await,
        };
        let came = Came { retry_after, status: Some(status), ..came };
        // Many servers answer so instead of by 404.
        match about_the_session(id, &came).filter(|_| status == 400 && had_session) {
            Some(why) => Ok(Came::gone(Failure::Broken(format!("the server knows the session no more: {why}")))),
            None if message["method"] == "initialize" && matches!(status, 400 | 404 | 405) => {
                Ok(self.with_hint(came).await)
            }
            None => Ok(came),
        }
    }

    /// What a server that speaks the transport before this one refuses, with that as the reason.
    async fn with_hint(&self, came: Came) -> Came {
        let is_older = timeout(FAREWELL, self.begins_older_transport()).await.unwrap_or(false);
        let Some(failure) = came.failure.as_ref().filter(|_| is_older) else { return came };
        let why = format!(
            "{failure}; at this address the server speaks HTTP+SSE, the transport of MCP 2024-11-05: \
             give the address of its streamable HTTP endpoint, which often is /mcp"
        );
        Came { failure: Some(Failure::Hindered(why)), ..came }
    }

    /// Whether a GET begins a stream whose first event names the address for messages.
    async fn begins_older_transport(&self) -> bool {
        const ENOUGH: usize = 1024;
        let with = |request: RequestBuilder| request.header(header::ACCEPT, "text/event-stream");
        let Ok(mut response) = self.caller.once(&Method::GET, &self.address, with).await else { return false };
        let mut begin = Vec::new();
        while begin.len() < ENOUGH && response.status().is_success() {
            let Ok(Some(piece)) = response.piece().await else { break };
            begin.extend_from_slice(&piece);
            if String::from_utf8_lossy(&begin).lines().any(|line| line.replace(' ', "") == "event:endpoint") {
                return true;
            }
        }
        false
    }

    /// A body that should be one JSON-RPC response.
    async fn body(&self, id: u64, head: &Head<'_>, response: Arriving) -> Came {
        let (body, failure) = web::read(response, self.limits.bytes).await;
        if let Some(failure) = failure {
            return Came { read: Some(body.len()), ..Came::failed(failure) };
        }
        let (came, asked) = inbox::of_body((id.into(), self.declared()), head, &body);
        self.answer(asked);
        came
    }

    /// What our client has declared, in the revision that is spoken.
    fn declared(&self) -> Declared {
        let revision = self.revision.lock().unwrap_or_else(PoisonError::into_inner);
        Declared::nothing(self.era).agreed(revision.as_deref())
    }

    /// Answers what the server asks meanwhile. A modern client sends no responses.
    fn answer(&self, asked: Vec<(Value, String)>) {
        if !asked.is_empty() && self.era == Era::Legacy {
            let answer = |(id, method): &(Value, String)| Outgoing::plain(rpc::answer(id, method));
            let answers: Vec<Outgoing> = asked.iter().map(answer).collect();
            self.send_all_off(&answers);
        }
    }

    /// A stream of events, up to the response; taken up again when it ends before, unless it is a refusal.
    async fn events(&self, id: u64, head: &Head<'_>, mut response: Arriving) -> Came {
        let (mut inbox, mut events) = (Inbox::new(id.into(), self.declared()), Events::default());
        let mut resumptions = 0;
        let failure = loop {
            let ended = match response.piece().await {
                Ok(Some(piece)) => {
                    inbox.bytes += piece.len();
                    if inbox.bytes > self.limits.bytes {
                        break Some(Failure::TooLarge(self.limits.bytes));
                    }
                    inbox.take_all(&mut events, &piece);
                    self.answer(std::mem::take(&mut inbox.asked));
                    None
                }
                Ok(None) => Some(Failure::Broken("the stream of events ended without the response".to_owned())),
                Err(failure) => Some(failure),
            };
            if inbox.came.is_some() {
                break None;
            }
            let Some(why) = ended else { continue };
            if head.is_refusal() {
                break None;
            }
            resumptions += 1;
            match self.again(&mut events).await.filter(|_| resumptions <= RESUMPTIONS) {
                Some(taken_up) => response = taken_up,
                None => break Some(why),
            }
        };
        if failure.is_none() {
            let rest = async {
                while let Ok(Some(piece)) = response.piece().await {
                    inbox.take_all(&mut events, &piece);
                }
            };
            let _ = timeout(REST, rest).await;
            self.answer(std::mem::take(&mut inbox.asked));
        }
        match failure {
            None if head.is_refusal() => {
                let text = inbox.came.as_ref().map_or_else(String::new, |came| came.response.to_string());
                inbox::of_whole(inbox, head, &text)
            }
            failure => inbox.end(failure),
        }
    }

    /// Takes a stream up again after its last event, when the server would have it so.
    async fn again(&self, events: &mut Events) -> Option<Arriving> {
        // Modern streams are not resumable.
        let last = events.last_id.clone().filter(|_| self.era == Era::Legacy)?;
        sleep(Duration::from_millis(events.retry.unwrap_or(0))).await;
        events.resume();
        let with = |request: RequestBuilder| request.headers(self.marks()).header("last-event-id", &last);
        let response = self.caller.once(&Method::GET, &self.address, with).await;
        response.ok().filter(|response| response.status().is_success())
    }
}

/// What an error says of the session. One with the id of the request answers what was asked.
fn about_the_session(id: u64, came: &Came) -> Option<String> {
    let said = match (&came.failure, &came.response["error"]["message"]) {
        (Some(Failure::Broken(said)), _) => said.clone(),
        (None, Value::String(said)) if rpc::id_of(&came.response) != Some(id) => inert::short(said, 120),
        _ => return None,
    };
    Some(said).filter(|said| said.to_ascii_lowercase().contains("session"))
}
