//! What a message of the era without a handshake has to say (basic/index, "`_meta`"; basic/versioning).
//! The SDK checks most of this too, in another order on each transport, and answers a few of these messages in another way.

use super::era::Era;
use super::head;
use super::message::{Message, Refusal};
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
    let Some(method) = message.method else {
        return Err(Refusal::no_message(None, "a server of this version asks nothing, so there is nothing to answer"));
    };
    if era == Era::Modern && method == "initialize" {
        return Err(handshake(message, head, era));
    }
    check_others(message, method, head, era)
}

fn check_others(message: &Message, method: &str, head: Option<&HeaderMap>, era: Era) -> Result<(), Refusal> {
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
        let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "this server has no such method", None);
        return Err(Refusal { status: StatusCode::NOT_FOUND, ..message.refused(error) });
    }
    Ok(())
}

/// The refusal of a handshake, which names the versions: an older client has no other way to learn them.
fn handshake(message: &Message, head: Option<&HeaderMap>, era: Era) -> Refusal {
    let requested = message.params.and_then(|params| params.get("protocolVersion")).and_then(Value::as_str);
    let mut named = unsupported(requested.unwrap_or_default(), era);
    named.message = format!("MCP {} is spoken here, which has no initialize", era.listed()).into();
    let mut refusal = match check_others(message, "initialize", head, era) {
        // Over standard streams nothing else is wrong with it than that it belongs to another version.
        Err(_) if head.is_none() && version(message).is_none() => return message.refused(named),
        Err(refusal) => refusal,
        Ok(()) => message.refused(named.clone()),
    };
    let error = &mut refusal.answer.error;
    error.message = format!("{}: {}", error.message, named.message).into();
    error.data = named.data;
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
