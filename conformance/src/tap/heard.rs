//! What came of something that passed.

use crate::model::{Exchange, TransportKind};
use std::collections::BTreeMap;

/// What came of something that passed.
#[derive(Debug)]
pub(super) enum Overheard {
    /// A call of a contract, with its answer.
    Call(Box<Call>),
    /// It could not be judged, for this reason.
    NotJudged(String),
}

/// A call of a contract that a client made, and what it was answered.
#[derive(Debug)]
pub(super) struct Call {
    /// The contract, by position.
    pub(super) contract: usize,
    pub(super) kind: TransportKind,
    /// The exchange, but for what a parser makes of a text.
    pub(super) exchange: Exchange,
    /// Values of headers and the like that nobody else may see.
    pub(super) secrets: Vec<String>,
}

/// Headers that belong to the connection, to every client, or to MCP: repeating a request needs none of them.
const OF_EVERYBODY: [&str; 22] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "connection",
    "content-length",
    "content-type",
    "host",
    "keep-alive",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "origin",
    "pragma",
    "priority",
    "proxy-connection",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// The headers of a request that it takes to repeat it, and the secrets among them.
pub(super) fn own_headers(headers: &[(String, Vec<u8>)]) -> (BTreeMap<String, String>, Vec<String>) {
    let (mut own, mut secrets) = (BTreeMap::new(), Vec::new());
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value).into_owned();
        if is_secret(name) {
            // What stands before the first blank is how to read the secret, as in `Bearer`.
            let secret = value.split_once(' ').filter(|_| name.contains("authorization")).map(|(_, secret)| secret);
            secrets.push(secret.unwrap_or(&value).to_owned());
        }
        let is_of_everybody = OF_EVERYBODY.contains(&name.as_str()) || name.starts_with("sec-");
        if !is_of_everybody {
            own.insert(name.clone(), value);
        }
    }
    (own, secrets)
}

/// Whether what goes by this name is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    let words =
        ["authorization", "cookie", "api-key", "api_key", "apikey", "token", "secret", "password", "session-id"];
    words.iter().any(|word| name.contains(word))
}
