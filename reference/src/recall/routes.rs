//! The routes of the recall contract: `GET /api/v1/search` and `GET /api/v1/frames/{frame_id}`.

use super::parameters::{Parameters, Refusal};
use super::search::{frame_body, search};
use super::store::Store;
use super::variant::Variant;
use crate::data::DataError;
use crate::reply::{blocking, failure};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use percent_encoding::percent_decode_str;
use std::sync::Arc;
use std::time::SystemTime;

pub(super) fn routes(store: Arc<Store>, variant: Option<Variant>) -> Router {
    let search_answer =
        move |State(store): State<Arc<Store>>, RawQuery(query): RawQuery| search_answer(store, query, variant);
    Router::new()
        .route("/api/v1/search", get(search_answer))
        .route("/api/v1/frames/{frame_id}", get(frame_answer))
        .with_state(store)
}

async fn search_answer(store: Arc<Store>, query: Option<String>, variant: Option<Variant>) -> Response {
    let parameters = form_pairs(&query.unwrap_or_default()).and_then(|pairs| Parameters::parse(pairs, now(), variant));
    match parameters {
        Ok(parameters) => {
            let answer = move || -> Result<Response, DataError> {
                Ok(Json(search(&store, &parameters, variant)?.body(&parameters)).into_response())
            };
            blocking(answer).await
        }
        Err(refusal) => (StatusCode::BAD_REQUEST, Json(refusal.body())).into_response(),
    }
}

/// A text that is not an integer is the id of no frame, so every missing frame gets the same 404.
async fn frame_answer(State(store): State<Arc<Store>>, frame_id: Result<Path<i64>, PathRejection>) -> Response {
    blocking(move || -> Result<Response, DataError> {
        let frame = frame_id.map_or(Ok(None), |Path(frame_id)| store.frame(frame_id))?;
        Ok(match frame {
            Some(frame) => Json(frame_body(&frame)).into_response(),
            None => failure(StatusCode::NOT_FOUND, "NOT_FOUND", "there is no frame of that id"),
        })
    })
    .await
}

/// Epoch seconds. A clock before 1970 reads as 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// The pairs of a query string (application/x-www-form-urlencoded). A value that is not UTF-8 is refused: with U+FFFD for
/// what cannot be decoded, the search would look for something that the caller did not ask for.
fn form_pairs(query: &str) -> Result<Vec<(String, String)>, Refusal> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            // A plus is a space; an encoded plus is not.
            let pair = pair.replace('+', " ");
            let (name, value) = pair.split_once('=').unwrap_or((&pair, ""));
            let name = percent_decode_str(name).decode_utf8_lossy().into_owned();
            match percent_decode_str(value).decode_utf8() {
                Ok(value) => Ok((name, value.into_owned())),
                Err(_) => Err(Refusal::new(&name, "must be UTF-8 once its percent-encoding is undone")),
            }
        })
        .collect()
}
