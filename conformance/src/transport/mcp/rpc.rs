//! JSON-RPC messages as they came: sorted, and everything noted that is not as the standard says.

use crate::format::codes::METHOD_NOT_FOUND;
use crate::format::json::{read_mending_surrogates, unread};
use crate::model::{Body, Failure, Problem};
use crate::text::inert;
use serde_json::{Value, json};

/// What some programs write before text in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();
/// So many problems are noted before some of them are dropped.
const MOST_NOTED: usize = 1000;

/// What came back for one request.
#[derive(Debug, Default)]
pub(crate) struct Came {
    /// The response, for whoever leads the conversation.
    pub(crate) response: Value,
    /// The response as it arrived, for whoever judges it.
    pub(crate) message: Option<Body>,
    /// How many bytes arrived in place of a message.
    pub(crate) read: Option<usize>,
    /// What is wrong with its envelope, and with what arrived in between.
    pub(crate) problems: Vec<Problem>,
    /// Why there is no response.
    pub(crate) failure: Option<Failure>,
    /// Whether the connection is of no more use.
    pub(crate) gone: bool,
    /// Whether it is to be asked again, alone: no answer came in time while other requests were under way.
    pub(crate) again: bool,
    /// Why the request had to be sent again.
    pub(crate) retried: Vec<String>,
    /// The HTTP status that it came with.
    pub(crate) status: Option<u16>,
    /// Its `Retry-After`.
    pub(crate) retry_after: Option<String>,
}

impl Came {
    /// No response, for this reason.
    pub(crate) fn failed(failure: Failure) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }

    /// The tools of a page of the list of tools; nothing when it is none.
    pub(crate) fn tools(&self) -> Option<&[Value]> {
        self.response["result"]["tools"].as_array().filter(|_| self.failure.is_none()).map(Vec::as_slice)
    }

    /// The message of a page, or of what came in its place. A page of an answer that failed is not one of the list.
    pub(crate) fn take_page(&mut self) -> Option<Body> {
        let is_error = self.response.get("error").is_some();
        self.message.take().filter(|_| self.failure.is_none() || is_error)
    }

    /// No response, and there will be none.
    pub(crate) fn gone(why: Failure) -> Self {
        Self { gone: true, ..Self::failed(why) }
    }
}

/// One thing that a server says.
#[derive(Debug)]
pub(crate) enum Message {
    /// An answer to a request, and its text.
    Response(Value, Body),
    /// A question of its own, by id and method.
    Request(Value, String),
    /// Something that wants no answer, by its method.
    Notification(String),
    /// Nothing that JSON-RPC knows.
    Noise(String),
    /// The messages that follow came in one array.
    Batch,
    /// More than is read, for this reason.
    Unread(Failure),
}

/// Sorts the messages of a line, an event or a body; a batch holds several, a blank one none. What is wrong with the JSON of
/// a response that is by itself can be derived from its text, and is not noted here.
pub(crate) fn read(bytes: &[u8]) -> (Vec<Message>, Vec<Problem>) {
    match bytes.strip_prefix(MARK) {
        // A message in it is read all the same: RFC 8259, section 8.1, lets readers pass it over.
        Some(rest) => {
            let (messages, mut problems) = sorted(rest);
            problems.push(noise("a byte order mark comes before the text"));
            (messages, problems)
        }
        None => sorted(bytes),
    }
}

fn sorted(bytes: &[u8]) -> (Vec<Message>, Vec<Problem>) {
    let text = String::from_utf8_lossy(bytes);
    if text.trim().is_empty() {
        return (Vec::new(), Vec::new());
    }
    let (value, problems) = read_mending_surrogates(&text);
    if let Some(why) = unread(&problems) {
        return (vec![Message::Unread(why)], Vec::new());
    }
    if let Some(problem) = problems.iter().find(|problem| problem.code == "json") {
        let start = inert::short(text.trim_end(), 80);
        return (vec![Message::Noise(format!("{start:?} {}", problem.message))], Vec::new());
    }
    match value {
        // A batch, which revisions of the protocol up to 2025-03-26 know.
        Value::Array(batch) if !batch.is_empty() => {
            let text = |value: &Value| Body(value.to_string().into_bytes());
            let messages = batch.into_iter().map(|value| sort(value, text));
            (std::iter::once(Message::Batch).chain(messages).collect(), problems)
        }
        single => match sort(single, |_| Body(bytes.to_vec())) {
            response @ Message::Response(..) => (vec![response], Vec::new()),
            other => (vec![other], problems),
        },
    }
}

/// What is wrong with the JSON of a response.
pub(crate) fn form(message: &Body) -> Vec<Problem> {
    read_mending_surrogates(&message.text()).1
}

fn sort(value: Value, text: impl FnOnce(&Value) -> Body) -> Message {
    let has = |key: &str| value.get(key).is_some();
    let says_so = value["jsonrpc"] == "2.0";
    match value["method"].as_str() {
        Some(method) if has("id") => Message::Request(value["id"].clone(), method.to_owned()),
        Some(method) if says_so => Message::Notification(method.to_owned()),
        // A log in JSON may have a field `error` or `method` too.
        None if (has("result") || has("error")) && (says_so || has("id")) => {
            let text = text(&value);
            Message::Response(value, text)
        }
        _ => {
            let start = inert::short(&value.to_string(), 80);
            Message::Noise(format!("{start} is JSON, and no JSON-RPC message"))
        }
    }
}

/// Our answer to a question of the server: a `ping` is answered, and nothing else was offered.
pub(crate) fn answer(id: &Value, method: &str) -> Value {
    match method {
        "ping" => json!({ "jsonrpc": "2.0", "id": id, "result": {} }),
        _ => {
            let error =
                json!({ "code": METHOD_NOT_FOUND, "message": format!("{method} is not offered by this client") });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

/// The number that a response answers, also where it came back as text or as `5.0`.
pub(crate) fn id_of(response: &Value) -> Option<u64> {
    let id = &response["id"];
    let whole = |number: &f64| number.fract() == 0.0 && *number >= 0.0;
    id.as_f64().filter(whole).map(|number| number as u64).or_else(|| id.as_str()?.parse().ok())
}

/// The number that a text answers which seems to be a response, though it is not JSON.
pub(crate) fn id_in(text: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(text);
    let (_, rest) = text.split_once("\"id\"").filter(|_| text.contains("\"jsonrpc\""))?;
    let digits = rest.trim_start().strip_prefix(':')?.trim_start();
    digits.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

/// What is wrong with the envelope of the response to a request with this id.
pub(crate) fn envelope(response: &Value, id: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let is_same = match id.as_f64() {
        Some(number) => response["id"].as_f64() == Some(number),
        None => response["id"] == *id,
    };
    if !is_same {
        problems.push(problem("id", format!("the request has the id {id}, the response {}", response["id"])));
    }
    if response["jsonrpc"] != "2.0" {
        problems.push(problem("envelope", format!("`jsonrpc` is {}, not \"2.0\"", response["jsonrpc"])));
    }
    let error = response.get("error");
    if response.get("result").is_some() && error.is_some() {
        problems.push(problem("envelope", "both `result` and `error` are there".to_owned()));
    }
    if error.is_some_and(|error| !error["code"].is_i64() || !error["message"].is_string()) {
        problems.push(problem("envelope", "an error has a whole number as `code` and a text as `message`".to_owned()));
    }
    problems
}

/// Something wrong with the form of what came.
pub(crate) fn problem(code: &str, message: String) -> Problem {
    Problem::of(code, message)
}

/// Notes more problems. A server may go on for ever, so not all of them are kept.
pub(crate) fn note(problems: &mut Vec<Problem>, more: impl IntoIterator<Item = Problem>) {
    problems.extend(more);
    if problems.len() > MOST_NOTED {
        Problem::keep_some(problems);
    }
}

/// What a line says of how a program divides its messages, where that is not one message a line.
pub(super) fn other_framing(line: &[u8]) -> Option<&'static str> {
    let line = line.trim_ascii();
    let name = b"content-length:";
    if line.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name)) {
        return Some(
            "the server puts headers before its messages, as language servers do (`Content-Length`); \
             over standard streams MCP has one message on each line, and no headers",
        );
    }
    (line == b"{").then_some(
        "the server writes a message over several lines; over standard streams MCP has one message on each line",
    )
}

/// Something on the way of the messages that is none.
pub(crate) fn noise(what: &str) -> Problem {
    problem("noise", format!("{what}, and nothing else may be written where messages go"))
}
