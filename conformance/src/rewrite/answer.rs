//! Another answer in place of a reply, in the terms of its transport.

use super::received::measure;
use crate::model::{AnswerStatus, AnswerWord, Body, Era, RawReply, Received};
use serde_json::{Value, json};

/// Gives another answer. Without a body, what arrived stays where the transport lets it.
pub(super) fn give(reply: &mut RawReply, status: AnswerStatus, body: &Value) {
    let text = || body.as_str().map_or_else(|| body.to_string(), str::to_owned);
    let is_accepted = matches!(status, AnswerStatus::Named(AnswerWord::Accepted));
    match &mut reply.received {
        Received::Response { status: old, headers, body: kept } => {
            let named = if is_accepted { 200 } else { 400 };
            *old = match status {
                AnswerStatus::Code(code) => u16::try_from(code).unwrap_or(named),
                AnswerStatus::Named(_) => named,
            };
            if !body.is_null() {
                let kind = if body.is_string() { "text/plain" } else { "application/json" };
                headers.insert("content-type".to_owned(), kind.into());
                *kept = Body(text().into_bytes());
                measure(headers, kept);
            }
        }
        Received::Process { exit, signal, stdout, stderr } => {
            let code = match status {
                AnswerStatus::Code(code) => i32::try_from(code).unwrap_or(2),
                AnswerStatus::Named(_) => {
                    if is_accepted {
                        0
                    } else {
                        2
                    }
                }
            };
            (*exit, *signal) = (Some(code), None);
            if !body.is_null() {
                let printed = Body(text().into_bytes());
                (*stdout, *stderr) = if code == 0 { (printed, Body::default()) } else { (Body::default(), printed) };
            }
        }
        Received::Tool { message, .. } => {
            let old: Value = message.as_ref().and_then(|old| serde_json::from_slice(&old.0).ok()).unwrap_or_default();
            let mut fresh = json!({ "jsonrpc": "2.0", "id": old["id"] });
            match status {
                AnswerStatus::Code(code) => fresh["error"] = json!({ "code": code, "message": text() }),
                AnswerStatus::Named(_) => {
                    fresh["result"] = json!({ "content": [{ "type": "text", "text": text() }] });
                    if body.is_object() {
                        fresh["result"]["structuredContent"] = body.clone();
                    }
                    if !is_accepted {
                        fresh["result"]["isError"] = true.into();
                    }
                }
            }
            if fresh.get("result").is_some() && Era::Modern.is_of(&reply.sent) {
                fresh["result"]["resultType"] = "complete".into();
                fresh["result"]["_meta"] = match &old["result"]["_meta"] {
                    Value::Null => {
                        json!({ "io.modelcontextprotocol/serverInfo": { "name": "another", "version": "1" } })
                    }
                    meta => meta.clone(),
                };
            }
            *message = Some(Body(fresh.to_string().into_bytes()));
        }
        Received::Nothing | Received::Tools { .. } => return,
    }
    (reply.failure, reply.read) = (None, None);
}
