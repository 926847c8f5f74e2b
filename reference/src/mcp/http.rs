//! MCP over streamable HTTP: one path, one JSON-RPC message in a request.

use super::era::Era;
use super::gate::{Admitted, admit, unspoken};
use super::head;
use super::message::Refusal;
use super::server::Server;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use rmcp::ErrorData;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// The largest message, in bytes.
const LARGEST_MESSAGE: usize = 4 << 20;

/// The one route.
pub(crate) fn routes(server: Server) -> Router {
    let era = server.era();
    let config = StreamableHttpServerConfig::default()
        // Every path of ours has one guard, which knows the address that the server listens on.
        .disable_allowed_hosts()
        // Sessions and streams of events, which every client must accept.
        .with_legacy_session_mode(true)
        .with_max_request_body_bytes(LARGEST_MESSAGE);
    let service: StreamableHttpService<Server, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config);
    let gate = from_fn(move |request: Request, next: Next| gate(era, request, next));
    Router::new().route_service("/mcp", service).layer(gate)
}

/// What the SDK must not answer is answered here.
async fn gate(era: Era, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if parts.method != Method::POST {
        // The stream of a session and its end: a revision without sessions has neither.
        if era == Era::Modern || names_modern(&parts.headers, era) {
            return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "POST")]).into_response();
        }
        return match unspoken(&parts.headers, era) {
            Some(why) => refused(Refusal::new(None, ErrorData::invalid_request(why, None))),
            None => next.run(Request::from_parts(parts, body)).await,
        };
    }
    if !is_json(&parts.headers) {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let Ok(body) = to_bytes(body, LARGEST_MESSAGE).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let Ok(message) = serde_json::from_slice(&body) else { return refused(Refusal::unreadable()) };
    let begun = parts.headers.contains_key("mcp-session-id");
    match admit(message, Some(&parts.headers), era, begun) {
        Err(refusal) => refused(refusal),
        // No notification of a client has an effect, and the SDK asks each for headers that it need not have.
        Ok(Admitted { is_modern: true, is_request: false, .. }) => StatusCode::ACCEPTED.into_response(),
        Ok(Admitted { message, .. }) => {
            // Written anew, so that the SDK cannot read it in another way than the gate did.
            parts.headers.remove(CONTENT_LENGTH);
            next.run(Request::from_parts(parts, Body::from(message.to_string()))).await
        }
    }
}

/// Whether a head names a version without sessions that is spoken here.
fn names_modern(head: &HeaderMap, era: Era) -> bool {
    matches!(head::one(head, head::VERSION), Ok(Some(version)) if era.speaks(version) && Era::Modern.speaks(version))
}

/// Whether a body says that it is JSON; the SDK refuses any other.
fn is_json(head: &HeaderMap) -> bool {
    let kind = head.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn refused(refusal: Refusal) -> Response {
    (refusal.status, Json(refusal.answer)).into_response()
}
