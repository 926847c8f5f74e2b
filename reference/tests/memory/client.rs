//! A client of the one route.

use crate::support::{FIXTURES, http};
use serde_json::Value;

/// The program, serving until it is dropped.
pub(crate) struct Client(http::Server);

impl Client {
    pub(crate) fn start() -> Self {
        Self::with(&["--corpus", FIXTURES])
    }

    pub(crate) fn with(arguments: &[&str]) -> Self {
        Self(http::Server::start(arguments))
    }

    /// A search that is answered.
    pub(crate) fn search(&self, body: &Value) -> Value {
        let (status, answer) = self.ask(&[], &body.to_string());
        assert_eq!(status, 200, "{body}: {answer}");
        answer
    }

    /// A search that may be refused.
    pub(crate) fn ask(&self, headers: &[&str], body: &str) -> (u16, Value) {
        self.0.post("/v0/search", headers, body)
    }
}
