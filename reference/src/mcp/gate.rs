//! Which era a message belongs to, and whether the SDK may answer it. A dual-era server decides this for each message
//! (basic/versioning, "Backward Compatibility with Initialization-Based Versions").
//!
//! Without the gate the SDK (rmcp 3.11) takes an `initialize` that says its version in `_meta` for a handshake (over HTTP 200 with
//! -32602, where the revision wants 404 with -32601), and answers such a `ping` on the first line. It ends when the first line is a
//! notification, is silent about a line that is not JSON, accepts two version headers, refuses notifications without `Mcp-Method`,
//! and keeps a process that was asked a modern request first from serving a handshake later.

use super::era::Era;
use super::message::{Message, Refusal, no_such_method};
use super::{head, modern};
use axum::http::{HeaderMap, StatusCode};
use rmcp::ErrorData;
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
    let is_unknown = message.method == Some("server/discover") && message.is_request();
    let unspoken = head.and_then(|head| unspoken(head, era));
    // Over HTTP a ping needs its session too.
    let opens = message.method == Some("initialize") || head.is_none() && message.method == Some("ping");
    let is_early = message.is_request() && !begun && !opens;
    let error = match (unspoken, era) {
        // The SDK would take it for a newer request that says too little.
        (None, _) if is_unknown && begun => {
            return Err(Refusal { status: StatusCode::OK, ..message.refused(no_such_method()) });
        }
        _ if is_unknown => no_such_method(),
        (Some(why), _) => ErrorData::invalid_request(why, None),
        (None, Era::Legacy) if is_early => ErrorData::invalid_request("send initialize first", None),
        (None, _) if is_early => {
            let why = format!("say {} in the _meta of each request, or send initialize first", modern::VERSION);
            ErrorData::invalid_params(why, None)
        }
        (None, _) => return Ok(()),
    };
    Err(message.refused(error))
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

#[cfg(test)]
mod tests {
    use super::{admit, modern};
    use crate::mcp::era::Era;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn part() -> impl Strategy<Value = Value> {
        let versions = ["2026-07-28", "2025-11-25", "2099-01-01"].map(|version| json!(version));
        let others = [Value::Null, json!(1), json!([]), json!({})];
        proptest::sample::select([versions.as_slice(), others.as_slice()].concat())
    }

    fn params() -> impl Strategy<Value = Value> {
        let meta = (part(), part()).prop_map(|(version, capabilities)| {
            json!({ "_meta": { (modern::VERSION): version, (modern::CAPABILITIES): capabilities } })
        });
        prop_oneof![part(), part().prop_map(|meta| json!({ "_meta": meta })), meta]
    }

    proptest! {
        #[test]
        fn over_standard_streams_only_requests_are_refused_and_by_their_id(
            method in proptest::sample::select(vec!["initialize", "ping", "server/discover", "tools/list", "notifications/x"]),
            params in params(),
            id in proptest::option::of(0_i64..9),
            era in proptest::sample::select(vec![Era::Legacy, Era::Modern, Era::Both]),
            begun: bool,
        ) {
            let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
            id.iter().for_each(|id| message["id"] = json!(id));
            match admit(message, None, era, begun) {
                Ok(admitted) => prop_assert_eq!(admitted.is_request, id.is_some()),
                Err(refusal) => {
                    prop_assert!(id.is_some());
                    prop_assert_eq!(serde_json::to_value(&refusal.answer.id).ok(), id.map(Value::from));
                }
            }
        }
    }
}
