//! The HTTP side: requests in, one call, JSON out.
//!
//! Each contract brings its own routes, memory in `memory`; what they share is the listener, the health check and the answer to a wrong path.

mod memory;

use crate::mcp::{self, Corpora, LoadError};
use crate::recall::parameters::{Parameters, Refusal};
use crate::recall::search::{frame_body, search};
use crate::recall::store::{Store, StoreError};
use crate::stop::told_to_stop;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use axum::{Json, Router};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::net::TcpListener;

/// How long requests that are being answered may take when the server is told to stop.
const PATIENCE: Duration = Duration::from_secs(2);
/// Searches that may run at once. They wait for a disk at most, so more than the cores of a small machine.
const SEARCHES_AT_ONCE: usize = 8;

/// What follows `reference serve`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Frames that recall searches, one JSON object a line, loaded into memory
    #[arg(long, value_name = "FILE", conflicts_with = "db")]
    recall_frames: Option<PathBuf>,
    /// SQLite database whose table `frames` recall searches; an index that it lacks is added to it
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Token that a search of memories has to show, as in Authorization: Bearer TOKEN; nobody is asked when it is left out
    #[arg(long, value_name = "TOKEN", env = "MEMORY_TOKEN", hide_env_values = true)]
    memory_token: Option<String>,
    #[command(flatten)]
    corpora: Corpora,
}

/// Serves until it is stopped.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    match start(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("reference serve: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Why there is nothing to serve, or nowhere to serve it.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("could not listen on {host} port {port}: {source}; choose another --port, or 0 for a free one")]
    Listen { host: IpAddr, port: u16, source: std::io::Error },
    #[error("could not serve: {0}")]
    Serve(#[from] std::io::Error),
}

fn start(arguments: &Arguments) -> Result<(), ServeError> {
    let store = match (&arguments.recall_frames, &arguments.db) {
        (Some(frames), _) => Store::load(frames)?,
        (None, Some(database)) => Store::existing(database)?,
        (None, None) => Store::empty()?,
    };
    let memories = arguments.corpora.memories()?;
    let more = mcp::http::routes(arguments.corpora.load(&memories)?, arguments.host)
        .merge(memory::routes(memories, arguments.memory_token.as_deref()));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(SEARCHES_AT_ONCE).build()?;
    let result = runtime.block_on(serve(arguments, routes(Arc::new(store), more)));
    // A long search must not hold up the end of the program: nobody waits for its answer any more.
    runtime.shutdown_background();
    result
}

/// Listens, says where, and answers until the process is told to stop.
async fn serve(arguments: &Arguments, routes: Router) -> Result<(), ServeError> {
    let (host, port) = (arguments.host, arguments.port);
    let listener = TcpListener::bind((host, port)).await.map_err(|source| ServeError::Listen { host, port, source })?;
    // Signals are caught before the line is printed: whoever has read it may stop the server cleanly.
    let told_to_stop = told_to_stop()?;
    let mut output = std::io::stdout();
    writeln!(output, "listening on http://{}", listener.local_addr()?)?;
    output.flush()?;
    // Without this, small answers wait for the acknowledgement of the one before. A connection that refuses still works.
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    let (stopping, stopped) = tokio::sync::oneshot::channel::<()>();
    let answering = axum::serve(listener, routes).with_graceful_shutdown(async {
        told_to_stop.await;
        drop(stopping);
    });
    tokio::select! {
        result = answering => Ok(result?),
        () = async { let _ = stopped.await; tokio::time::sleep(PATIENCE).await } => Ok(()),
    }
}

fn routes(recall: Arc<Store>, more: Router) -> Router {
    Router::new()
        .route("/health", get(async || Json(json!({ "status": "ok" }))))
        .merge(recall_routes(recall))
        .merge(more)
        .method_not_allowed_fallback(async || {
            failure(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "this path does not answer that method")
        })
        .fallback(async || failure(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this path"))
}

fn recall_routes(store: Arc<Store>) -> Router {
    Router::new()
        .route("/api/v1/search", get(recall_search))
        .route("/api/v1/frames/{frame_id}", get(recall_frame))
        .with_state(store)
}

async fn recall_search(State(store): State<Arc<Store>>, RawQuery(query): RawQuery) -> Response {
    let parameters = form_pairs(&query.unwrap_or_default()).and_then(|pairs| Parameters::parse(pairs, now()));
    match parameters {
        Ok(parameters) => {
            let answer = move || -> Result<Response, StoreError> {
                Ok(Json(search(&store, &parameters)?.body(&parameters)).into_response())
            };
            asked(answer).await
        }
        Err(refusal) => (StatusCode::BAD_REQUEST, Json(refusal.body())).into_response(),
    }
}

/// What is no integer is the id of no frame, so every frame that is not there is the same 404.
async fn recall_frame(State(store): State<Arc<Store>>, frame_id: Result<Path<i64>, PathRejection>) -> Response {
    asked(move || -> Result<Response, StoreError> {
        let frame = frame_id.map_or(Ok(None), |Path(frame_id)| store.frame(frame_id))?;
        Ok(match frame {
            Some(frame) => Json(frame_body(&frame)).into_response(),
            None => failure(StatusCode::NOT_FOUND, "NOT_FOUND", "there is no frame of that id"),
        })
    })
    .await
}

/// Asks the database on a thread that may wait for it. The asker learns that it failed, our own log says why.
async fn asked<E: Display + Send + 'static>(
    question: impl FnOnce() -> Result<Response, E> + Send + 'static,
) -> Response {
    let problem = match tokio::task::spawn_blocking(question).await {
        Ok(Ok(response)) => return response,
        Ok(Err(problem)) => problem.to_string(),
        Err(problem) => problem.to_string(),
    };
    eprintln!("reference serve: {problem}");
    failure(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", "the data could not be read")
}

fn failure(status: StatusCode, code: &str, error: &str) -> Response {
    let body: Value = json!({ "error": error, "code": code });
    (status, Json(body)).into_response()
}

/// Epoch seconds. A clock before 1970 reads as 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// The pairs of a query string (application/x-www-form-urlencoded). The decoders at hand put U+FFFD where bytes are not
/// UTF-8, and would search for what nobody asked for; here that is refused.
fn form_pairs(query: &str) -> Result<Vec<(String, String)>, Refusal> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = String::from_utf8_lossy(&form_bytes(name)).into_owned();
            match String::from_utf8(form_bytes(value)) {
                Ok(value) => Ok((name, value)),
                Err(_) => Err(Refusal::new(&name, "must be UTF-8 once its percent-encoding is undone")),
            }
        })
        .collect()
}

/// Undoes `+` and `%xx`. A `%` that no two hexadecimal digits follow stands for itself.
fn form_bytes(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    while let [first, more @ ..] = rest {
        let escaped = match (first, more) {
            (b'%', [high, low, ..]) => hexadecimal(*high).zip(hexadecimal(*low)),
            _ => None,
        };
        bytes.push(match (escaped, first) {
            (Some((high, low)), _) => high << 4 | low,
            (None, b'+') => b' ',
            (None, other) => *other,
        });
        rest = if escaped.is_some() { &more[2..] } else { more };
    }
    bytes
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
