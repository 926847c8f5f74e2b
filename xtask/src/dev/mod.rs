//! Commands for this repository, `cargo xtask dev …`: they build, measure and write what only a checkout has.
//!
//! The installed program is built without this folder.

mod bench;
mod generate;
mod hostile;
mod mutants;
mod new;
mod official_mcp;
mod tokens;

use anyhow::Result;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Break the reference in small ways and print what nothing notices
    #[command(after_help = mutants::EXAMPLES)]
    Mutants(mutants::Arguments),
    /// Measure what judging costs, as ratios
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Arguments),
    /// Write the files that are generated from the code
    Generate(generate::Arguments),
    /// Count what outlines cost beside JSON, with the document's estimates
    #[command(after_help = tokens::EXAMPLES)]
    Tokens(tokens::Arguments),
    /// Judge the reference over random corpora that are legal and hard to serve
    #[command(after_help = hostile::EXAMPLES)]
    HostileCorpora(hostile::Arguments),
    /// Scaffold a contract: its folders, and its lines in the lists
    #[command(after_help = new::EXAMPLES)]
    New(new::Arguments),
    /// Run the official MCP conformance tool against the reference
    #[command(after_help = official_mcp::EXAMPLES)]
    OfficialMcp(official_mcp::Arguments),
}

impl Command {
    /// Runs it; returns the exit code.
    pub(crate) fn run(&self) -> Result<u8> {
        match self {
            Self::Mutants(arguments) => mutants::run(arguments),
            Self::Bench(arguments) => bench::run(arguments),
            Self::Generate(arguments) => generate::run(arguments),
            Self::Tokens(arguments) => tokens::run(arguments),
            Self::HostileCorpora(arguments) => hostile::run(arguments),
            Self::New(arguments) => new::run(arguments),
            Self::OfficialMcp(arguments) => official_mcp::run(arguments),
        }
    }
}
