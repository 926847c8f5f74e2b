//! What tells the outlines of one version of the document from those of another.

use crate::format::Grammar;
use std::sync::LazyLock;

/// The form of outlines by one version of the document.
pub(super) struct Style {
    /// The published grammar of a line.
    pub(super) grammar: &'static LazyLock<Grammar>,
    /// The sections of an overview, in their order.
    pub(super) sections: [&'static str; 3],
    /// What begins a heading.
    pub(super) mark: &'static str,
    /// Whether it is the second version: headings count their records, the envelope has a tick, records may hide their children, and
    /// nothing marks a body.
    pub(super) is_second: bool,
}

/// The first version.
pub(super) static FIRST: Style =
    Style { grammar: &GRAMMAR, sections: ["ROOT", "OPEN", "LATER"], mark: "#", is_second: false };

/// The second version, of the same day.
pub(super) static SECOND: Style =
    Style { grammar: &GRAMMAR_2, sections: ["OPEN", "LATER", "RESOLVED"], mark: "##", is_second: true };

static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::built_in(include_str!("../../../../../schemas/outline/outline.pest")));

static GRAMMAR_2: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::built_in(include_str!("../../../../../schemas/outline/outline.2.pest")));

impl Style {
    /// The sections, for people.
    pub(super) fn named(&self) -> String {
        let [first, second, third] = self.sections;
        format!("{first}, {second} or {third}")
    }

    /// The form of a heading, for people.
    pub(super) fn heading(&self) -> String {
        let count = if self.is_second { " (COUNT)" } else { "" };
        format!("{} NAME{count}", self.mark)
    }
}
