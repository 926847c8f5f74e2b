//! A raw reply → the exchange that is judged. Pure, so that a reply that was stored, or edited, can be derived again.
//!
//! `cli`, `http` and `mcp` say what became of the call and what the answer is; `found` finds its items; `text` reads an answer
//! that is text.

mod cli;
mod derived;
mod found;
mod http;
mod mcp;
mod text;

use derived::Derived;
pub(crate) use text::read;
pub use text::read_again;

use crate::model::{Exchange, Operation, Raw, RawReply, Received, Request};
use serde_json::Value;

/// The exchange of a call.
///
/// `results` says where the items of an HTTP answer are, when the target file does.
pub fn derive(request: Request, raw: &RawReply, operation: &Operation, results: Option<&str>) -> Exchange {
    let mut exchange = answered(request, raw, operation, results);
    text::read(&mut exchange, operation);
    exchange
}

/// The exchange of a call, but for what a parser makes of a text.
pub(crate) fn answered(request: Request, raw: &RawReply, operation: &Operation, results: Option<&str>) -> Exchange {
    let bodies = raw.received.bodies();
    let not_utf8_at = bodies.iter().find_map(|body| body.not_utf8_at(raw.read.is_some()));
    let failure = raw.failure.clone();
    let derived = match &raw.received {
        Received::Nothing => Derived::failed(failure),
        Received::Process { exit, signal, stdout, stderr } => cli::answer((*exit, *signal), (stdout, stderr), failure),
        Received::Response { status, headers, body } => {
            let results = results.or(operation.http.as_ref().and_then(|binding| binding.results.as_deref()));
            http::answer(*status, headers, (body, not_utf8_at), failure, operation, results)
        }
        Received::Tool { message, output_schema } => mcp::called(message.as_ref(), output_schema, failure, operation),
        Received::Tools { initialize, pages } => mcp::listed(initialize.as_deref(), pages, failure),
    };
    let mut exchange = Exchange {
        request: Request { sent: raw.sent.clone(), ..request },
        status: derived.status,
        answer: derived.answer,
        items: derived.items,
        lines: None,
        parsed: Value::Null,
        raw: Raw {
            bytes: raw.read.unwrap_or_else(|| bodies.iter().map(|body| body.0.len()).sum()),
            failure: derived.failure,
            not_utf8_at,
            retried: raw.retried.clone(),
        },
        problems: raw.problems.iter().cloned().chain(derived.problems).collect(),
        sent_at: raw.sent_at.clone(),
        elapsed: raw.elapsed,
    };
    if let Some(text) = derived.text {
        text::keep(&text, &mut exchange);
    }
    exchange
}
