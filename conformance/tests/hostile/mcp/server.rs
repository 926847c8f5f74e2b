//! Servers at an address: a good one, of which a test replaces what it wants to be bad.

use super::talk::{Talk, found, initialize, tools};
use conformance::transport::Limits;
use serde_json::{Value, json};
use testing::{Answer, Request, Server, whole};

/// A good server but for what `answer` answers. Its address is that of its endpoint.
pub(crate) fn but(answer: impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static) -> Server {
    let mut server = Server::new(move |request| answer(request).unwrap_or_else(|| good(request)));
    server.address += "/mcp";
    server
}

/// A conversation with a good server but for what it answers.
pub(crate) fn talk(
    limits: Limits,
    answer: impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static,
) -> (Talk, Server) {
    let server = but(answer);
    (Talk::at(&server.address, limits), server)
}

/// A conversation with a good server but for what it answers to calls of a tool.
pub(crate) fn calls(limits: Limits, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> (Talk, Server) {
    talk(limits, move |request| (request.method() == "tools/call").then(|| answer(request)))
}

/// What a good server answers.
fn good(request: &Request) -> Answer {
    match request.method() {
        "initialize" => json(&request.response(&initialize())),
        "tools/list" => json(&request.response(&tools())),
        "tools/call" => json(&request.response(&found(json!([{ "n": 1 }])))),
        "ping" => json(&request.response(&serde_json::json!({}))),
        "GET" | "DELETE" => answer("405 Method Not Allowed", "", ""),
        _ => answer("202 Accepted", "", ""),
    }
}

/// The methods of the requests that a server has received, in order.
pub(crate) fn methods(server: &Server) -> Vec<String> {
    server.requests().iter().map(|request| request.method().to_owned()).collect()
}

/// An answer with this status line, these header lines, and this body; the connection stays open.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
    Answer::Bytes(whole(status, headers, body))
}

/// A message as JSON.
pub(crate) fn json(message: &Value) -> Answer {
    text(message.to_string())
}

/// A body that says it is JSON.
pub(crate) fn text(body: impl AsRef<[u8]>) -> Answer {
    answer("200 OK", "content-type: application/json\r\n", body)
}

/// The bytes of a stream of events, which lasts as long as the connection.
pub(crate) fn events(events: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{events}").into_bytes()
}
