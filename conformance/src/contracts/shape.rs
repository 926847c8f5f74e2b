//! Random corpora in the form of a contract's corpus files, and random calls that speak of what is in them.
//!
//! What a document leaves free (cases of letters, bounds, ties, hits without a record) is kept out of corpora and calls, so that
//! whatever differs is a difference.

use crate::model::{Contract, Step, Walk};
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

    /// Random pieces, about as many as `size`, of which everything can be asked for at the revision of the contract.
    fn corpus(&self, size: usize, contract: &Contract) -> BoxedStrategy<Corpus>;

    /// Takes out what leads nowhere, after pieces were left out.
    fn mend(&self, corpus: Corpus) -> Corpus;

    /// A random call that a server with this corpus can answer in one way at the revision of the contract.
    fn call(&self, corpus: &Corpus, contract: &Contract) -> BoxedStrategy<Step>;

    /// The files of a corpus, by their paths in its folder.
    fn files(&self, corpus: &Corpus) -> BTreeMap<String, String>;
}

/// What the input schema of an operation says of an argument, by its keyword: null where it says nothing, or has no such argument.
pub(super) fn says<'c>(contract: &'c Contract, operation: &str, argument: &str, keyword: &str) -> &'c Value {
    let operation = contract.operations.get(operation);
    operation.map_or(&Value::Null, |operation| &operation.takes["properties"][argument][keyword])
}

/// Whether an operation has an argument at the revision of the contract.
pub(super) fn takes(contract: &Contract, operation: &str, argument: &str) -> bool {
    contract.operations.get(operation).is_some_and(|operation| operation.arguments.iter().any(|one| one == argument))
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
