//! How many results a revision of the document lets a search ask for.

use std::ops::RangeInclusive;

/// How many results may be asked for: the one thing that the revisions differ in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ranges {
    pub(crate) entries: RangeInclusive<i64>,
    pub(crate) contexts: RangeInclusive<i64>,
}

impl Ranges {
    /// Those of a revision: ADR-017, "Request Structure", and from the second on ADR-020, "Decision".
    pub(crate) fn of(revision: u32) -> Self {
        match revision {
            1 => Self { entries: 0..=10, contexts: 1..=3 },
            _ => Self { entries: 0..=25, contexts: 1..=10 },
        }
    }
}
