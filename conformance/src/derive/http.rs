//! An HTTP response → its answer.

use super::derived::Derived;
use crate::format::json::{read_mending_surrogates, unread};
use crate::model::{Body, Failure, HttpArguments, Operation, Problem, Status};
use crate::text::{inert, media_type};
use serde_json::{Map, Value, json};

/// So many characters of a body that is not JSON are kept.
const KEPT_OF_TEXT: usize = 300;
/// The status of an answer without a body.
const NO_CONTENT: u16 = 204;

/// `{status, headers, body, text}`, where `text` is the beginning of a body that is not JSON.
pub(super) fn answer(
    status: u16,
    headers: &Map<String, Value>,
    (body, not_utf8_at): (&Body, Option<usize>),
    failure: Option<Failure>,
    operation: &Operation,
) -> Derived {
    let is_given = operation.http.as_ref().is_some_and(|binding| binding.arguments == HttpArguments::Path);
    let text = body.text();
    let (value, mut problems) = match status == NO_CONTENT && text.is_empty() {
        true => (Value::Null, Vec::new()),
        false => read_mending_surrogates(&text),
    };
    let unread = unread(&problems);
    if let Some(at) = not_utf8_at {
        let message = format!("is not JSON in UTF-8: byte {at} of the body belongs to no character");
        problems.push(Problem { code: Problem::NO_JSON.to_owned(), line: 1, column: 1, message });
    }
    let header = |name: &str| headers.get(name).and_then(Value::as_str);
    if let Some(kind) = header("content-type").filter(|kind| !text.is_empty() && !is_json(kind)) {
        let message = format!("the body is called {}, which is not JSON", json!(inert::short(kind, KEPT_OF_TEXT)));
        problems.push(Problem { code: Problem::OTHER_KIND.to_owned(), line: 1, column: 1, message });
    }
    let (outcome, failure) = match failure.or(unread).or_else(|| not_connected(status, &text)) {
        // Of what an address of an answer leads to, only the status is read: it may be large, and it may lie elsewhere.
        Some(Failure::TooLarge(_) | Failure::TooMany(_) | Failure::TooDeep(_)) if is_given => {
            what_became(status, false, None)
        }
        Some(failure) => (Status::Failed, Some(failure)),
        None if is_given && (300..400).contains(&status) && headers.contains_key("location") => {
            (Status::Accepted, None)
        }
        None => what_became(status, headers.contains_key("retry-after"), header("location")),
    };
    if outcome == Status::Failed {
        problems.clear();
    }
    if operation.output.is_none() {
        // What it answers need not be JSON.
        problems.retain(|problem| ![Problem::NO_JSON, Problem::OTHER_KIND].contains(&problem.code.as_str()));
    }
    let shown = value.is_null().then(|| inert::short(&text, KEPT_OF_TEXT));
    let mut answer = json!({ "status": status, "headers": headers, "body": null, "text": shown });
    // What may be large is moved in: the macro copies.
    answer["body"] = value;
    Derived { status: outcome, failure, answer, text: None, problems }
}

/// The failure of a server that says anywhere in its answer what it lacks, with the beginning of its words.
fn not_connected(status: u16, text: &str) -> Option<Failure> {
    let is_said = status >= 500 && Failure::not_connected(text).is_some();
    is_said.then(|| Failure::NotConnected(inert::short(text.trim(), KEPT_OF_TEXT)))
}

/// Whether a content type is one of JSON, such as `application/json` or `application/problem+json`.
fn is_json(kind: &str) -> bool {
    // Of several that were put together, the first counts.
    let name = media_type(kind.split(',').next().unwrap_or_default());
    name.ends_with("/json") || name.ends_with("+json")
}

/// Whether a status accepts a request, refuses it, or says nothing of it. The method is the one that the contract names, so 405
/// refuses the request.
fn what_became(status: u16, asks_to_wait: bool, location: Option<&str>) -> (Status, Option<Failure>) {
    let hindered = |why: String| (Status::Failed, Some(Failure::Hindered(why)));
    match status {
        200..=299 => (Status::Accepted, None),
        503 if asks_to_wait => hindered(format!("the status {status} with Retry-After, which asks to wait")),
        500.. => (Status::Failed, Some(Failure::ServerError(status))),
        ..200 => {
            let why = format!("the status {status}, which is no answer to a request");
            (Status::Failed, Some(Failure::Broken(why)))
        }
        300..=399 => hindered(Failure::redirected(status, location)),
        status if Failure::is_turned_away(status) => hindered(Failure::turned_away(status)),
        _ => (Status::Refused, None),
    }
}
