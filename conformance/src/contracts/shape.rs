//! Random corpora in the form of a contract's corpus files, and random calls that speak of what is in them.
//!
//! What a document leaves free (cases of letters, bounds, ties, hits without a record) is kept out of corpora and calls, so that
//! whatever differs is a difference.

use crate::model::{Step, Walk};
use proptest::prelude::BoxedStrategy;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The data of a contract, in pieces that can be left out one by one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corpus {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

/// A line of a corpus file, or what becomes a file of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The file, or the kind of what it becomes.
    pub file: String,
    /// What it says.
    pub value: Value,
}

impl Corpus {
    /// What the pieces of a file say.
    pub(super) fn of(&self, file: &str) -> impl Iterator<Item = &Value> {
        self.pieces.iter().filter(move |piece| piece.file == file).map(|piece| &piece.value)
    }
}

/// What is known of a contract's corpus and calls.
pub(crate) trait Shape: Sync {
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

/// A call with the arguments that are there.
pub(super) fn step(call: &str, with: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Step {
    let given = with.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Step::of(call, given.collect::<Map<_, _>>())
}

/// The same call, page after page.
pub(super) fn walked(step: Step, limit: &str, offset: &str) -> Step {
    Step { walk: Some(Walk { limit: limit.to_owned(), offset: offset.to_owned(), pages: 200 }), ..step }
}

/// Files of one JSON value a line; each of `names` is there, be it empty.
pub(super) fn lines(corpus: &Corpus, names: &[&str]) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = names.iter().map(|name| ((*name).to_owned(), String::new())).collect();
    for piece in &corpus.pieces {
        let file = files.entry(piece.file.clone()).or_default();
        file.push_str(&piece.value.to_string());
        file.push('\n');
    }
    files
}

/// The texts of a field, where a piece has it.
pub(super) fn texts<'c>(corpus: &'c Corpus, file: &'c str, field: &'c str) -> impl Iterator<Item = &'c str> {
    corpus.of(file).filter_map(move |value| value[field].as_str())
}

/// A piece of a file.
pub(super) fn piece(file: &str, value: Value) -> Piece {
    Piece { file: file.to_owned(), value }
}
