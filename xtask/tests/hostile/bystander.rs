//! Servers that a test makes by hand, and one that nobody should ask.

use std::sync::LazyLock;
use testing::{Answer, Request, Server, head, ok};

/// A server that is named in answers, and that nobody may ask.
static BYSTANDER: LazyLock<Server> = LazyLock::new(|| Server::new(|_| ok("{}")));

/// Its address, as in `http://127.0.0.1:3000`.
pub(crate) fn bystander() -> &'static str {
    &BYSTANDER.address
}

/// Fails if a server other than the target was asked.
pub(crate) fn assert_nobody_else_was_asked() {
    assert_eq!(BYSTANDER.connections(), 0, "another server was asked: {:?}", BYSTANDER.requests());
}

/// The head of a good answer with this header line, and the bytes after it.
pub(crate) fn begun(header: &str, then: impl AsRef<[u8]>) -> Vec<u8> {
    [&head(header)[..], then.as_ref()].concat()
}

/// The response to a message, with a result.
pub(crate) fn response(request: &Request, result: &serde_json::Value) -> Answer {
    ok(request.response(result).to_string())
}
