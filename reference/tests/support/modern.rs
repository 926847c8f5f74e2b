//! Requests of 2026-07-28, raw, over either transport.

use super::http::{Answer, Server};
use super::mcp::Client;
use serde_json::{Value, json};

pub(crate) const VERSION: &str = "2026-07-28";
pub(crate) const PATH: &str = "/mcp";
/// The id of every request over HTTP.
const ID: &str = "one";

/// What each request says of itself.
pub(crate) fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    })
}

/// Parameters that say of themselves what is needed.
pub(crate) fn params(mut params: Value) -> Value {
    params["_meta"] = meta(VERSION);
    params
}

/// A client over one of the transports.
pub(crate) enum Asking {
    Stdio(Client),
    Http(Server),
}

impl Asking {
    /// One client for each transport, each with a server of its own.
    pub(crate) fn both(arguments: &[&str]) -> [Self; 2] {
        [Self::Stdio(Client::silent(arguments)), Self::Http(Server::start(arguments))]
    }

    /// The answer to a request whose parameters are sent as they are, and its status over HTTP.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> (Option<u16>, Value) {
        match self {
            Self::Stdio(client) => (None, client.request(method, params)),
            Self::Http(server) => {
                let answer = post(server, &request(method, params), &headers(method, params));
                (Some(answer.status), only_message(&answer))
            }
        }
    }

    /// The result of a request that is accepted.
    pub(crate) fn result(&mut self, method: &str, given: Value) -> Value {
        let (status, mut answer) = self.ask(method, &params(given));
        assert!(status.is_none_or(|status| status == 200) && answer["error"].is_null(), "{status:?} {answer}");
        answer["result"].take()
    }

    /// The error that answers a request; over HTTP its status has to be this one.
    pub(crate) fn error(&mut self, method: &str, params: &Value, status: u16) -> Value {
        let (received, mut answer) = self.ask(method, params);
        assert!(received.is_none_or(|received| received == status), "{received:?} {answer}");
        assert!(answer["result"].is_null() && answer["error"]["message"].is_string(), "{answer}");
        answer["error"].take()
    }
}

/// A request as a body.
pub(crate) fn request(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": ID, "method": method, "params": params }).to_string()
}

/// The headers that repeat a request. One whose `_meta` says no version gets the one of the era.
pub(crate) fn headers(method: &str, params: &Value) -> Vec<String> {
    let said = params["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str().unwrap_or(VERSION);
    let mut headers = vec![format!("MCP-Protocol-Version: {said}"), format!("Mcp-Method: {method}")];
    if let (Some(name), "tools/call") = (params["name"].as_str(), method) {
        headers.push(format!("Mcp-Name: {name}"));
    }
    headers
}

/// Sends one message.
pub(crate) fn post(server: &Server, message: &str, headers: &[String]) -> Answer {
    let headers: Vec<&str> =
        headers.iter().map(String::as_str).chain(["Accept: application/json, text/event-stream"]).collect();
    server.request("POST", PATH, &headers, message)
}

/// The one message of an answer, in the id of its request: a server of this era sends no requests, and ours has nothing to notify of.
pub(crate) fn only_message(answer: &Answer) -> Value {
    let head = answer.head.to_ascii_lowercase();
    let messages: Vec<Value> = if head.contains("content-type: text/event-stream") {
        assert!(head.contains("x-accel-buffering: no"), "no proxy may hold events back: {head}");
        let events = answer.body.lines().filter_map(|line| line.strip_prefix("data:"));
        events.map(|event| serde_json::from_str(event).unwrap()).collect()
    } else {
        assert!(head.contains("content-type: application/json"), "{head}\n\n{}", answer.body);
        vec![serde_json::from_str(&answer.body).unwrap()]
    };
    let [message] = messages.as_slice() else { panic!("one message: {messages:?}") };
    assert_eq!((&message["jsonrpc"], &message["id"]), (&json!("2.0"), &json!(ID)), "{message}");
    message.clone()
}
