//! Commands for whoever has an implementation: judge it, look into what was found, fill it, and build against the reference.

mod comment;
mod compare;
mod docs;
mod explain;
mod export;
mod init;
mod judge;
mod list;
mod merge;
mod serve;
mod tap;
mod verify;

use anyhow::Result;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
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
    /// Put reports into one comment of a pull request, which the next run updates in place
    #[command(after_help = comment::EXAMPLES)]
    Comment(comment::Arguments),
    /// Explain a requirement: how it is checked, what conforms and what does not
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::Arguments),
    /// List requirements with what checks them
    #[command(after_help = list::EXAMPLES)]
    List(list::Arguments),
    /// Print a page of the documentation, or list the pages
    #[command(after_help = docs::EXAMPLES)]
    Docs(docs::Arguments),
    /// Write a corpus in the form that a program can be filled with
    #[command(after_help = export::EXAMPLES)]
    Export(export::Arguments),
    /// Leave the reference running with the corpora, for people who build a client
    #[command(after_help = serve::EXAMPLES)]
    Serve(serve::Arguments),
}

impl Command {
    /// Runs it; returns the exit code.
    pub(crate) fn run(&self) -> Result<u8> {
        match self {
            Self::Verify(arguments) => verify::run(arguments),
            Self::Init(arguments) => init::run(arguments),
            Self::Tap(arguments) => tap::run(arguments),
            Self::Judge(arguments) => judge::run(arguments),
            Self::Merge(arguments) => merge::run(arguments),
            Self::Compare(arguments) => compare::run(arguments),
            Self::Comment(arguments) => comment::run(arguments),
            Self::Explain(arguments) => explain::run(arguments),
            Self::List(arguments) => list::run(arguments),
            Self::Docs(arguments) => docs::run(arguments),
            Self::Export(arguments) => export::run(arguments),
            Self::Serve(arguments) => serve::run(arguments),
        }
    }
}
