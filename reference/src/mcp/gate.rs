//! Which era a message belongs to, and whether the SDK may answer it. A dual-era server decides this for each message
//! (basic/versioning, "Backward Compatibility with Initialization-Based Versions").

use super::era::Era;
use super::message::{Message, Refusal};
use super::{head, modern};
use axum::http::HeaderMap;
use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use serde_json::Value;

/// A message that is not refused.
#[derive(Debug, PartialEq)]
pub(super) struct Admitted {
    /// As the SDK is to read it.
    pub(super) message: Value,
    /// Whether it belongs to the era without a handshake.
    pub(super) is_modern: bool,
    /// Whether an answer is expected.
    pub(super) is_request: bool,
}

/// Admits a message or refuses it. `head` is for HTTP alone; `begun` is whether a handshake came before it.
pub(super) fn admit(mut value: Value, head: Option<&HeaderMap>, era: Era, begun: bool) -> Result<Admitted, Refusal> {
    let message = Message::read(&value)?;
    let (is_modern, is_request) = (is_modern(&message, head, era), message.is_request());
    if is_modern {
        modern::check(&message, head, era)?;
    } else {
        check_legacy(&message, head, era, begun)?;
        forget_request_metadata(&mut value);
    }
    Ok(Admitted { message: value, is_modern, is_request })
}

/// A modern message says its version. What names none of the older ones belongs here too: it is told which there are.
fn is_modern(message: &Message, head: Option<&HeaderMap>, era: Era) -> bool {
    let names = |version: &str| !Era::Legacy.speaks(version);
    let in_meta = || match message.meta()?.get(modern::VERSION) {
        Some(version) => version.as_str().map(names).or(Some(true)),
        None => message.meta()?.contains_key(modern::CAPABILITIES).then_some(true),
    };
    let in_head = || match head::one(head?, head::VERSION) {
        Ok(version) => version.map(names),
        Err(_) => Some(true),
    };
    match (era, message.method) {
        (Era::Modern, _) | (Era::Both, Some("server/discover")) => true,
        (Era::Legacy, _) => false,
        // The handshake is older whatever version it would like to speak, and some clients repeat that in the head.
        (Era::Both, Some("initialize")) => in_meta() == Some(true),
        (Era::Both, _) => in_meta() == Some(true) || in_head() == Some(true),
    }
}

/// Refuses what an older server does not know, and what comes before the handshake.
fn check_legacy(message: &Message, head: Option<&HeaderMap>, era: Era, begun: bool) -> Result<(), Refusal> {
    let not_found = || ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "this server has no such method", None);
    let is_unknown = message.method == Some("server/discover");
    if let Some(why) = head.and_then(|head| unspoken(head, era)) {
        let error = if is_unknown { not_found() } else { ErrorData::invalid_request(why, None) };
        return Err(message.refused(error));
    }
    // Over HTTP a ping needs its session too.
    let opens = message.method == Some("initialize") || head.is_none() && message.method == Some("ping");
    if begun || opens || !message.is_request() {
        return Ok(());
    }
    Err(message.refused(match era {
        Era::Legacy if is_unknown => not_found(),
        Era::Legacy => ErrorData::invalid_request("send initialize first", None),
        Era::Modern | Era::Both => {
            let why = format!("say {} in the _meta of each request, or send initialize first", modern::VERSION);
            ErrorData::invalid_params(why, None)
        }
    }))
}

/// What is wrong with the version that the head of an older message names, if it names one.
pub(super) fn unspoken(head: &HeaderMap, era: Era) -> Option<String> {
    match head::one(head, head::VERSION) {
        Ok(Some(version)) if !era.speaks(version) => {
            Some(format!("the version in {} is not spoken here; choose one of {}", head::VERSION, era.listed()))
        }
        Ok(_) => None,
        Err(why) => Some(why),
    }
}

/// What newer requests say of themselves means nothing in a revision with a handshake; the SDK would heed it.
fn forget_request_metadata(message: &mut Value) {
    if let Some(meta) = message.pointer_mut("/params/_meta").and_then(Value::as_object_mut) {
        meta.retain(|key, _| !key.starts_with("io.modelcontextprotocol/"));
    }
}
