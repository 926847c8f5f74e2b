//! What the judge knows of single contracts: their formats, rules, picks and random corpora.
//!
//! This is the only place in the judge that names a contract. A contract over JSON answers needs no entry. Formats, rules and picks
//! are found by name, whatever contract uses them.

mod function;
mod hostile;
mod memory;
mod outline;
mod recall;
mod records;
mod remnote;
mod shape;
mod specifics;
mod words;

pub use crate::format::Format;
pub(crate) use function::{Function, NamedFunction};
pub use shape::{Corpus, Piece};

use crate::path::Picker;
use crate::rules::Rule;
use crate::{format, path, rules};
use hostile::Share;
use proptest::prelude::BoxedStrategy;
pub(crate) use shape::Shape;
use specifics::Specifics;

/// The contracts that need more than their data.
const CONTRACTS: &[Specifics] = &[memory::MEMORY, outline::OUTLINE, recall::RECALL, records::RECORDS, remnote::REMNOTE];

/// Every format.
pub fn formats() -> impl Iterator<Item = &'static Format> + Clone {
    format::GENERAL.iter().chain(CONTRACTS.iter().flat_map(|contract| contract.formats))
}

/// The format of this name.
pub fn format(name: &str) -> Option<&'static Format> {
    formats().find(|format| format.name == name)
}

/// Every rule.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> + Clone {
    rules::GENERAL.iter().chain(CONTRACTS.iter().flat_map(|contract| contract.rules))
}

/// The names of all rules.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    rules().map(|rule| rule.name)
}

/// Every pick.
pub(crate) fn picks() -> impl Iterator<Item = &'static Picker> + Clone {
    path::PICKS.iter().chain(CONTRACTS.iter().flat_map(|contract| contract.picks))
}

/// Every function that a legal answer may name.
fn functions() -> impl Iterator<Item = &'static NamedFunction> {
    function::GENERAL.iter().chain(CONTRACTS.iter().flat_map(|contract| contract.functions))
}

/// The function of this name.
pub(crate) fn function(name: &str) -> Option<Function> {
    functions().find(|(known, _)| *known == name).map(|(_, function)| *function)
}

/// The names of all functions of legal answers.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    functions().map(|(name, _)| *name)
}

/// The contracts with random corpora and calls.
pub(crate) fn shapes() -> impl Iterator<Item = (&'static str, &'static dyn Shape)> {
    CONTRACTS.iter().filter_map(|contract| Some((contract.name, contract.shape?)))
}

/// The random corpora and calls of a contract.
pub(crate) fn shape(contract: &str) -> Option<&'static dyn Shape> {
    shapes().find(|(name, _)| *name == contract).map(|(_, shape)| shape)
}

/// The hostile corpora of a contract, by their size and their share of odd texts.
pub(crate) fn hostile(contract: &str) -> Option<fn(usize, Share) -> BoxedStrategy<Corpus>> {
    CONTRACTS.iter().find(|known| known.name == contract)?.hostile
}
