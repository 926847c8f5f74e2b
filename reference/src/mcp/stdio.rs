//! MCP over standard input and output: one client, one JSON-RPC message on a line.

use super::lines::Lines;
use super::server::{Server, Speaking};
use crate::contract::{self, Contract, OpenError, Options};
use crate::stop::exit_code;
use rmcp::service::serve_directly;
use std::process::ExitCode;
use tokio::sync::watch;

/// What follows `reference mcp`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    speaking: Speaking,
}

/// Serves until the client closes the streams.
pub(crate) fn run(arguments: &Arguments, contracts: &[Contract]) -> ExitCode {
    exit_code("reference mcp", serve(contracts, arguments))
}

/// Why a client cannot be served.
#[derive(Debug, thiserror::Error)]
enum StdioError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("could not serve: {0}")]
    Start(#[from] std::io::Error),
    #[error("a task of the server failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}

fn serve(contracts: &[Contract], Arguments { options, speaking }: &Arguments) -> Result<(), StdioError> {
    let tools = contract::open(contracts, options)?.tools;
    let (open, closed) = watch::channel(());
    let server = Server::new(tools, *speaking, closed);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        // The SDK would wait for one opening and keep the process to its era; the gate knows the era of each message.
        serve_directly(server, Lines::new(speaking.era, open), None).waiting().await?;
        Ok(())
    });
    runtime.shutdown_background();
    result
}
