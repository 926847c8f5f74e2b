//! The route of the {{name}} contract: `GET /{{name}}/search`.

use super::search::Items;
use crate::json::JsonObject;
use crate::reply::failure;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn routes(items: Arc<Items>) -> Router {
    Router::new().route("/{{name}}/search", get(answer)).with_state(items)
}

async fn answer(State(items): State<Arc<Items>>, Query(pairs): Query<BTreeMap<String, String>>) -> Response {
    let arguments: JsonObject = pairs.into_iter().map(|(name, value)| (name, Value::from(value))).collect();
    match items.search(&arguments) {
        Ok(answer) => Json(answer).into_response(),
        Err(refusal) => failure(StatusCode::BAD_REQUEST, "INVALID", &refusal),
    }
}
