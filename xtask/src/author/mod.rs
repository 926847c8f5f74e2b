//! Commands for the author of a contract: what a change breaks, what the document still lacks, and what no check notices.

mod bless;
mod coverage;
mod diff;
mod edits;
mod variants;

use anyhow::Result;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Show what a change of the contracts breaks, with a document that shows it
    #[command(after_help = diff::EXAMPLES)]
    Diff(diff::Arguments),
    /// Print the sections of the documents, with the requirements of each
    #[command(after_help = coverage::EXAMPLES)]
    Coverage(coverage::Arguments),
    /// Compare the goldens with the reference's answers
    #[command(after_help = bless::EXAMPLES)]
    Bless(bless::Arguments),
    /// Damage every field of the reference's answers and print what no check notices
    #[command(after_help = edits::EXAMPLES)]
    Edits(edits::Arguments),
    /// Run the legal answers that take another server, each as a variant of the reference
    #[command(after_help = variants::EXAMPLES)]
    Variants(variants::Arguments),
}

impl Command {
    /// Runs it; returns the exit code.
    pub(crate) fn run(&self) -> Result<u8> {
        match self {
            Self::Diff(arguments) => diff::run(arguments),
            Self::Coverage(arguments) => coverage::run(arguments),
            Self::Bless(arguments) => bless::run(arguments),
            Self::Edits(arguments) => edits::run(arguments),
            Self::Variants(arguments) => variants::run(arguments),
        }
    }
}
