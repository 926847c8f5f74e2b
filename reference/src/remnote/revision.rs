//! The revisions of the document, and what each of them changes.

/// A revision of the document, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Revision(u32);

impl Default for Revision {
    fn default() -> Self {
        Self(1)
    }
}

impl Revision {
    pub(super) fn of(number: u32) -> Self {
        Self(number)
    }

    /// From 0.7 on, a read gives nodes too.
    pub(super) fn reads_nodes(self) -> bool {
        self.0 >= 2
    }
}
