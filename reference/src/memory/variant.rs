//! How memory can answer otherwise and still as its document says.

use strum::{EnumString, VariantNames};

/// What `--variant` can name, each for a legal answer of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Variant {
    /// A match holds every word of the query.
    EveryWord,
}
