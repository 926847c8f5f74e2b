//! Rich text, rendered.
//!
//! The document's invariants: a reference becomes readable text, in brackets from 0.16 on, a true circle ends, the same target twice side by side is not
//! a circle, media leave a placeholder, structural markers do not show.

use super::corpus::Corpus;
use super::piece::Piece;
use std::collections::HashSet;

/// Whether marks are written or left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Style {
    Markdown,
    Plain,
}

/// Renders pieces. `start` is the Rem whose title this is: a reference back to it closes a circle.
pub(crate) fn rendered(corpus: &Corpus, pieces: &[Piece], start: Option<&str>, style: Style) -> String {
    let mut text = String::new();
    let (before, after) = if style == Style::Markdown { corpus.revision.around_references() } else { ("", "") };
    // A chain of references may be long, so the open pieces are in a list and not on the program's stack.
    let mut open = vec![(start, pieces.iter())];
    let mut path: HashSet<&str> = start.into_iter().collect();
    while let Some((id, rest)) = open.last_mut() {
        match rest.next() {
            None => {
                if let Some(id) = id {
                    path.remove(*id);
                }
                open.pop();
                if !open.is_empty() {
                    text.push_str(after);
                }
            }
            Some(Piece::Reference(target)) => match corpus.rem(target) {
                None => text.push_str("[deleted reference]"),
                Some(rem) if !path.insert(&rem.id) => text.push_str("[circular reference]"),
                Some(rem) => {
                    text.push_str(before);
                    open.push((Some(&rem.id), rem.front().iter()));
                }
            },
            Some(Piece::Text(plain, marks)) if style == Style::Markdown => text.push_str(&marks.around(plain)),
            Some(Piece::Text(plain, _) | Piece::Latex(plain) | Piece::Global(plain)) => text.push_str(plain),
            Some(Piece::Image(title)) => text.push_str(if title.is_empty() { "[image]" } else { title }),
            Some(Piece::Audio) => text.push_str("[audio]"),
            Some(Piece::Drawing) => text.push_str("[drawing]"),
            Some(Piece::Delimiter) => {}
        }
    }
    text
}
