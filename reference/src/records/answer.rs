//! From one call to its text.

use super::budget::{self, Render};
use super::record::{self, Answer};
use super::refusal::Refusal;
use super::request::{Format, Question, Request};
use super::store::Store;
use super::{context, human, line, links, pack, prime};
use std::path::Path;

/// Answers one call over the store of `directory` or of the nearest directory above it.
pub(crate) fn answer(request: &Request, directory: &Path) -> Result<String, Refusal> {
    let store = match &request.question {
        Question::Context { notes, .. } | Question::Export { notes } => Store::open_for(directory, notes)?,
        _ => Store::open(directory)?,
    };
    let answer = match &request.question {
        Question::Context { notes, with_body } => context::answer(&store, notes, *with_body)?,
        Question::Prime => prime::answer(&store),
        Question::Export { notes } => context::export(&store, notes)?,
        Question::Search { query } => context::search(&store, query)?,
        Question::Tree { root, direction, max_hops } => links::tree(&store, root, *direction, *max_hops)?,
        Question::Path { from, to, direction, max_hops } => links::path(&store, from, to, *direction, *max_hops)?,
        Question::List { id, direction } => links::list(&store, id, *direction)?,
        Question::Dump => pack::answer(&store)?,
    };
    budget::fit(&answer, renderer(request.format, &answer), request.max_chars, request.variant)
}

/// A pack is for programs; its human form is its records form.
fn renderer(format: Format, answer: &Answer) -> Render {
    match format {
        Format::Json => record::json,
        Format::Human if !answer.is_pack => human::text,
        Format::Human | Format::Records => line::text,
    }
}
