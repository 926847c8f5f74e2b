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
    /// Those that can be spoken: 0.6, 0.7, 0.13, 0.15, 0.16, and what was written after it.
    pub(super) const ALL: &[u32] = &[1, 2, 3, 4, 5, 6];

    pub(super) fn of(number: u32) -> Self {
        Self(number)
    }

    /// From 0.7 on, a read gives nodes too.
    pub(super) fn reads_nodes(self) -> bool {
        self.0 >= 2
    }

    /// From 0.7 on, the corpus has what the cases of later revisions ask for.
    pub(super) fn holds_more(self) -> bool {
        self.0 >= 2
    }

    /// From 0.13 on, an answer shows the tags of a Rem.
    pub(super) fn shows_tags(self) -> bool {
        self.0 >= 3
    }

    /// From 0.15 on, a tag is the Rem with its id: it is asked for and shown by that.
    pub(super) fn tags_are_rems(self) -> bool {
        self.0 >= 4
    }

    /// From 0.16 on: `contentMode`, views, ancestors, references in brackets, documents before concepts, and pages of a snapshot.
    pub(super) fn has_pages(self) -> bool {
        self.0 >= 5
    }

    /// After 0.16, a search may keep to what is below a Rem.
    pub(super) fn has_scopes(self) -> bool {
        self.0 >= 6
    }

    /// What stands around the title of a Rem that is referred to.
    pub(super) fn around_references(self) -> (&'static str, &'static str) {
        if self.has_pages() { ("[[", "]]") } else { ("", "") }
    }

    /// What the argument with the mode of the content is called.
    pub(super) fn mode(self) -> &'static str {
        if self.has_pages() { "contentMode" } else { "includeContent" }
    }

    /// What the argument with the tag is called.
    pub(super) fn tag(self) -> &'static str {
        if self.tags_are_rems() { "tagRemId" } else { "tag" }
    }
}
