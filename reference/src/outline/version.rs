//! What the revisions of the document differ in.

/// The version of the document that is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Version {
    /// That of revision 1.
    #[default]
    First,
    /// That of revision 2: `format` is `json` or `outline`, headings count, a title stands as it is, nothing marks a body.
    Second,
}

impl Version {
    pub(crate) fn of(revision: u32) -> Self {
        if revision < 2 { Self::First } else { Self::Second }
    }
}
