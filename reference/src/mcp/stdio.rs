//! MCP over standard input and output: one client, one JSON-RPC message on a line.

use super::server::Server;
use crate::contract::{self, Contract, OpenError, Options};
use crate::stop::exit_code;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use std::process::ExitCode;

/// What follows `reference mcp`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
}

/// Serves until the client closes the streams.
pub(crate) fn run(arguments: &Arguments, contracts: &[Contract]) -> ExitCode {
    exit_code("reference mcp", serve(contracts, &arguments.options))
}

/// Why a client cannot be served.
#[derive(Debug, thiserror::Error)]
enum StdioError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("could not serve: {0}")]
    Start(#[from] std::io::Error),
    #[error("the client broke the handshake: {0}")]
    Handshake(#[from] Box<ServerInitializeError>),
    #[error("a task of the server failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}

fn serve(contracts: &[Contract], options: &Options) -> Result<(), StdioError> {
    let server = Server::new(contract::open(contracts, options)?.tools);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let running = match server.serve(stdio()).await {
            // A client that leaves without a message has broken nothing.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            other => other.map_err(Box::new)?,
        };
        running.waiting().await?;
        Ok(())
    });
    runtime.shutdown_background();
    result
}
