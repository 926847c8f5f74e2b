//! What came of something that passed.

use crate::model::{Channel, Exchange};
use crate::redact::Secrets;
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
    pub(super) kind: Channel,
    /// By what the server shows the revision of the contract, as far as it does.
    pub(super) signs: Vec<String>,
    /// The exchange, but for what a parser makes of a text.
    pub(super) exchange: Exchange,
    /// What nobody else may see of how it was asked.
    pub(super) secrets: Secrets,
}

/// Headers that belong to the connection, to every client, or to a session: repeating a request needs none of them.
const OF_EVERYBODY: [&str; 21] = [
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

/// The headers of a request that it takes to repeat it, and the secrets among all of them.
pub(super) fn own_headers(headers: &[(String, Vec<u8>)]) -> (BTreeMap<String, String>, Secrets) {
    let (mut own, mut secrets) = (BTreeMap::new(), Secrets::default());
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value).into_owned();
        secrets.named(name, &value);
        let is_of_everybody = OF_EVERYBODY.contains(&name.as_str()) || name.starts_with("sec-");
        if !is_of_everybody {
            own.insert(name.clone(), value);
        }
    }
    (own, secrets)
}
