//! What every connection of a client needs, and what the tap answers by itself.

use super::head::RequestHead;
use super::line::{Line, What};
use super::passing::Passing;
use super::upstream::Upstream;
use conformance::tap::Request;
use reqwest::StatusCode;
use std::time::{Duration, SystemTime};

/// How long a client is waited for that says nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// For a head, from the beginning of the connection or of the head on.
    pub(super) head: Duration,
    /// Between requests, between pieces of a body, and until it reads the next piece of an answer.
    pub(super) idle: Duration,
}

/// What every connection needs.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) upstream: Upstream,
    pub(super) line: Line,
    pub(super) on_loopback: bool,
    pub(super) patience: Patience,
}

impl Way {
    /// A request that begins to pass.
    pub(super) fn begun(&self, head: &RequestHead) -> Passing {
        let number = self.line.number();
        let (method, target, headers) = (head.method.clone(), head.target.clone(), head.fields.clone());
        let begun = What::Begun(number, Request { method, target, headers, at: SystemTime::now().into() });
        if !self.line.take(begun) {
            self.line.always(What::Uncopied);
        }
        Passing::new(self.line.clone(), number)
    }
}

/// An answer of the tap itself, which ends its connection.
pub(super) fn own(status: StatusCode, text: &str) -> Vec<u8> {
    let length = text.len() + 1;
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{text}\n"
    )
    .into_bytes()
}
