//! How outline can answer otherwise and still as its document says.

use strum::{EnumString, VariantNames};

/// What `--variant` can name, each for a legal answer of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Variant {
    /// A search finds the records in the order of the store, whatever they match best.
    StoreOrder,
    /// From revision 2 on, the listings take no `format`.
    NoFormat,
}
