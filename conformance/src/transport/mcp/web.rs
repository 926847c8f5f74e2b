//! MCP over streamable HTTP: a POST for each message, answered as JSON or as a stream of events.

use super::rpc::{self, Came, Message};
use crate::model::{Failure, Problem};
use crate::transport::{Limits, TransportError, web};
use futures::{Stream, StreamExt, stream};
use reqwest::{Client, RequestBuilder, Response, Url};
use serde_json::Value;
use sse_stream::SseStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// How often a stream that ended early is taken up again.
const RESUMPTIONS: usize = 5;
/// How long a stream may stay open after the response, so that its connection can be used again.
const REST: Duration = Duration::from_millis(100);

/// A server at an address.
#[derive(Debug)]
pub(super) struct Web {
    pub(super) client: Client,
    pub(super) address: Url,
    pub(super) limits: Limits,
    /// The session that the server opened.
    session: Mutex<Option<String>>,
    /// The revision of the protocol that was agreed on.
    revision: Mutex<Option<String>>,
    /// Whether it ever answered: what fails before is a target that is not there.
    answered: AtomicBool,
}

impl Web {
    pub(super) fn new(client: Client, address: Url, limits: Limits) -> Self {
        let (session, revision) = (Mutex::default(), Mutex::default());
        Self { client, address, limits, session, revision, answered: AtomicBool::new(false) }
    }

    /// Remembers what was agreed on, to be said with every request.
    pub(super) fn agree(&self, revision: &str) {
        *self.revision.lock().unwrap_or_else(PoisonError::into_inner) = Some(revision.to_owned());
    }

    /// Whether the server opened a session.
    pub(super) fn session(&self) -> Option<String> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sends a request and waits for its response.
    pub(super) async fn ask(&self, id: u64, message: &Value, time: Duration) -> Result<Came, TransportError> {
        match timeout(time, self.exchange(id, message)).await {
            Ok(came) => came,
            Err(_) => Ok(Came::failed(Failure::TimedOut(time.as_secs()))),
        }
    }

    /// Sends what wants no answer.
    pub(super) async fn tell(&self, message: &Value, time: Duration) {
        let _ = timeout(time, self.post(message).send()).await;
    }

    /// Ends the session, as a client should that needs it no more.
    pub(super) async fn close(&self) {
        if self.session().is_some() {
            let _ = timeout(Duration::from_secs(2), self.marked(self.client.delete(self.address.clone())).send()).await;
        }
    }

    fn post(&self, message: &Value) -> RequestBuilder {
        self.marked(self.client.post(self.address.clone()))
            .header("content-type", "application/json")
            .body(message.to_string())
    }

    fn marked(&self, request: RequestBuilder) -> RequestBuilder {
        let mut request = request.header("accept", "application/json, text/event-stream");
        if let Some(session) = self.session() {
            request = request.header("mcp-session-id", session);
        }
        match &*self.revision.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(revision) => request.header("mcp-protocol-version", revision),
            None => request,
        }
    }

    async fn exchange(&self, id: u64, message: &Value) -> Result<Came, TransportError> {
        let had_session = self.session().is_some();
        let response = match self.post(message).send().await {
            Ok(response) => response,
            Err(error) if error.is_connect() && !self.answered.load(Ordering::Relaxed) => {
                let address = self.address.to_string();
                return Err(TransportError::NotReachable { address, reason: web::chain(&error) });
            }
            Err(error) => return Ok(Came::failed(Failure::Broken(web::chain(&error)))),
        };
        self.answered.store(true, Ordering::Relaxed);
        let status = response.status().as_u16();
        if status == 401 {
            return Err(TransportError::NotAuthorized { address: self.address.to_string() });
        }
        if status == 404 && had_session {
            return Ok(Came::gone("the server knows the session no more (404)"));
        }
        if let Some(session) = response.headers().get("mcp-session-id").and_then(|value| value.to_str().ok()) {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.to_owned());
        }
        let kind = response.headers().get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match kind.as_str() {
            "text/event-stream" if status < 300 => Ok(self.events(id, response).await),
            _ => Ok(self.body(id, status, &kind, response).await),
        }
    }

    /// A body that should be one JSON-RPC response.
    async fn body(&self, id: u64, status: u16, kind: &str, response: Response) -> Came {
        let (body, failure) = web::read(response, self.limits.bytes).await;
        let bytes = body.len();
        if let Some(failure) = failure {
            return Came { bytes, ..Came::failed(failure) };
        }
        let not_utf8_at = std::str::from_utf8(&body).err().map(|error| error.valid_up_to());
        let text = String::from_utf8_lossy(&body);
        let mut inbox = Inbox::new(id);
        inbox.take(&text, self);
        let mut came = inbox.came.unwrap_or_default();
        came.problems = inbox.problems;
        (came.bytes, came.not_utf8_at) = (bytes, not_utf8_at);
        let is_error = came.response.get("error").is_some();
        came.failure = match status {
            500.. => Some(Failure::ServerError(status)),
            200..=299 if came.response.is_null() => {
                Some(Failure::Broken(format!("the body is no response to the request{}", start(&text))))
            }
            200..=299 => None,
            400..=499 if is_error => None,
            _ => Some(Failure::Broken(format!("the status {status}{}", start(&text)))),
        };
        if came.failure.is_none() && kind != "application/json" {
            let message = format!("a response comes as application/json or text/event-stream, not as {kind:?}");
            came.problems.push(rpc::problem("content-type", message));
        }
        came
    }

    /// A stream of events, up to the response; taken up again when the server ends it before.
    async fn events(&self, id: u64, response: Response) -> Came {
        let mut inbox = Inbox::new(id);
        let mut events = Box::pin(SseStream::from_bytes_stream(within(response, self.limits.bytes)));
        let mut last = None;
        for _ in 0..=RESUMPTIONS {
            while inbox.came.is_none() {
                match events.next().await {
                    Some(Ok(event)) => {
                        last = event.id.or(last);
                        if let Some(data) = event.data.filter(|data| !data.is_empty()) {
                            inbox.bytes += data.len();
                            inbox.take(&data, self);
                        }
                    }
                    Some(Err(error)) => {
                        let why = match error {
                            sse_stream::Error::Body(cause) => cause.to_string(),
                            other => format!("the stream of events is broken: {other}"),
                        };
                        return Came { problems: inbox.problems, ..Came::failed(Failure::Broken(why)) };
                    }
                    None => break,
                }
            }
            if inbox.came.is_some() {
                // The rest of the stream is empty, and a connection that was read to its end is used again.
                let _ = timeout(REST, async { while events.next().await.is_some() {} }).await;
                break;
            }
            let Some(id) = &last else { break };
            let again = self.marked(self.client.get(self.address.clone())).header("last-event-id", id).send().await;
            match again {
                Ok(response) if response.status().is_success() => {
                    events = Box::pin(SseStream::from_bytes_stream(within(response, self.limits.bytes)));
                }
                _ => break,
            }
        }
        match inbox.came {
            Some(came) => Came { problems: inbox.problems, bytes: inbox.bytes, ..came },
            None => {
                let why = "the stream of events ended without the response".to_owned();
                Came { problems: inbox.problems, ..Came::failed(Failure::Broken(why)) }
            }
        }
    }
}

/// Takes messages until the one that answers a request.
struct Inbox {
    id: u64,
    came: Option<Came>,
    problems: Vec<Problem>,
    bytes: usize,
}

impl Inbox {
    fn new(id: u64) -> Self {
        Self { id, came: None, problems: Vec::new(), bytes: 0 }
    }

    fn take(&mut self, text: &str, web: &Web) {
        let (messages, problems) = rpc::read(text);
        self.problems.extend(problems);
        for message in messages {
            match message {
                // There is one request to a POST, so a response without a proper id answers it too.
                Message::Response(response) if self.came.is_none() => {
                    self.problems.extend(rpc::envelope(&response, self.id));
                    self.came = Some(Came { response, ..Came::default() });
                }
                Message::Response(_) => {
                    self.problems.push(rpc::problem("id", "a second response came to one request".to_owned()));
                }
                Message::Notification => {}
                Message::Noise(what) => self.problems.push(rpc::noise(&what)),
                Message::Request(id, method) => {
                    let answer = web.post(&rpc::answer(&id, &method));
                    tokio::spawn(async move { drop(answer.send().await) });
                }
            }
        }
    }
}

/// The bytes of a response; an error instead of more than the limit.
fn within(response: Response, limit: usize) -> impl Stream<Item = Result<bytes::Bytes, std::io::Error>> {
    stream::unfold((response, 0), move |(mut response, read)| async move {
        let chunk = match response.chunk().await {
            Ok(None) => return None,
            Ok(Some(chunk)) if read + chunk.len() > limit => {
                Err(std::io::Error::other(Failure::TooLarge(limit).to_string()))
            }
            Ok(Some(chunk)) => Ok(chunk),
            Err(error) => Err(std::io::Error::other(web::chain(&error))),
        };
        let read = read + chunk.as_ref().map_or(0, |chunk| chunk.len());
        Some((chunk, (response, read)))
    })
}

/// The start of a text, as the end of a message.
fn start(text: &str) -> String {
    let start: String = text.trim().chars().take(120).collect();
    if start.is_empty() { String::new() } else { format!(": {start}") }
}
