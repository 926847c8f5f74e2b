//! What passes over HTTP, put together from pieces: plain calls, and MCP over streamable HTTP.

use super::catalogue::Catalogue;
use super::conversation::{Conversation, Pending, Way, not_judged};
use super::heard::{Overheard, own_headers};
use super::packed;
use super::passing::{Ended, MOST_BYTES, Request};
use super::plain::{self, Addresses, Answer, Calls};
use crate::format::json::read_mending_surrogates;
use crate::model::{Channel, Era, Failure, TransportKind};
use crate::text::media_type;
use crate::transport::mcp::events::Events;
use crate::transport::mcp::inbox::{self, Head, Inbox};
use crate::transport::mcp::rpc::Came;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// So many sessions are remembered.
const MOST_SESSIONS: usize = 1000;

/// Everything that passes over HTTP.
#[derive(Debug)]
pub(super) struct Web {
    /// Where the server is, without a path.
    upstream: String,
    open: BTreeMap<u64, Open>,
    sessions: Sessions,
    addresses: Addresses,
}

/// Conversations by the ids of their sessions. Those without one share one of their era.
#[derive(Debug, Default)]
struct Sessions(BTreeMap<(Era, String), Conversation>);

impl Sessions {
    /// The conversation that a request belongs to: the session that it names, or that its answer opens.
    fn of(&mut self, open: &Open, asked: &Pending) -> &mut Conversation {
        let named = text(&open.request.headers, "mcp-session-id");
        let named = if named.is_empty() { open.header("mcp-session-id") } else { named };
        let key = (asked.era(), named.to_owned());
        if self.0.len() == MOST_SESSIONS && !self.0.contains_key(&key) {
            self.0.clear();
        }
        self.0.entry(key).or_default()
    }
}

/// A request that is under way.
#[derive(Debug)]
struct Open {
    request: Request,
    sent: Body,
    status: u16,
    headers: Vec<(String, Vec<u8>)>,
    came: Body,
    what: What,
}

/// A body, as far as it is kept.
#[derive(Debug, Default)]
struct Body {
    bytes: Vec<u8>,
    is_too_large: bool,
}

/// What a request is.
#[derive(Debug, Default)]
enum What {
    /// It is not known before its answer begins.
    #[default]
    Unknown,
    /// None of ours.
    Other,
    /// Calls of contracts.
    Plain(Calls),
    /// A message of MCP that wants an answer.
    Message(Pending),
    /// One whose answer comes as events.
    Stream(Box<Stream>),
    /// It is over, though its connection may not be.
    Done,
}

#[derive(Debug)]
struct Stream {
    asked: Pending,
    events: Events,
    inbox: Inbox,
    /// Whether it comes compressed: it is unpacked at its end.
    is_packed: bool,
}

impl Body {
    fn add(&mut self, piece: &[u8]) {
        self.is_too_large |= self.bytes.len() + piece.len() > MOST_BYTES;
        match self.is_too_large {
            true => self.bytes = Vec::new(),
            false => self.bytes.extend_from_slice(piece),
        }
    }
}

impl Open {
    fn header(&self, name: &str) -> &str {
        text(&self.headers, name)
    }

    /// Decides what it is, once all of its body has come.
    fn decide(&mut self, addresses: &Addresses, catalogue: &Catalogue) {
        if let Some(calls) = plain::calls(&self.request, &self.sent.bytes, addresses, catalogue) {
            self.what = What::Plain(calls);
            return;
        }
        self.what = What::Other;
        if self.request.method == "POST" && self.sent.bytes.trim_ascii_start().starts_with(b"{") {
            let (message, _) = read_mending_surrogates(&String::from_utf8_lossy(&self.sent.bytes));
            if message["jsonrpc"] == "2.0" && message["method"].is_string() && !message["id"].is_null() {
                self.what = What::Message(Pending::new(message, self.request.at));
            }
        }
    }
}

impl Stream {
    /// What a stream that ended without the response comes to; an error is why nobody can tell.
    fn end(mut self, open: &mut Open, failure: Option<Failure>) -> Result<(Pending, Came), String> {
        let mut broken = failure;
        if self.is_packed {
            if broken.is_some() {
                return Err("a compressed stream broke off".to_owned());
            }
            let body;
            (body, broken) = packed::unpacked(&open.headers, std::mem::take(&mut open.came.bytes), None)?;
            self.inbox.take_all(&mut self.events, &body);
        }
        let has_come = self.inbox.came.is_some();
        if !has_come && self.events.last_id.is_some() {
            // The answer may come over another stream that takes this one up.
            return Err("the answer comes over another stream".to_owned());
        }
        let ended = || Failure::Broken("the stream of events ended without the response".to_owned());
        let failure = (!has_come).then(|| broken.unwrap_or_else(ended));
        Ok((self.asked, self.inbox.end(failure)))
    }
}

impl Web {
    pub(super) fn new(upstream: String) -> Self {
        Self { upstream, open: BTreeMap::new(), sessions: Sessions::default(), addresses: Addresses::default() }
    }

    /// How many requests of ours are under way.
    pub(super) fn open(&self) -> usize {
        let is_ours = |open: &&Open| matches!(open.what, What::Plain(_) | What::Message(_) | What::Stream(_));
        self.open.values().filter(is_ours).count()
    }

    pub(super) fn begun(&mut self, number: u64, request: Request) {
        let (sent, came) = (Body::default(), Body::default());
        let open = Open { request, sent, status: 0, headers: Vec::new(), came, what: What::default() };
        self.open.insert(number, open);
    }

    pub(super) fn sent(&mut self, number: u64, piece: &[u8]) {
        if let Some(open) = self.open.get_mut(&number) {
            open.sent.add(piece);
        }
    }

    pub(super) fn answered(&mut self, number: u64, status: u16, headers: &[(String, Vec<u8>)], catalogue: &Catalogue) {
        let Some(open) = self.open.get_mut(&number) else { return };
        (open.status, open.headers) = (status, headers.to_vec());
        open.decide(&self.addresses, catalogue);
        if status < 300 && media_type(open.header("content-type")) == "text/event-stream" {
            open.what = match std::mem::take(&mut open.what) {
                What::Message(asked) => {
                    let declared = self.sessions.of(open, &asked).declared(&asked.message);
                    let (events, inbox) = (Events::default(), Inbox::new(asked.message["id"].clone(), declared));
                    let is_packed = packed::is_packed(&open.headers);
                    What::Stream(Box::new(Stream { asked, events, inbox, is_packed }))
                }
                other => other,
            };
        }
        if matches!(open.what, What::Other) {
            self.noticed(number);
        }
    }

    /// A message that wants no answer may say something all the same.
    fn noticed(&mut self, number: u64) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let (message, _) = read_mending_surrogates(&String::from_utf8_lossy(&open.sent.bytes));
        open.sent = Body::default();
        if message["method"] == "notifications/cancelled" {
            let id = message["params"]["requestId"].clone();
            for open in self.open.values_mut() {
                let asked = match &mut open.what {
                    What::Message(asked) => asked,
                    What::Stream(stream) => &mut stream.asked,
                    _ => continue,
                };
                asked.cancelled |= asked.message["id"] == id;
            }
        }
    }

    pub(super) fn came(
        &mut self,
        number: u64,
        piece: &[u8],
        now: DateTime<Utc>,
        catalogue: &Catalogue,
    ) -> Vec<Overheard> {
        let Some(open) = self.open.get_mut(&number) else { return Vec::new() };
        match &mut open.what {
            What::Plain(_) | What::Message(_) => open.came.add(piece),
            What::Stream(stream) => {
                if stream.is_packed {
                    open.came.add(piece);
                    return Vec::new();
                }
                stream.inbox.bytes += piece.len();
                if stream.inbox.bytes > MOST_BYTES {
                    open.what = What::Done;
                    return vec![too_large()];
                }
                stream.inbox.take_all(&mut stream.events, piece);
                if stream.inbox.came.is_some() {
                    let done = std::mem::replace(&mut open.what, What::Done);
                    if let What::Stream(stream) = done {
                        let Stream { asked, inbox, .. } = *stream;
                        let (way, session) = (way(open, &asked, &self.upstream), self.sessions.of(open, &asked));
                        return session.answered(asked, inbox.end(None), &way, now, catalogue);
                    }
                }
            }
            What::Unknown | What::Other | What::Done => {}
        }
        Vec::new()
    }

    pub(super) fn ended(
        &mut self,
        number: u64,
        how: Ended,
        now: DateTime<Utc>,
        catalogue: &Catalogue,
    ) -> Vec<Overheard> {
        let Some(open) = self.open.get_mut(&number) else { return Vec::new() };
        if matches!(open.what, What::Unknown) {
            if let Ended::Unheard(why) = &how {
                // What it was is not known, so it may have been ours.
                self.open.remove(&number);
                return vec![not_judged(why)];
            }
            open.decide(&self.addresses, catalogue);
        }
        let what = std::mem::replace(&mut open.what, What::Done);
        let too_much = open.sent.is_too_large || open.came.is_too_large;
        let failure = match how {
            Ended::Whole => None,
            Ended::Broken(why) | Ended::NotReachable(why) => Some(Failure::Broken(why)),
            Ended::ByClient => return self.given_up(number, &what, "the client went away before the answer"),
            Ended::Unheard(why) => return self.given_up(number, &what, &why),
        };
        if too_much {
            self.open.remove(&number);
            return if matches!(what, What::Other | What::Done) { Vec::new() } else { vec![too_large()] };
        }
        let outcomes = match what {
            What::Unknown | What::Other | What::Done => Vec::new(),
            What::Plain(calls) => {
                let (status, headers) = (open.status, std::mem::take(&mut open.headers));
                let answer = Answer { status, headers, body: std::mem::take(&mut open.came.bytes), failure };
                let asked = &open.request;
                plain::answered(calls, asked, answer, (&self.upstream, now), catalogue, &mut self.addresses)
            }
            What::Message(asked) => {
                let kind = media_type(open.header("content-type"));
                let id = asked.message["id"].clone();
                let came = match packed::unpacked(&open.headers, std::mem::take(&mut open.came.bytes), failure) {
                    Ok((body, None)) => {
                        let asks_to_wait = !open.header("retry-after").is_empty();
                        let location = Some(open.header("location")).filter(|location| !location.is_empty());
                        let head = Head { status: open.status, kind: &kind, asks_to_wait, location };
                        let declared = self.sessions.of(open, &asked).declared(&asked.message);
                        let came = inbox::of_body((id, declared), &head, &body).0;
                        Came { status: Some(open.status), ..came }
                    }
                    Ok((body, Some(failure))) => Came { read: Some(body.len()), ..Came::failed(failure) },
                    Err(why) => {
                        self.open.remove(&number);
                        return vec![Overheard::NotJudged(why)];
                    }
                };
                let (way, session) = (way(open, &asked, &self.upstream), self.sessions.of(open, &asked));
                session.answered(asked, came, &way, now, catalogue)
            }
            What::Stream(stream) => match stream.end(open, failure) {
                Ok((asked, came)) => {
                    let (way, session) = (way(open, &asked, &self.upstream), self.sessions.of(open, &asked));
                    session.answered(asked, came, &way, now, catalogue)
                }
                Err(why) => vec![Overheard::NotJudged(why)],
            },
        };
        self.open.remove(&number);
        outcomes
    }

    /// A request of which nothing can be told.
    fn given_up(&mut self, number: u64, what: &What, why: &str) -> Vec<Overheard> {
        self.open.remove(&number);
        match what {
            What::Unknown | What::Other | What::Done => Vec::new(),
            What::Plain(_) | What::Message(_) | What::Stream(_) => vec![not_judged(why)],
        }
    }
}

/// How a message went.
fn way(open: &Open, asked: &Pending, upstream: &str) -> Way {
    let (headers, mut secrets) = own_headers(&open.request.headers);
    let url = format!("{upstream}{}", open.request.target);
    secrets.address(&url);
    let has_session = !text(&open.request.headers, "mcp-session-id").is_empty();
    let is_refusal = (300..500).contains(&open.status);
    Way {
        kind: Channel::new(TransportKind::McpHttp, Some(asked.era())),
        sent: json!({
            "url": url, "headers": headers, "session": has_session, "era": asked.era(), "message": Value::Null,
        }),
        secrets,
        refusal: is_refusal.then_some(open.status),
    }
}

fn too_large() -> Overheard {
    Overheard::NotJudged(format!("more than {MOST_BYTES} bytes"))
}

/// The value of a header, where it is text.
fn text<'h>(headers: &'h [(String, Vec<u8>)], name: &str) -> &'h str {
    let value = headers.iter().find(|(known, _)| known == name).map_or(&b""[..], |(_, value)| value);
    std::str::from_utf8(value).unwrap_or_default()
}
