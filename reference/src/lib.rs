//! The reference: one small, honest program that implements every contract.
//!
//! A contract is a folder: the rules of its document, and the tools, routes and commands that it hands over. The transports serve
//! what they are given. The list of contracts is in this file and nowhere else.
//!
//! # Layers
//!
//! A module imports only modules above it in this list, and no contract imports another. `conformance/tests/layers` holds both,
//! and that no two files import each other.
//!
//! 1. `quote`: how a message repeats a value.
//! 2. `json`: arguments in JSON.
//! 3. `data`: the files of a corpus.
//! 4. `words`: the words of a query, and the part of a text that shows them.
//! 5. `stop`: the signals that end the program.
//! 6. `reply`: what routes have in common.
//! 7. `tool`: a tool, and what answers its calls.
//! 8. `contract`: what a contract hands over, and what it is given.
//! 9. `CONTRACTS`: a folder each.
//! 10. `mcp`: serves tools, on standard streams or as a route.
//! 11. `guard`: whom a server on this machine answers.
//! 12. `accept`: connections, and how long they may take.
//! 13. `http`: serves routes.
//!
//! It is a library only so that another program can carry it and start itself as the reference.

mod accept;
mod contract;
mod data;
mod guard;
mod http;
mod json;
mod mcp;
mod memory;
mod outline;
mod quote;
mod recall;
mod records;
mod remnote;
mod reply;
mod stop;
mod tool;
mod words;

use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use contract::{Contract, Switch};
use std::ffi::OsString;
use std::process::ExitCode;

/// All contracts, in the order in which clients see their tools.
const CONTRACTS: &[Contract] =
    &[records::CONTRACT, recall::CONTRACT, remnote::CONTRACT, memory::CONTRACT, outline::CONTRACT];

/// The reference implementation of the retrieval contracts.
#[derive(Parser)]
#[command(name = "reference", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands that serve all contracts; others are brought by a contract.
#[derive(Subcommand)]
enum Command {
    /// Serve the HTTP contracts, and MCP at /mcp, on loopback.
    Serve(http::Arguments),
    /// Serve MCP on standard input and output.
    Mcp(mcp::stdio::Arguments),
}

/// The contracts, each with what `--variant` can name for it.
pub fn variants() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    CONTRACTS.iter().map(|contract| (contract.name, contract.variants))
}

/// Does what a command line asks for; its first word is the name of the program.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let of_contracts: Vec<_> = CONTRACTS.iter().flat_map(|contract| contract.commands).collect();
    let program = Arguments::command().subcommands(of_contracts.iter().map(|command| (command.describe)()));
    let given = program.mut_subcommands(with_variants).get_matches_from(words);
    for command in of_contracts {
        if let Some(given) = given.subcommand_matches((command.describe)().get_name()) {
            return (command.run)(given);
        }
    }
    match Arguments::from_arg_matches(&given).map(|arguments| arguments.command) {
        Ok(Command::Serve(arguments)) => http::run(arguments, CONTRACTS),
        Ok(Command::Mcp(arguments)) => mcp::stdio::run(&arguments, CONTRACTS),
        Err(error) => error.exit(),
    }
}

/// Makes a command with the switch refuse a variant, or a revision, that no contract has.
fn with_variants(command: clap::Command) -> clap::Command {
    if command.get_arguments().all(|argument| argument.get_id() != Switch::ID) {
        return command;
    }
    let known = PossibleValuesParser::new(CONTRACTS.iter().flat_map(|contract| contract.variants));
    let revisions = CONTRACTS
        .iter()
        .flat_map(|contract| contract.revisions.iter().map(|revision| format!("{}@{revision}", contract.name)));
    let revisions = PossibleValuesParser::new(revisions.collect::<Vec<_>>());
    command
        .mut_arg(Switch::ID, |argument| argument.value_parser(known))
        .mut_arg(Switch::REVISION, |argument| argument.value_parser(revisions).hide_possible_values(true))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use contract::Options;
    use std::collections::BTreeSet;

    #[test]
    fn the_list_has_the_contracts_of_schemas() {
        let mut names: Vec<&str> = CONTRACTS.iter().map(|contract| contract.name).collect();
        names.sort_unstable();
        assert_eq!(names, testing::contracts());
    }

    #[test]
    fn each_tool_has_a_name_of_its_own() {
        let tools = contract::open(CONTRACTS, &Options::default()).unwrap().tools;
        let names: BTreeSet<&str> = tools.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), tools.len());
    }
}
