//! The section "Summary extraction": front matter, else `## Summary`, else the first paragraph, else nothing.
//!
//! Paragraphs are those of CommonMark at the top level of the body, so neither a heading, a fence, a comment, a list nor
//! a quotation is one, and a `## Summary` inside a fence is no heading.

use super::note::Note;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

/// The heading above a summary, as written in the file.
const HEADING: &str = "## Summary";

/// The summary of a note as one line, with runs of white space collapsed; empty if there is none.
pub(crate) fn summary(note: &Note) -> String {
    let written = one_line(note.summary.as_deref().unwrap_or_default());
    if written.is_empty() { one_line(from_body(&note.body)) } else { written }
}

fn from_body(body: &str) -> &str {
    let mut first = "";
    let mut under_heading = false;
    for block in blocks(body) {
        match block {
            Block::Heading(level, text) if level <= HeadingLevel::H2 => under_heading = text == HEADING,
            Block::Heading(..) => {}
            Block::Paragraph(text) if under_heading => return text,
            Block::Paragraph(text) if first.is_empty() => first = text,
            Block::Paragraph(_) => {}
        }
    }
    first
}

enum Block<'a> {
    Heading(HeadingLevel, &'a str),
    Paragraph(&'a str),
}

/// The headings and paragraphs that no other block encloses, as raw Markdown.
fn blocks(body: &str) -> Vec<Block<'_>> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(body, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                match tag {
                    Tag::Heading { level, .. } if depth == 0 => found.push(Block::Heading(level, body[range].trim())),
                    Tag::Paragraph if depth == 0 => found.push(Block::Paragraph(body[range].trim())),
                    _ => {}
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    found
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
