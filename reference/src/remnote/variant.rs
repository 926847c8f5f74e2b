//! How remnote can answer otherwise and still as its document says.

use strum::{EnumString, VariantNames};

/// What `--variant` can name, each for a legal answer of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Variant {
    /// The SDK is asked for four hits a result in place of two.
    LargerSample,
    /// A tagged document stands for itself, whatever is above it.
    TaggedDocumentStays,
    /// A Rem that is a document and something else is a document.
    DocumentWins,
    /// A query finds the Rems that have each of its words as a whole word.
    WholeWords,
    /// `childLimit` counts all children that are shown of a note, not those of each node.
    ChildLimitOfAll,
}
