//! What a message of the era without a handshake has to say (basic/index, "`_meta`"; basic/versioning).
//! The SDK checks most of this too, in another order on each transport, and answers a few of these messages in another way.

use super::era::Era;
use super::head;
use super::message::{Message, Refusal, no_such_method};
use crate::json::JsonObject;
use axum::http::{HeaderMap, StatusCode};
use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use serde_json::{Value, json};

/// The key in `_meta` for the version that a request is written in.
pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The key in `_meta` for what the client can do.
pub(super) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// All that a server of tools answers. Tools that never change still have subscribers, who are told nothing.
const METHODS: [&str; 4] = ["server/discover", "tools/list", "tools/call", "subscriptions/listen"];

/// Refuses a message that says too little, contradicts its headers, or asks for what is not there. `head` is for HTTP alone.
pub(super) fn check(message: &Message, head: Option<&HeaderMap>, era: Era) -> Result<(), Refusal> {
    let is_handshake = era == Era::Modern && message.method == Some("initialize");
    checked(message, head, era)
        .map_err(|refusal| if is_handshake { naming(refusal, message, head, era) } else { refusal })
}

fn checked(message: &Message, head: Option<&HeaderMap>, era: Era) -> Result<(), Refusal> {
    // Over standard streams there is nobody to tell: what asks for nothing gets no answer.
    if head.is_none() && !message.is_request() {
        return Ok(());
    }
    let Some(method) = message.method else {
        return Err(Refusal::no_message(None, "a server of this version asks nothing, so there is nothing to answer"));
    };
    let said = version(message);
    if let Some(Err(why)) = head.map(|head| head::mismatch(head, message, said)) {
        return Err(message.refused(ErrorData::header_mismatch(why, None)));
    }
    if message.is_request() {
        complete(message.meta()).map_err(|why| message.refused(ErrorData::invalid_params(why, None)))?;
    }
    // A notification may say its version in its headers alone, or not at all.
    let version = said.or_else(|| head.and_then(|head| head::one(head, head::VERSION).ok().flatten()));
    if let Some(requested) = version.filter(|version| !era.speaks(version)) {
        return Err(message.refused(unsupported(requested, era)));
    }
    if message.is_request() && !METHODS.contains(&method) {
        return Err(Refusal { status: StatusCode::NOT_FOUND, ..message.refused(no_such_method()) });
    }
    Ok(())
}

/// The refusal of a handshake, which names the versions: an older client has no other way to learn them.
fn naming(refusal: Refusal, message: &Message, head: Option<&HeaderMap>, era: Era) -> Refusal {
    let requested = message.params.and_then(|params| params.get("protocolVersion")).and_then(Value::as_str);
    let named = unsupported(requested.unwrap_or_default(), era);
    let text = format!("MCP {} is spoken here, which has no initialize", era.listed());
    // Over standard streams nothing is wrong with it but that it belongs to another version.
    if head.is_none() && version(message).is_none() {
        return message.refused(ErrorData { message: text.into(), ..named });
    }
    let mut refusal = refusal;
    let error = &mut refusal.answer.error;
    error.message = format!("{}: {text}", error.message).into();
    error.data = error.data.take().or(named.data);
    refusal
}

/// The version that a message says it is written in.
fn version<'a>(message: &Message<'a>) -> Option<&'a str> {
    message.meta()?.get(VERSION)?.as_str()
}

/// Whether a request says what each has to say.
fn complete(meta: Option<&JsonObject>) -> Result<(), String> {
    let said = |key| meta.and_then(|meta| meta.get(key));
    let fault = |key, kind| Err(format!("every request says {key} in its _meta, {kind}"));
    match (said(VERSION), said(CAPABILITIES)) {
        (Some(Value::String(_)), Some(Value::Object(_))) => Ok(()),
        (Some(Value::String(_)), _) => fault(CAPABILITIES, "which is an object"),
        _ => fault(VERSION, "which is a string"),
    }
}

fn unsupported(requested: &str, era: Era) -> ErrorData {
    let message = format!("this version is not spoken here; choose one of {}", era.listed());
    let data = json!({ "supported": era.versions(), "requested": requested });
    ErrorData::new(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, message, Some(data))
}
