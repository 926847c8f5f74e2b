//! What was sent and what came back: the one document that judging sees.

use super::Channel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// One request and its answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    /// The call as it was resolved.
    pub request: Request,
    /// What became of it.
    pub status: Status,
    /// The answer of the transport: `{exit, signal, stderr}`, `{status, headers, body}`, or
    /// `{result, error, body, outputSchema}`.
    pub answer: Value,
    /// The items of the answer, where the operation has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Value>,
    /// A text answer, split at LF: joined with LF it is the text again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<String>>,
    /// What a parser made of `lines`.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub parsed: Value,
    /// The answer as it came: sizes, whether it was cut, whether it was UTF-8.
    pub raw: Raw,
    /// What was wrong with the form of the answer.
    pub problems: Vec<Problem>,
    /// When it was sent, RFC 3339.
    pub sent_at: String,
    /// How long it took, in seconds.
    pub elapsed: f64,
    /// Where secrets were taken out of what was judged: JSON Pointers into this exchange, with what is written in their places. It
    /// is empty while a case is judged.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub redacted: BTreeMap<String, Vec<String>>,
}

/// A call as it was resolved.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The operation.
    pub operation: String,
    /// The arguments, every pick resolved.
    pub with: Map<String, Value>,
    /// The transport, where the step went to another endpoint than its case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Channel>,
    /// What went out, in the terms of the transport: `{argv, folder, corpus}`, `{method, url, body}`, or
    /// `{url, message}` and `{command, message}` with a JSON-RPC message.
    pub sent: Value,
}

impl Exchange {
    /// As the JSON that is judged, without a copy of what may be large.
    pub(crate) fn into_value(mut self) -> Value {
        let (answer, sent) = (std::mem::take(&mut self.answer), std::mem::take(&mut self.request.sent));
        let (items, lines) = (self.items.as_mut().map(std::mem::take), self.lines.as_mut().map(std::mem::take));
        // Something stands in its place, so that keys keep their order.
        let stand_in = if self.parsed.is_null() { Value::Null } else { Value::Bool(true) };
        let parsed = std::mem::replace(&mut self.parsed, stand_in);
        let mut value = serde_json::to_value(self).unwrap_or_default();
        value["request"]["sent"] = sent;
        value["answer"] = answer;
        if let Some(items) = items {
            value["items"] = items;
        }
        if let Some(lines) = lines {
            value["lines"] = lines.into();
        }
        if !parsed.is_null() {
            value["parsed"] = parsed;
        }
        value
    }
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was answered.
    Accepted,
    /// The request was turned down for what it asked.
    Refused,
    /// No answer that could be judged: a crash, a time-out, a 5xx, a broken transport.
    Failed,
}

/// The size and state of the answer as it came.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Raw {
    /// Its size in bytes, as far as it was read.
    pub bytes: usize,
    /// Why nothing could be made of it, when the status is `failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The byte at which it stops being UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_utf8_at: Option<usize>,
    /// Why the request had to be sent again, each time: nobody took it, or the connection broke before any answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retried: Vec<String>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "detail")]
pub enum Failure {
    /// It did not end within this many seconds.
    TimedOut(u64),
    /// It ended by a signal, of this number.
    Signal(i32),
    /// It was larger than this many bytes, which is as much as we read.
    TooLarge(usize),
    /// It had more values or lines than this many, which is as much as we take: they need many times the room of their text.
    TooMany(usize),
    /// Its values nest deeper than this, which is as deep as we read.
    TooDeep(usize),
    /// The server answered with an error of its own, of this status.
    ServerError(u16),
    /// The connection or the program broke, in these words.
    Broken(String),
    /// The server lists no tool of this name, so that nothing could be asked of it.
    NoSuchTool(String),
    /// Nothing was asked, for this reason: nothing can be told of the answer.
    NotAsked(String),
    /// Nothing was asked, since the server has not what the document leaves to it, in these words: nothing is owed.
    NotOffered(String),
    /// The caller or the moment was turned down, or our client did not go on, in these words: it says nothing of the request.
    Hindered(String),
    /// The source of the target's data is not connected, in these words: it says nothing of the request.
    NotConnected(String),
    /// The answer is one of the protocol, in these words, such as that it asks for more than our client can give: it says nothing of
    /// the contract.
    OfProtocol(String),
}

impl Failure {
    /// Whether a status of HTTP turns down the caller or the moment, whatever the request is.
    pub(crate) fn is_turned_away(status: u16) -> bool {
        matches!(status, 401 | 403 | 407 | 408 | 429)
    }

    /// That a status turns down the caller, the method or the moment, in words.
    pub(crate) fn turned_away(status: u16) -> String {
        format!("the status {status}, which refuses the caller, the method or the moment")
    }

    /// That a redirect is not followed, in words.
    pub(crate) fn redirected(status: u16, location: Option<&str>) -> String {
        let to = location.map_or_else(|| "without a location".to_owned(), |location| format!("to {location}"));
        format!(
            "a redirect, {status} {to}, which is not followed: it leads to another origin, or makes another request of this one"
        )
    }

    /// Whether it is no fault of the target, so that nothing is judged by it.
    pub(crate) fn is_no_fault(&self) -> bool {
        use Failure::{
            Hindered, NoSuchTool, NotAsked, NotConnected, NotOffered, OfProtocol, TooDeep, TooLarge, TooMany,
        };
        matches!(
            self,
            NotAsked(_)
                | NotOffered(_)
                | NoSuchTool(_)
                | Hindered(_)
                | NotConnected(_)
                | TooLarge(_)
                | TooMany(_)
                | TooDeep(_)
                | OfProtocol(_)
        )
    }

    /// The failure that the words of a refusal name: what the target takes its data from is not connected.
    pub(crate) fn not_connected(words: &str) -> Option<Self> {
        const SAID: [&str; 5] =
            ["not connected", "disconnected", "no connection to", "connection refused", "econnrefused"];
        let small = words.to_lowercase();
        SAID.iter().any(|said| small.contains(said)).then(|| Self::NotConnected(words.trim().to_owned()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut(seconds) => write!(f, "no answer within {seconds} s"),
            Self::Signal(number) => write!(f, "ended by signal {number}"),
            Self::TooLarge(bytes) => write!(f, "the answer has more than {bytes} bytes, which is as much as is read"),
            Self::TooMany(parts) => {
                write!(f, "the answer has more than {parts} values or lines, which is as much as is taken")
            }
            Self::TooDeep(levels) => {
                write!(f, "the values of the answer nest deeper than {levels}, which is as deep as is read")
            }
            Self::ServerError(status) => write!(f, "server error {status}"),
            Self::Broken(what)
            | Self::NotAsked(what)
            | Self::NotOffered(what)
            | Self::Hindered(what)
            | Self::OfProtocol(what) => f.write_str(what),
            Self::NotConnected(words) => write!(f, "its source of data is not connected: {words}"),
            Self::NoSuchTool(tool) => write!(f, "the server has no tool `{tool}`"),
        }
    }
}

/// Something wrong with the form of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// Its kind, which checks select by.
    pub code: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, in Unicode scalar values from 1.
    pub column: usize,
    /// What was due and what came.
    pub message: String,
}

/// At most so many problems of one kind are kept.
const MOST_OF_A_KIND: usize = 100;

impl Problem {
    /// Something that is wrong with a message as a whole.
    pub(crate) fn of(code: &str, message: String) -> Self {
        Self { code: code.to_owned(), line: 1, column: 1, message }
    }

    /// The code of an answer that should be JSON and is none.
    pub const NO_JSON: &str = "json";
    /// The code of an answer that should be JSON and is called something else.
    pub const OTHER_KIND: &str = "content-type";
    /// The code of an accepted answer in which no item could be found.
    pub const NO_ITEMS: &str = "items";

    /// Keeps the first problems of each kind: more of them tell no more.
    pub(crate) fn keep_some(problems: &mut Vec<Self>) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        problems.retain(|problem| {
            let count = counts.entry(problem.code.clone()).or_default();
            *count += 1;
            *count <= MOST_OF_A_KIND
        });
    }
}
