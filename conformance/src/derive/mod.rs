//! A raw reply → the exchange that is judged. Pure, so that a reply that was stored, or edited, can be derived again.
//!
//! `cli`, `http` and `mcp` say what became of the call and what the answer is, `modern` what is new in it since 2026-07-28; `found` finds its items; `text` reads an answer
//! that is text; `shown` counts the answers that show something, and `measure` says what answers took and what a model reads in them.

mod cli;
mod derived;
mod found;
mod http;
mod mcp;
mod measure;
mod modern;
mod shown;
mod text;

use derived::Derived;
pub(crate) use found::find_again;
use mcp::Asked;
pub(crate) use measure::measure;
pub(crate) use shown::shown;
pub(crate) use text::read;
pub use text::read_again;

use crate::model::{Exchange, Operation, Problem, Raw, RawReply, Received, Request, Status};
use serde_json::Value;
use std::collections::BTreeMap;

/// The exchange of a call.
///
/// `results` says where the items of an answer are, when the target file does.
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
    let mut derived = match &raw.received {
        Received::Nothing => Derived::failed(failure),
        Received::Process { exit, signal, stdout, stderr } => cli::answer((*exit, *signal), (stdout, stderr), failure),
        Received::Response { status, headers, body } => {
            http::answer(*status, headers, (body, not_utf8_at), failure, operation)
        }
        Received::Tool { message, output_schema, status } => {
            let asked = Asked { with: &request.with, sent: &raw.sent, status: *status };
            mcp::called(message.as_ref(), output_schema, failure, operation, asked)
        }
        Received::Tools { initialize, beside, pages } => {
            let mut listed = mcp::listed(initialize.as_deref(), pages, failure);
            if let Value::Object(answer) = &mut listed.answer {
                answer.extend(beside.clone());
            }
            listed
        }
    };
    derived.problems.extend(modern::problems(&request, &raw.sent, &derived.answer));
    let items = items(&mut derived, operation, results);
    let mut exchange = Exchange {
        request: Request { sent: raw.sent.clone(), ..request },
        status: derived.status,
        answer: derived.answer,
        items,
        lines: None,
        parsed: Value::Null,
        raw: Raw { bytes: raw.bytes(), failure: derived.failure, not_utf8_at, retried: raw.retried.clone() },
        problems: raw.problems.iter().cloned().chain(derived.problems).collect(),
        sent_at: raw.sent_at.clone(),
        elapsed: raw.elapsed,
        redacted: BTreeMap::new(),
    };
    if let Some(text) = derived.text {
        text::keep(&text, &mut exchange);
    }
    exchange
}

/// The items of an accepted answer that is JSON. Where none can be found, a problem says so.
fn items(derived: &mut Derived, operation: &Operation, results: Option<&str>) -> Option<Value> {
    let is_json = derived.problems.iter().all(|problem| problem.code != Problem::NO_JSON);
    let bound = operation.results();
    let has_items = bound.is_some() || operation.found_by.is_some();
    if !(has_items && is_json && derived.status == Status::Accepted) {
        return None;
    }
    let expected = results.or(bound);
    match found::items(&derived.answer["body"], expected, operation.found_by.as_ref()) {
        Ok(found) => Some(found),
        Err(problem) => {
            derived.problems.push(problem);
            None
        }
    }
}
