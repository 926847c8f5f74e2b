//! Random corpora in the form of each contract's corpus files, and random calls that speak of what is in them.
//!
//! A file for each contract. What a document leaves free (cases of letters, bounds, ties, hits without a record) is kept out of
//! corpora and calls here, so that whatever differs is a difference.

mod memory;
mod outline;
mod recall;
mod records;
mod remnote;
mod words;

use super::{Corpus, Piece};
use crate::model::{Step, Walk};
use proptest::prelude::BoxedStrategy;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What is known of a contract's corpus and calls.
pub(super) trait Shape: Sync {
    /// The contract.
    fn contract(&self) -> &'static str;

    /// The part of the corpus that is random, as in `corpus/<part>`; empty for all of it.
    fn part(&self) -> &'static str {
        ""
    }

    /// Random pieces, about as many as `size`.
    fn corpus(&self, size: usize) -> BoxedStrategy<Corpus>;

    /// Takes out what leads nowhere, after pieces were left out.
    fn mend(&self, corpus: Corpus) -> Corpus;

    /// A random call that a server with this corpus can answer in one way.
    fn call(&self, corpus: &Corpus) -> BoxedStrategy<Step>;

    /// The files of a corpus, by their paths in its folder.
    fn files(&self, corpus: &Corpus) -> BTreeMap<String, String>;
}

/// The shapes of all contracts.
const SHAPES: [&dyn Shape; 5] =
    [&memory::Memory, &outline::Outline, &recall::Recall, &records::Records, &remnote::Remnote];

/// The shape of a contract's corpus.
pub(super) fn of(contract: &str) -> Option<&'static dyn Shape> {
    SHAPES.into_iter().find(|shape| shape.contract() == contract)
}

/// All shapes.
pub(super) fn all() -> impl Iterator<Item = &'static dyn Shape> {
    SHAPES.into_iter()
}

/// A call with the arguments that are there.
fn step(call: &str, with: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Step {
    let given = with.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let with = given.collect::<Map<_, _>>();
    Step { call: call.to_owned(), with, over: None, twin: None, sweep: None, walk: None }
}

/// The same call, page after page.
fn walked(step: Step, limit: &str, offset: &str) -> Step {
    Step { walk: Some(Walk { limit: limit.to_owned(), offset: offset.to_owned(), pages: 200 }), ..step }
}

/// Files of one JSON value a line; each of `names` is there, be it empty.
fn lines(corpus: &Corpus, names: &[&str]) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = names.iter().map(|name| ((*name).to_owned(), String::new())).collect();
    for piece in &corpus.pieces {
        let file = files.entry(piece.file.clone()).or_default();
        file.push_str(&piece.value.to_string());
        file.push('\n');
    }
    files
}

/// The texts of a field, where a piece has it.
fn texts<'c>(corpus: &'c Corpus, file: &'c str, field: &'c str) -> impl Iterator<Item = &'c str> {
    corpus.of(file).filter_map(move |value| value[field].as_str())
}

/// A piece of a file.
fn piece(file: &str, value: Value) -> Piece {
    Piece { file: file.to_owned(), value }
}
