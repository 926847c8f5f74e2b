//! What the judge knows of one contract besides its data.

use super::function::NamedFunction;
use super::hostile::Share;
use super::shape::{Corpus, Shape};
use crate::format::Format;
use crate::path::Picker;
use crate::rules::Rule;
use proptest::prelude::BoxedStrategy;

/// What the judge knows of one contract besides its data. A contract over JSON answers needs none of it.
pub(crate) struct Specifics {
    /// The contract.
    pub(crate) name: &'static str,
    /// Its formats of text answers.
    pub(crate) formats: &'static [Format],
    /// Its rules, which know its words.
    pub(crate) rules: &'static [Rule],
    /// Its picks.
    pub(crate) picks: &'static [Picker],
    /// What its legal answers call for and no general change can express.
    pub(crate) functions: &'static [NamedFunction],
    /// Its random corpora and calls.
    pub(crate) shape: Option<&'static dyn Shape>,
    /// Random corpora, about as many pieces as a size and about as many odd texts as a share says, that are legal and hard to serve. What a document leaves free is not kept out.
    pub(crate) hostile: Option<fn(usize, Share) -> BoxedStrategy<Corpus>>,
}
