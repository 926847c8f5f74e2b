//! The command line of the records contract: flags in, one call, text out.

use super::answer::answer;
use super::graph::Direction;
use super::request::{Format, Question, Request};
use crate::contract::{Run, Switch};
use crate::stop::exit_code;
use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;
use std::str::FromStr;
use strum::VariantNames;

/// Answer the records contract as a command line, the way `qipu` does.
#[derive(Parser)]
#[command(name = "qipu")]
pub(super) struct Arguments {
    /// The form of the answer: human, json or records
    #[arg(long, global = true, default_value = "human", value_parser = one_of::<Format>)]
    format: Format,
    #[command(flatten)]
    switch: Switch,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print chosen notes for a reader who will use them.
    Context {
        /// The id of a note; may be repeated
        #[arg(long = "note", value_name = "ID")]
        notes: Vec<String>,
        /// Print the raw bodies too
        #[arg(long)]
        with_body: bool,
        #[command(flatten)]
        budget: Budget,
    },
    /// Print what the store is, what can be asked, and where to start.
    Prime {
        #[command(flatten)]
        budget: Budget,
    },
    /// Print chosen notes with their raw bodies.
    Export {
        /// The id of a note; may be repeated
        #[arg(long = "note", value_name = "ID")]
        notes: Vec<String>,
        #[command(flatten)]
        budget: Budget,
    },
    /// Print the notes that hold every word of a query.
    Search {
        /// The words
        query: String,
        #[command(flatten)]
        budget: Budget,
    },
    /// Print links.
    #[command(subcommand)]
    Link(Link),
    /// Print the whole store as a pack.
    Dump,
}

#[derive(Subcommand)]
enum Link {
    /// Print what can be reached from a note.
    Tree {
        /// The id of the note to start from
        id: String,
        #[command(flatten)]
        way: Way,
        /// How many links away a note may be
        #[arg(long, default_value_t = 3)]
        max_hops: usize,
        #[command(flatten)]
        budget: Budget,
    },
    /// Print a shortest way between two notes.
    Path {
        /// The id of the note to start from
        from: String,
        /// The id of the note to arrive at
        to: String,
        #[command(flatten)]
        way: Way,
        /// How many links the way may have
        #[arg(long, default_value_t = 10)]
        max_hops: usize,
        #[command(flatten)]
        budget: Budget,
    },
    /// Print the links of a note.
    List {
        /// The id of the note
        id: String,
        #[command(flatten)]
        way: Way,
        #[command(flatten)]
        budget: Budget,
    },
}

#[derive(clap::Args)]
struct Way {
    /// Which way links are followed: out, in or both
    #[arg(long, default_value = "both", value_parser = one_of::<Direction>)]
    direction: Direction,
}

#[derive(clap::Args)]
struct Budget {
    /// How many characters (Unicode scalar values) the whole output may have
    #[arg(long, value_name = "N")]
    max_chars: Option<usize>,
}

impl Run for Arguments {
    /// Prints the answer of one call, or one line on standard error that says why there is none.
    fn run(self) -> ExitCode {
        exit_code("error", text(self).and_then(|text| print(&text)))
    }
}

/// The value of an option's word.
fn one_of<T: FromStr + VariantNames>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("it is one of {}", T::VARIANTS.join(", ")))
}

fn text(arguments: Arguments) -> Result<String, String> {
    let directory = std::env::current_dir().map_err(|error| format!("cannot tell the current directory: {error}"))?;
    answer(&request(arguments), &directory).map_err(|refusal| refusal.to_string())
}

fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| format!("cannot write the answer to standard output: {error}"))
}

fn request(arguments: Arguments) -> Request {
    let variant = arguments.switch.variant();
    let (question, max_chars) = match arguments.command {
        Command::Context { notes, with_body, budget } => (Question::Context { notes, with_body }, budget.max_chars),
        Command::Prime { budget } => (Question::Prime, budget.max_chars),
        Command::Export { notes, budget } => (Question::Export { notes }, budget.max_chars),
        Command::Search { query, budget } => (Question::Search { query }, budget.max_chars),
        Command::Link(link) => link_question(link),
        Command::Dump => (Question::Dump, None),
    };
    Request { question, format: arguments.format, max_chars, variant }
}

fn link_question(link: Link) -> (Question, Option<usize>) {
    match link {
        Link::Tree { id, way, max_hops, budget } => {
            (Question::Tree { root: id, direction: way.direction, max_hops }, budget.max_chars)
        }
        Link::Path { from, to, way, max_hops, budget } => {
            (Question::Path { from, to, direction: way.direction, max_hops }, budget.max_chars)
        }
        Link::List { id, way, budget } => (Question::List { id, direction: way.direction }, budget.max_chars),
    }
}
