//! What comes in answer to one POST: the response, and whatever else is said before it.

use super::events::Events;
use super::rpc::{self, Came, Message};
use crate::format::declared::Declared;
use crate::model::{Failure, Problem};
use crate::text::inert;
use serde_json::Value;

/// So many requests of a server are answered before its response.
const MOST_ASKED: usize = 200;
/// The media type of a stream of events.
const STREAM: &str = "text/event-stream";

/// Takes messages until the one that answers a request.
#[derive(Debug)]
pub(crate) struct Inbox {
    id: Value,
    declared: Declared,
    /// What answers it.
    pub(crate) came: Option<Came>,
    problems: Vec<Problem>,
    /// How much was taken.
    pub(crate) bytes: usize,
    /// What the server asks in turn, by id and method.
    pub(crate) asked: Vec<(Value, String)>,
    /// How often it asked.
    requests: usize,
}

impl Inbox {
    /// For the answer to the request with this id.
    pub(crate) fn new(id: Value, declared: Declared) -> Self {
        Self { id, declared, came: None, problems: Vec::new(), bytes: 0, asked: Vec::new(), requests: 0 }
    }

    /// Takes the events that a piece of a stream completes. An event of a type of its own is no message.
    pub(crate) fn take_all(&mut self, events: &mut Events, piece: &[u8]) {
        for event in events.read(piece) {
            if matches!(event.kind.as_str(), "" | "message") {
                self.take(&event.data);
            }
        }
    }

    fn take(&mut self, text: &[u8]) {
        let (messages, problems) = rpc::read(text);
        rpc::note(&mut self.problems, problems);
        for message in messages {
            match message {
                // There is one request to a POST, so a response without a proper id answers it too.
                Message::Response(response, message) if self.came.is_none() => {
                    self.problems.extend(rpc::envelope(&response, &self.id));
                    self.came = Some(Came { response, message: Some(message), ..Came::default() });
                }
                Message::Response(..) => {
                    self.problems.push(rpc::problem("id", "a second response came to one request".to_owned()));
                }
                Message::Notification(method) => rpc::note(&mut self.problems, self.declared.told(&method)),
                Message::Batch => rpc::note(&mut self.problems, self.declared.batched()),
                Message::Unread(why) => _ = self.came.get_or_insert_with(|| Came::failed(why)),
                Message::Noise(what) => {
                    rpc::note(&mut self.problems, [rpc::noise(&what)]);
                    if self.came.is_none() && rpc::id_in(text).is_some_and(|id| self.id.as_u64() == Some(id)) {
                        self.came = Some(Came::failed(Failure::Broken(what)));
                    }
                }
                Message::Request(id, method) => self.is_asked(id, method),
            }
        }
    }

    /// Takes a request of the server. One that asks without end is answered no more.
    fn is_asked(&mut self, id: Value, method: String) {
        self.requests += 1;
        rpc::note(&mut self.problems, self.declared.asked(&method));
        if self.requests <= MOST_ASKED {
            self.asked.push((id, method));
        } else if self.requests == MOST_ASKED + 1 {
            self.problems.push(rpc::problem("noise", asks_without_end()));
        }
    }

    /// What a stream came to; why it could not be read to the response.
    pub(crate) fn end(self, failure: Option<Failure>) -> Came {
        let came = self.came.unwrap_or_default();
        let read = came.message.is_none().then_some(self.bytes);
        // An answer may be larger than we read; questions in its place are none.
        let failure = match failure {
            Some(Failure::TooLarge(_)) if self.requests > MOST_ASKED => Some(Failure::Broken(asks_without_end())),
            failure => failure,
        };
        Came { problems: self.problems, read, failure: failure.or(came.failure), ..came }
    }
}

fn asks_without_end() -> String {
    format!("the server asks more than {MOST_ASKED} times before it answers one request")
}

/// What the head of an HTTP response says.
#[derive(Clone, Copy)]
pub(crate) struct Head<'h> {
    pub(crate) status: u16,
    /// Its media type, without parameters and in small letters.
    pub(crate) kind: &'h str,
    /// Whether it has `Retry-After`.
    pub(crate) asks_to_wait: bool,
    /// Where a redirect leads.
    pub(crate) location: Option<&'h str>,
}

impl Head<'_> {
    /// Whether the response is a stream of events: a server may answer a request by one, and refuse it by one too.
    pub(crate) fn is_stream(&self) -> bool {
        self.kind == STREAM && matches!(self.status, 200..=299 | 400..=499)
    }

    /// Whether a stream carries a refusal.
    pub(crate) fn is_refusal(&self) -> bool {
        self.status >= 300
    }
}

/// What is made of a body that should be one JSON-RPC response, or a whole stream of events with one, and what the server asks in it.
pub(crate) fn of_body((id, declared): (Value, Declared), head: &Head<'_>, body: &[u8]) -> (Came, Vec<(Value, String)>) {
    let mut inbox = Inbox::new(id, declared);
    match head.is_stream() {
        true => inbox.take_all(&mut Events::default(), body),
        false => inbox.take(body),
    }
    inbox.bytes = body.len();
    let asked = std::mem::take(&mut inbox.asked);
    (of_whole(inbox, head, &String::from_utf8_lossy(body)), asked)
}

/// What an answer comes to that was read as far as it has to be, by its status. `text` is shown where it is no message.
pub(crate) fn of_whole(mut inbox: Inbox, head: &Head<'_>, text: &str) -> Came {
    let Head { status, kind, asks_to_wait, location } = *head;
    let came = inbox.came.take().unwrap_or_default();
    let is_error = came.response.get("error").is_some();
    let hindered = || Some(Failure::Hindered(format!("{}{}", Failure::turned_away(status), start(text))));
    let failure = match status {
        503 if asks_to_wait => hindered(),
        500.. => Some(Failure::ServerError(status)),
        // We do not read so much: that is no fault of the answer.
        200..=299 if came.failure.as_ref().is_some_and(Failure::is_no_fault) => came.failure.clone(),
        200..=299 if came.response.is_null() => {
            Some(Failure::Broken(format!("the body is no response to the request{}", start(text))))
        }
        200..=299 => None,
        // These refuse the caller, the method or the moment, whatever else the body says.
        300..=399 => Some(Failure::Hindered(Failure::redirected(status, location))),
        405 | 406 => hindered(),
        status if Failure::is_turned_away(status) => hindered(),
        400..=499 if is_error => None,
        _ => Some(Failure::Broken(format!("the status {status}{}", start(text)))),
    };
    if status >= 300 {
        // A body that goes with such a status may be anything, and an error without an id.
        let without_id = came.response["id"].is_null();
        let counts = |problem: &Problem| failure.is_none() && !(without_id && problem.code == "id");
        inbox.problems.retain(counts);
    }
    if failure.is_none() && kind != "application/json" && !head.is_stream() {
        let message = format!("a response comes as application/json or {STREAM}, not as {kind:?}");
        inbox.problems.push(rpc::problem("content-type", message));
    }
    let read = came.message.is_none().then_some(inbox.bytes);
    Came { problems: inbox.problems, read, failure, ..came }
}

/// The start of a text, as the end of a message.
fn start(text: &str) -> String {
    let start = inert::short(text.trim(), 120);
    if start.is_empty() { String::new() } else { format!(": {start}") }
}
