//! The HTTP side: the routes of all contracts, and MCP at `/mcp`, on one listener.

use crate::accept::accept;
use crate::contract::{self, Contract, OpenError, Options};
use crate::guard::guarded;
use crate::mcp;
use crate::reply::failure;
use crate::stop::{exit_code, stop_signal};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use futures::FutureExt;
use serde_json::json;
use std::io::Write;
use std::net::IpAddr;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How long a client may take for a head, for a body, and until its next request.
const SLOW: Duration = Duration::from_secs(30);
/// Most searches that run at once. A search waits for nothing but the disk, so more than the cores of a small machine.
const SEARCHES_AT_ONCE: usize = 8;

/// What follows `reference serve`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    speaking: mcp::Speaking,
    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Token that callers must send, as in Authorization: Bearer TOKEN, where a contract asks for one
    #[arg(long, value_name = "TOKEN", env = "REFERENCE_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// Serves until it is stopped.
pub(crate) fn run(arguments: Arguments, contracts: &[Contract]) -> ExitCode {
    exit_code("reference serve", start(arguments, contracts))
}

/// Why the server cannot serve.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("could not listen on {host} port {port}: {source}; choose another --port, or 0 for a free one")]
    Listen { host: IpAddr, port: u16, source: std::io::Error },
    #[error("could not serve: {0}")]
    Serve(#[from] std::io::Error),
}

fn start(arguments: Arguments, contracts: &[Contract]) -> Result<(), ServeError> {
    let Arguments { port, host, token, speaking, mut options } = arguments;
    options.token = token;
    let served = contract::open(contracts, &options)?;
    let (open, closed) = watch::channel(());
    let mcp = mcp::http::routes(mcp::Server::new(served.tools, speaking, closed));
    let routes = routes(served.routes, mcp, host);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(SEARCHES_AT_ONCE).build()?;
    let result = runtime.block_on(serve(host, port, routes, open));
    // A long search must not hold up the end of the program: its caller has gone.
    runtime.shutdown_background();
    result
}

/// Listens, prints the address, and answers until the process is asked to stop, when `open` is dropped.
async fn serve(host: IpAddr, port: u16, routes: Router, open: watch::Sender<()>) -> Result<(), ServeError> {
    let listener = TcpListener::bind((host, port)).await.map_err(|source| ServeError::Listen { host, port, source })?;
    // Signals are caught before the line is printed, so that its reader can stop the server cleanly.
    let stop = stop_signal()?;
    let mut output = std::io::stdout();
    writeln!(output, "listening on http://{}", listener.local_addr()?)?;
    output.flush()?;
    accept(listener, routes, SLOW, stop.map(|()| drop(open))).await;
    Ok(())
}

fn routes(of_contracts: Router, mcp: Router, host: IpAddr) -> Router {
    let routes = Router::new()
        .route("/health", get(async || Json(json!({ "status": "ok" }))))
        .merge(of_contracts)
        .merge(mcp)
        .method_not_allowed_fallback(async || {
            failure(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "this path does not answer that method")
        })
        .fallback(async || failure(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this path"));
    guarded(routes, host, SLOW)
}
