//! The reference: one small, honest program that implements every contract.
//!
//! `reference qipu …` answers the records contract on a command line, `reference serve` the HTTP contracts
//! and MCP, `reference mcp` MCP alone, `reference bridge` is the other end of a remnote server.
//! The rules of a contract live in a folder of its name, with no transport in sight.
//!
//! It is a library only so that another program can carry it and start itself as the reference.

mod bridge;
mod cli;
mod http;
mod mcp;
mod memory;
mod outline;
mod quote;
mod recall;
mod records;
mod remnote;
mod stop;
mod words;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// The reference implementation of the retrieval contracts.
#[derive(Parser)]
#[command(name = "reference", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer the records contract as a command line, the way `qipu` does.
    Qipu(cli::Arguments),
    /// Serve the HTTP contracts, and MCP at /mcp, on loopback.
    Serve(http::Arguments),
    /// Serve MCP on standard input and output.
    Mcp(mcp::stdio::Arguments),
    /// Be the bridge of a remnote MCP server: connect to it and answer what it asks.
    Bridge(bridge::Arguments),
}

/// Does what a command line asks for; its first word is the name of the program.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    match Arguments::parse_from(words).command {
        Command::Qipu(arguments) => cli::run(arguments),
        Command::Serve(arguments) => http::run(arguments),
        Command::Mcp(arguments) => mcp::stdio::run(arguments),
        Command::Bridge(arguments) => bridge::run(arguments),
    }
}
