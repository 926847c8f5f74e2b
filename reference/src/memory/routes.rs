//! The route of the memory contract: `POST /v0/search`.

use super::arguments::{Refusal, Search};
use super::search::search;
use super::store::Store;
use crate::data::DataError;
use crate::reply::blocking;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use std::sync::Arc;

/// What the route needs: the memories, and the token that callers must send.
#[derive(Clone)]
struct Guarded {
    store: Arc<Store>,
    token: Option<Arc<str>>,
}

pub(super) fn routes(store: Arc<Store>, token: Option<&str>) -> Router {
    Router::new().route("/v0/search", post(answer)).with_state(Guarded { store, token: token.map(Arc::from) })
}

async fn answer(
    State(Guarded { store, token }): State<Guarded>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    // A caller without the token learns nothing about his request.
    if token.is_some_and(|token| bearer(&headers) != Some(&*token)) {
        return failure(StatusCode::UNAUTHORIZED, "Authorization must be Bearer and the token of this server");
    }
    match body.map_err(|rejection| Refusal::of_request(rejection.body_text())).and_then(|body| read(&body, &store)) {
        Ok(wanted) => {
            let answer = move || -> Result<Response, DataError> { Ok(Json(search(&store, &wanted)?).into_response()) };
            blocking(answer).await
        }
        Err(refusal) => failure(StatusCode::BAD_REQUEST, &refusal.to_string()),
    }
}

fn read(body: &[u8], store: &Store) -> Result<Search, Refusal> {
    let body =
        serde_json::from_slice(body).map_err(|error| Refusal::of_request(format_args!("is not JSON: {error}")))?;
    match body {
        Value::Object(arguments) => Search::parse(&arguments, "memoryId", &store.ranges, store.variant),
        _ => Err(Refusal::of_request("must be a JSON object")),
    }
}

/// The token that the caller sent. The name of the scheme may be in any case.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn failure(status: StatusCode, message: &str) -> Response {
    let error = status.canonical_reason().unwrap_or_default();
    (status, Json(json!({ "error": error, "code": status.as_u16(), "message": message }))).into_response()
}
