//! How recall can answer otherwise and still as its document says.

use strum::{EnumString, VariantNames};

/// What `--variant` can name, each for a legal answer of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Variant {
    /// One word of `q` is enough, and `-word` excludes a word.
    OrWords,
    /// A window does not hold its ends.
    ExclusiveBounds,
    /// An `end_time` of the future is now.
    UntilNow,
    /// Only words of ASCII letters are found.
    LatinOnly,
    /// Frames of one time come in the order of their ids.
    OldIdsFirst,
    /// Frames of one time come in another order on pages of an odd size.
    OrderByPageSize,
    /// A page may have any size.
    AnyPageSize,
    /// A page has 20 results at most, however many are asked for.
    SmallPages,
    /// A `q` without a letter or digit browses.
    OddBrowses,
    /// Frames without text are no results.
    NoTextNoResult,
    /// What makes no sense as a `limit`, an `offset` or a `focused` is read as missing.
    Forgiving,
}
