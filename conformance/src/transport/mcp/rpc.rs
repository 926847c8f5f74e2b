//! JSON-RPC messages as they came: sorted, and everything noted that is not as the standard says.

use crate::format::json::read_noticing_duplicates;
use crate::model::{Failure, Problem};
use serde_json::{Value, json};

/// What came back for one request.
#[derive(Debug, Default)]
pub(super) struct Came {
    /// The response, as it came.
    pub(super) response: Value,
    /// What is wrong with its form, and with what came in between.
    pub(super) problems: Vec<Problem>,
    /// Its size in bytes.
    pub(super) bytes: usize,
    /// The byte at which it stops being UTF-8.
    pub(super) not_utf8_at: Option<usize>,
    /// Why there is no response.
    pub(super) failure: Option<Failure>,
    /// Whether the connection is of no more use.
    pub(super) gone: bool,
}

impl Came {
    /// No response, for this reason.
    pub(super) fn failed(failure: Failure) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }

    /// No response, and there will be none.
    pub(super) fn gone(why: &str) -> Self {
        Self { gone: true, ..Self::failed(Failure::Broken(why.to_owned())) }
    }
}

/// One thing that a server says.
#[derive(Debug)]
pub(super) enum Message {
    /// An answer to a request.
    Response(Value),
    /// A question of its own, by id and method.
    Request(Value, String),
    /// Something that wants no answer.
    Notification,
    /// Nothing that JSON-RPC knows.
    Noise(String),
}

/// Sorts the messages of a line or an event; a batch holds several.
pub(super) fn read(text: &str) -> (Vec<Message>, Vec<Problem>) {
    let (value, problems) = read_noticing_duplicates(text);
    if problems.iter().any(|problem| problem.code == "json") {
        let start: String = text.chars().take(80).collect();
        return (vec![Message::Noise(format!("{start:?} is no JSON-RPC message"))], Vec::new());
    }
    let messages = match value {
        Value::Array(batch) => batch.into_iter().map(sort).collect(),
        single => vec![sort(single)],
    };
    (messages, problems)
}

fn sort(value: Value) -> Message {
    let has = |key: &str| value.get(key).is_some();
    match value["method"].as_str() {
        Some(method) if has("id") => Message::Request(value["id"].clone(), method.to_owned()),
        Some(_) => Message::Notification,
        None if has("result") || has("error") => Message::Response(value),
        None => {
            let start: String = value.to_string().chars().take(80).collect();
            Message::Noise(format!("{start} is JSON, and no JSON-RPC message"))
        }
    }
}

/// Our answer to a question of the server: a `ping` is answered, and nothing else was offered.
pub(super) fn answer(id: &Value, method: &str) -> Value {
    match method {
        "ping" => json!({ "jsonrpc": "2.0", "id": id, "result": {} }),
        _ => {
            let error = json!({ "code": -32601, "message": format!("{method} is not offered by this client") });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

/// The number that a response answers, also where it came back as text.
pub(super) fn id_of(response: &Value) -> Option<u64> {
    let id = &response["id"];
    id.as_u64().or_else(|| id.as_str()?.parse().ok())
}

/// What is wrong with the envelope of the response to a request.
pub(super) fn envelope(response: &Value, id: u64) -> Vec<Problem> {
    let mut problems = Vec::new();
    if response["id"] != json!(id) {
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
pub(super) fn problem(code: &str, message: String) -> Problem {
    Problem { code: code.to_owned(), line: 1, column: 1, message }
}

/// Something on the way of the messages that is none.
pub(super) fn noise(what: &str) -> Problem {
    problem("noise", format!("{what}, and nothing else may be written where messages go"))
}
