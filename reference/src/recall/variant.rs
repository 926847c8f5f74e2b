//! How recall can answer otherwise and still as its document says.

use strum::{EnumString, VariantNames};

/// What `--variant` can name, each for a legal answer of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Variant {
    /// One word of `q` is enough, and `-word` excludes a word.
    OrWords,
}
