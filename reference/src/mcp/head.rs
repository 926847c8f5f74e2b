//! The headers that repeat parts of a modern message, for those between client and server who do not read the body
//! (basic/transports/streamable-http, "Request Metadata" and "Server Validation").

use super::message::Message;
use crate::quote::quoted;
use axum::http::HeaderMap;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

pub(super) const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";

/// What is wrong with the headers of a message that says its own version. A notification may leave them out: the revision does
/// not say which it needs.
pub(super) fn mismatch(head: &HeaderMap, message: &Message, version: Option<&str>) -> Result<(), String> {
    let repeated = [(VERSION, version), (METHOD, message.method)];
    for (name, said) in repeated {
        match (one(head, name)?, said) {
            (None, _) if message.is_request() => return Err(missing(name)),
            (Some(header), Some(said)) if header != said => return Err(differs(name, header, said)),
            _ => {}
        }
    }
    // No other method that is answered here has a name in its parameters.
    let called = message.params.filter(|_| message.method == Some("tools/call"));
    let Some(said) = called.and_then(|params| params.get("name")).and_then(Value::as_str) else { return Ok(()) };
    let header = one(head, NAME)?.ok_or_else(|| missing(NAME))?;
    match decoded(header) {
        None => Err(format!("the header {NAME} is no Base64 of UTF-8")),
        Some(header) if header != said => Err(differs(NAME, &header, said)),
        Some(_) => Ok(()),
    }
}

/// The value of a header, which may be there once. Two values could be read differently on the way.
pub(super) fn one<'a>(head: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, String> {
    let mut values = head.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(format!("the header {name} comes twice"));
    }
    value.to_str().map(Some).map_err(|_| format!("the header {name} has characters that no header may have"))
}

/// The text behind `=?base64?…?=`, and any other text itself.
fn decoded(header: &str) -> Option<String> {
    let Some(encoded) = header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(header.to_owned());
    };
    String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok()
}

fn missing(name: &str) -> String {
    format!("the header {name} is missing")
}

fn differs(name: &str, header: &str, said: &str) -> String {
    format!("the header {name} says {}, the body {}", quoted(header), quoted(said))
}
