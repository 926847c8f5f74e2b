//! A message of JSON-RPC as MCP frames it, and the answer to one that cannot be answered otherwise.

use crate::json::JsonObject;
use axum::http::StatusCode;
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonRpcError, RequestId};
use serde_json::Value;

/// A request, a notification, or the answer of a client.
#[derive(Debug)]
pub(super) struct Message<'a> {
    /// A request alone has one.
    pub(super) id: Option<RequestId>,
    /// An answer alone has none.
    pub(super) method: Option<&'a str>,
    /// Nothing where they are no object, which no method of MCP takes.
    pub(super) params: Option<&'a JsonObject>,
}

/// Why a message is refused.
#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    /// Where it is refused over HTTP.
    pub(super) status: StatusCode,
    /// Without an id where the message has none that can be read: MCP has no null among its ids.
    pub(super) answer: Box<JsonRpcError>,
}

/// The error for a method that is not there.
pub(super) fn no_such_method() -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "this server has no such method", None)
}

impl Refusal {
    /// One with status 400.
    pub(super) fn new(id: Option<RequestId>, error: ErrorData) -> Self {
        Self { status: StatusCode::BAD_REQUEST, answer: Box::new(JsonRpcError::new(id, error)) }
    }

    /// The refusal of what is not JSON.
    pub(super) fn unreadable() -> Self {
        Self::new(None, ErrorData::parse_error("this is not JSON", None))
    }

    /// The refusal of what is no message of JSON-RPC.
    pub(super) fn no_message(id: Option<RequestId>, why: &'static str) -> Self {
        Self::new(id, ErrorData::invalid_request(why, None))
    }
}

impl<'a> Message<'a> {
    /// Reads the frame of a message.
    pub(super) fn read(value: &'a Value) -> Result<Self, Refusal> {
        let Value::Object(message) = value else {
            return Err(Refusal::no_message(None, "a message of JSON-RPC is one object"));
        };
        let id = message.get("id").map(|id| serde_json::from_value::<RequestId>(id.clone()));
        let (id, is_bad) = match id {
            Some(Ok(id)) => (Some(id), false),
            Some(Err(_)) => (None, true),
            None => (None, false),
        };
        let refused = |why| Err(Refusal::no_message(id.clone(), why));
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return refused("a message of JSON-RPC has \"jsonrpc\": \"2.0\"");
        }
        if is_bad {
            return refused("an id is a string or an integer");
        }
        let is_answer = message.contains_key("result") || message.contains_key("error");
        let method = match message.get("method") {
            Some(Value::String(method)) => Some(method.as_str()),
            None if is_answer => None,
            _ => return refused("a request has a method, which is a string"),
        };
        // The id of an answer is the one of a request of ours.
        let id = id.filter(|_| method.is_some());
        Ok(Self { id, method, params: message.get("params").and_then(Value::as_object) })
    }

    /// What a request says of itself.
    pub(super) fn meta(&self) -> Option<&'a JsonObject> {
        self.params?.get("_meta")?.as_object()
    }

    pub(super) fn is_request(&self) -> bool {
        self.id.is_some()
    }

    /// The refusal of this message, with status 400.
    pub(super) fn refused(&self, error: ErrorData) -> Refusal {
        Refusal::new(self.id.clone(), error)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Message;
    use rstest::rstest;
    use serde_json::{Value, json};

    #[rstest]
    #[case::a_list(json!([]), None)]
    #[case::no_version(json!({ "id": 1, "method": "ping" }), Some(1))]
    #[case::another_version(json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" }), Some(1))]
    #[case::null_id(json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }), None)]
    #[case::fraction(json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" }), None)]
    #[case::no_method(json!({ "jsonrpc": "2.0", "id": 1 }), Some(1))]
    #[case::method_type(json!({ "jsonrpc": "2.0", "id": 1, "method": 2 }), Some(1))]
    #[case::method_type_beside_a_result(json!({ "jsonrpc": "2.0", "id": 1, "method": 2, "result": {} }), Some(1))]
    fn what_is_no_message_is_refused_with_its_id(#[case] value: Value, #[case] id: Option<i64>) {
        let refusal = Message::read(&value).unwrap_err();
        let answer = serde_json::to_value(refusal.answer).unwrap();
        assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(-32600), id.map(Value::from).as_ref()));
    }

    #[rstest]
    #[case::request(json!({ "jsonrpc": "2.0", "id": "a", "method": "ping" }), true, Some("ping"))]
    #[case::notification(json!({ "jsonrpc": "2.0", "method": "note", "params": [] }), false, Some("note"))]
    #[case::answer(json!({ "jsonrpc": "2.0", "id": 1, "result": {} }), false, None)]
    fn a_message_is_of_one_of_three_kinds(#[case] value: Value, #[case] request: bool, #[case] method: Option<&str>) {
        let message = Message::read(&value).unwrap();
        assert_eq!((message.is_request(), message.method, message.meta()), (request, method, None));
    }
}
