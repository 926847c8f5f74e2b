//! The route of the {{name}} contract: `POST /{{name}}/search`.

use super::search::Items;
use crate::json::JsonObject;
use crate::reply::failure;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use std::sync::Arc;

pub(super) fn routes(items: Arc<Items>) -> Router {
    Router::new().route("/{{name}}/search", post(answer)).with_state(items)
}

async fn answer(State(items): State<Arc<Items>>, body: Bytes) -> Response {
    let arguments = serde_json::from_slice::<JsonObject>(&body);
    let answer = arguments.map_err(|error| format!("the request must be a JSON object: {error}"));
    match answer.and_then(|arguments| items.search(&arguments)) {
        Ok(answer) => Json(answer).into_response(),
        Err(refusal) => failure(StatusCode::BAD_REQUEST, "INVALID", &refusal),
    }
}
