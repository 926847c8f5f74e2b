//! What the routes of several contracts do in the same way.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::fmt::Display;

/// Answers on a thread that may wait for a database. The caller learns that it failed, our own log says why.
pub(crate) async fn blocking<E: Display + Send + 'static>(
    answer: impl FnOnce() -> Result<Response, E> + Send + 'static,
) -> Response {
    let problem = match tokio::task::spawn_blocking(answer).await {
        Ok(Ok(response)) => return response,
        Ok(Err(problem)) => problem.to_string(),
        Err(problem) => problem.to_string(),
    };
    eprintln!("reference serve: {problem}");
    failure(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", "the data could not be read")
}

/// An error as JSON, with a code for programs and a message for people.
pub(crate) fn failure(status: StatusCode, code: &str, error: &str) -> Response {
    (status, Json(json!({ "error": error, "code": code }))).into_response()
}
