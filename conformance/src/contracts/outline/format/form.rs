//! Indents, blank lines and characters: the form of lines.

/// The kind of a line that is not blank.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Before {
    /// No line at all.
    #[default]
    Start,
    Envelope,
    Heading,
    Header,
    Summary,
    Snippet,
    /// Nothing of an outline.
    Astray,
}

impl Before {
    /// How many blank lines are due between such a line and a header.
    pub(super) fn blanks_due_before_a_header(self) -> usize {
        usize::from(matches!(self, Self::Envelope | Self::Summary | Self::Snippet))
    }
}

/// The white space before a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Indent {
    pub(super) spaces: usize,
    pub(super) tabs: usize,
}

impl Indent {
    pub(super) fn of(text: &str) -> Self {
        let tabs = text.matches('\t').count();
        Self { spaces: text.len() - tabs, tabs }
    }

    /// In spaces, a tab taken for one level.
    pub(super) fn width(self) -> usize {
        self.spaces + 2 * self.tabs
    }

    pub(super) fn characters(self) -> usize {
        self.spaces + self.tabs
    }
}

/// The column of the first control character behind the indent, from 1.
pub(super) fn control_character(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    let behind = line[indent..].chars().position(char::is_control)?;
    Some(indent + behind + 1)
}
