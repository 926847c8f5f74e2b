//! MCP over streamable HTTP: one path, one JSON-RPC message in a request.

use super::server::Server;
use crate::tool::Tool;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::de::IgnoredAny;
use serde_json::json;
use std::sync::Arc;

/// The largest message, in bytes.
const LARGEST_MESSAGE: usize = 4 << 20;

/// The one route.
pub(crate) fn routes(tools: Vec<Tool>) -> Router {
    let server = Server::new(tools);
    let config = StreamableHttpServerConfig::default()
        // Every path of ours has one guard, which knows the address that the server listens on.
        .disable_allowed_hosts()
        // Sessions and streams of events, which every client must accept.
        .with_legacy_session_mode(true)
        .with_max_request_body_bytes(LARGEST_MESSAGE);
    let service: StreamableHttpService<Server, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config);
    Router::new().route_service("/mcp", service).layer(from_fn(unreadable_as_json_rpc))
}

/// The library answers a message that it cannot read with 415 and a text. The protocol has errors for that.
async fn unreadable_as_json_rpc(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let Ok(message) = to_bytes(body, LARGEST_MESSAGE).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let is_json = serde_json::from_slice::<IgnoredAny>(&message).is_ok();
    let is_labelled =
        head.headers.get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let response = next.run(Request::from_parts(head, Body::from(message))).await;
    if response.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE || !is_labelled {
        return response;
    }
    let (code, message) = match is_json {
        true => (-32600, "the body is no JSON-RPC message"),
        false => (-32700, "the body is no JSON"),
    };
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } });
    (StatusCode::BAD_REQUEST, Json(body)).into_response()
}
