//! The command line, and the way from an error to an exit code.

use crate::{
    bench, bless, compare, completions, coverage, diff, edits, explain, export, generate, init, judge, list, man,
    merge, mutants, official_mcp, program, serve, tap, tokens, verify,
};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Judges implementations of retrieval contracts.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the contracts against a target and report; without one, against the reference
    #[command(after_help = verify::EXAMPLES)]
    Verify(Box<verify::Arguments>),
    /// Look at a server or a program, write a target file and a CI file for it, and run once
    #[command(after_help = init::EXAMPLES)]
    Init(init::Arguments),
    /// Stand between a client and a server, pass everything on unchanged, and judge what passes
    #[command(after_help = tap::EXAMPLES)]
    Tap(Box<tap::Arguments>),
    /// Judge the evidence of a run log again, and render any report from it
    #[command(after_help = judge::EXAMPLES)]
    Judge(judge::Arguments),
    /// Put the logs of shards together into the log of the whole run
    #[command(after_help = merge::EXAMPLES)]
    Merge(merge::Arguments),
    /// Put runs side by side: who supports what, and what got better or worse
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::Arguments),
    /// Show what a change of the contracts breaks, with a document that shows it
    #[command(after_help = diff::EXAMPLES)]
    Diff(diff::Arguments),
    /// Compare the goldens with the reference's answers
    #[command(after_help = bless::EXAMPLES)]
    Bless(bless::Arguments),
    /// List requirements with what checks them
    #[command(after_help = list::EXAMPLES)]
    List(list::Arguments),
    /// Explain a requirement: how it is checked, what conforms and what does not
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::Arguments),
    /// Print the sections of the documents with what stands for each
    #[command(after_help = coverage::EXAMPLES)]
    Coverage(coverage::Arguments),
    /// Damage every field of the reference's answers and print what no check notices
    #[command(after_help = edits::EXAMPLES)]
    Edits(edits::Arguments),
    /// Break the reference in small ways and print what nothing notices
    #[command(after_help = mutants::EXAMPLES)]
    Mutants(mutants::Arguments),
    /// Measure what judging costs, as ratios
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Arguments),
    /// Write a corpus in the form that a program can be filled with
    #[command(after_help = export::EXAMPLES)]
    Export(export::Arguments),
    /// Leave the reference running with the corpora, for people who build a client
    #[command(after_help = serve::EXAMPLES)]
    Serve(serve::Arguments),
    /// Be the reference: a command line, a server, an MCP server, a bridge
    #[command(disable_help_flag = true)]
    Reference {
        /// What it takes, as a program of its own: `--help` tells
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
        words: Vec<OsString>,
    },
    /// Count what outlines cost beside JSON, with the document's estimates
    #[command(after_help = tokens::EXAMPLES)]
    Tokens(tokens::Arguments),
    /// Run the official MCP conformance tool against the reference
    #[command(after_help = official_mcp::EXAMPLES)]
    OfficialMcp(official_mcp::Arguments),
    /// Write the files that are generated from the code
    Generate(generate::Arguments),
    /// Print what a shell needs to complete our commands
    #[command(after_help = completions::examples())]
    Completions(completions::Arguments),
    /// Print the manual page of the runner, or of one of its commands
    #[command(after_help = man::examples())]
    Man(man::Arguments),
}

/// Commands that read or write more of a checkout than its data.
const OF_CHECKOUT: [&str; 4] = ["edits", "mutants", "official-mcp", "generate"];

/// The commands as data, with the name of the program as which we run.
pub(crate) fn command() -> clap::Command {
    let named = |command: clap::Command| {
        let hidden = program::is_installed() && OF_CHECKOUT.contains(&command.get_name());
        match command.get_after_help().map(|help| program::named(&help.to_string())) {
            Some(help) => command.after_help(help).hide(hidden),
            None => command.hide(hidden),
        }
    };
    Arguments::command().name(program::name()).bin_name(program::name()).mut_subcommands(named)
}

/// A command line that makes no sense, or a suite that is broken: exit code 2.
const WRONG_USAGE: u8 = 2;

/// Runs the command and turns its result into an exit code; the words of the reference are for `reference`.
pub(crate) fn run(reference: impl FnOnce(Vec<OsString>) -> ExitCode) -> ExitCode {
    let arguments = Arguments::from_arg_matches(&command().get_matches()).unwrap_or_else(|error| error.exit());
    let result = match arguments.command {
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Tap(arguments) => tap::run(&arguments),
        Command::Judge(arguments) => judge::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Bless(arguments) => bless::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Coverage(arguments) => coverage::run(&arguments),
        Command::Edits(arguments) => edits::run(&arguments),
        Command::Mutants(arguments) => mutants::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Reference { words } => return reference(words),
        Command::Tokens(arguments) => tokens::run(&arguments),
        Command::OfficialMcp(arguments) => official_mcp::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(WRONG_USAGE)
        }
    }
}
