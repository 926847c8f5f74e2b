//! What the judge knows of one contract besides its data.

use super::function::NamedFunction;
use super::shape::Shape;
use crate::format::Format;
use crate::path::Picker;
use crate::rules::Rule;

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
}
