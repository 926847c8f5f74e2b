//! Records as an outline: headers, summaries and snippets, indented by two spaces a level.

use super::cut::cut;
use super::record::State;
use super::store::Store;
use super::text::{BODY, escaped, escaped_title, lines, title};
use super::tree::Node;
use super::version::Version;
use std::collections::HashMap;
use std::fmt::Write;

/// What is shown of each record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detail {
    pub(crate) summaries: Summaries,
    /// `+n`, and `[+body]` where the document has it.
    pub(crate) marks: bool,
    /// The most that a summary may have, in Unicode scalar values.
    pub(crate) summary_limit: Option<usize>,
}

/// Which records have their summaries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Summaries {
    None,
    /// Of records that are open: the others need no reasoning.
    Open,
    All,
}

/// A part of an outline under its heading.
pub(crate) struct Section {
    pub(crate) name: &'static str,
    pub(crate) nodes: Vec<Node>,
}

/// Prints outlines of one store.
pub(crate) struct Renderer<'s> {
    pub(crate) store: &'s Store,
    pub(crate) detail: Detail,
    /// What search found of each record, by its place.
    pub(crate) snippets: HashMap<usize, String>,
}

impl Renderer<'_> {
    /// An outline without headings.
    pub(crate) fn outline(&self, nodes: &[Node]) -> String {
        let mut text = String::new();
        // A blank line parts a summary from the next header.
        let mut blank_is_due = false;
        for node in nodes {
            if blank_is_due {
                text.push('\n');
            }
            blank_is_due = self.record(node, &mut text);
        }
        text
    }

    /// Sections one below the other; those without records are left out.
    pub(crate) fn sections(&self, sections: &[Section]) -> String {
        let sections = sections.iter().filter(|section| !section.nodes.is_empty());
        let texts = sections.map(|section| {
            let heading = match self.store.version {
                Version::First => format!("# {}\n", section.name),
                Version::Second => format!("## {} ({})\n\n", section.name, section.nodes.len()),
            };
            heading + &self.outline(&section.nodes)
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Prints a record, and returns whether there is anything below its header.
    fn record(&self, node: &Node, text: &mut String) -> bool {
        let record = self.store.record(node.place);
        let indent = 2 * node.depth;
        let open = self.store.open_children(node.place);
        let count = if self.detail.marks && open > 0 { format!("+{open}") } else { String::new() };
        let title = title(&record.title);
        // From revision 2 on, a title stands as it is, and nothing marks a body.
        let (title, mark) = match self.store.version {
            Version::First if self.detail.marks && !record.body.is_empty() => {
                (escaped_title(&title), format!(" {BODY}"))
            }
            Version::First => (escaped_title(&title), String::new()),
            Version::Second => (title, String::new()),
        };
        let state = record.state.letter();
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{:indent$}[{}] ({state}{count}) {title}{mark}", "", record.id);
        let below = self.below(node.place);
        for line in &below {
            let _ = writeln!(text, "{:1$}{line}", "", indent + 2);
        }
        !below.is_empty()
    }

    /// The lines below the header of a record.
    fn below(&self, place: usize) -> Vec<String> {
        let record = self.store.record(place);
        let is_summarised = match self.detail.summaries {
            Summaries::None => false,
            Summaries::Open => record.state == State::Open,
            Summaries::All => true,
        };
        let mut below = Vec::new();
        if is_summarised {
            let summary = lines(&record.summary).join("\n");
            let shown = self.detail.summary_limit.map_or_else(|| summary.clone(), |limit| cut(&summary, limit));
            below.extend(lines(&shown).iter().map(|line| escaped(line)));
        }
        below.extend(self.snippets.get(&place).map(|snippet| format!("> {}", escaped(snippet))));
        below
    }
}
