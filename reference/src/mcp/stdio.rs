//! MCP over standard input and output: one client, one JSON-RPC message a line.

use super::{Corpora, LoadError, Server};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use std::process::ExitCode;

/// What follows `reference mcp`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    corpora: Corpora,
}

/// Serves until the client goes away.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    match serve(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("reference mcp: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Why a client is not served.
#[derive(Debug, thiserror::Error)]
enum StdioError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("could not serve: {0}")]
    Start(#[from] std::io::Error),
    #[error("the client broke the handshake: {0}")]
    Handshake(#[from] Box<ServerInitializeError>),
    #[error("a task of the server failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}

fn serve(arguments: &Arguments) -> Result<(), StdioError> {
    let server = Server::new(arguments.corpora.load(&arguments.corpora.memories()?)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let running = match server.serve(stdio()).await {
            // A client that says nothing and goes away has broken nothing.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            other => other.map_err(Box::new)?,
        };
        running.waiting().await?;
        Ok(())
    });
    runtime.shutdown_background();
    result
}
