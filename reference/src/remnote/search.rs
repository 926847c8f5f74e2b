//! The three operations: what they find, in which order, and how much of it.

use super::arguments::{ByTag, Mode, Read, Refusal, Rendering, Search};
use super::content::{self, Markdown, Node};
use super::corpus::Corpus;
use super::item::{Label, Parent};
use super::rem::Rem;
use super::rich::{self, Style};
use super::variant::Variant;
use serde::Serialize;
use std::collections::HashSet;

/// How many hits the SDK is asked for, for each result wanted: some of them are duplicates.
const OVERSAMPLING: usize = 2;

/// The answer to both searches.
#[derive(Serialize)]
pub(crate) struct Results {
    results: Vec<Item>,
}

/// A Rem that was found, or read.
#[derive(Serialize)]
pub(crate) struct Item {
    #[serde(flatten)]
    label: Label,
    #[serde(flatten)]
    parent: Option<Parent>,
    #[serde(flatten)]
    content: Option<Content>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Markdown(Markdown),
    #[serde(rename_all = "camelCase")]
    Structured {
        content_structured: Vec<Node>,
    },
}

/// Answers `remnote_search`.
pub(crate) fn search(corpus: &Corpus, asked: &Search) -> Results {
    let title = |rem: &Rem| rich::rendered(corpus, rem.front(), Some(&rem.id), Style::Plain);
    let sample = match corpus.variant {
        Some(Variant::LargerSample) => 2 * OVERSAMPLING,
        _ => OVERSAMPLING,
    };
    let hits = corpus.hits(&asked.query, asked.limit * sample, title);
    results(corpus, hits, asked.limit, asked.rendering)
}

/// Answers `remnote_search_by_tag`.
pub(crate) fn search_by_tag(corpus: &Corpus, asked: &ByTag) -> Results {
    let targets = corpus.tagged(&asked.tag).into_iter().map(|hit| target(corpus, hit)).collect();
    results(corpus, targets, asked.limit, asked.rendering)
}

/// Answers `remnote_read_note`.
pub(crate) fn read_note(corpus: &Corpus, asked: &Read) -> Result<Item, Refusal> {
    let rem = corpus.rem(&asked.rem_id).ok_or_else(|| Refusal::unknown_rem(&asked.rem_id))?;
    Ok(item(corpus, rem, asked.rendering))
}

/// Each Rem once, better types first, else in the order of the hits; then the limit.
fn results(corpus: &Corpus, mut found: Vec<&Rem>, limit: usize, rendering: Rendering) -> Results {
    let mut seen = HashSet::new();
    found.retain(|rem| seen.insert(&rem.id));
    found.sort_by_key(|rem| rem.rem_type().rank());
    Results { results: found.into_iter().take(limit).map(|rem| item(corpus, rem, rendering)).collect() }
}

/// The result for a tagged Rem: the nearest document above it, else its parent, else itself.
fn target<'a>(corpus: &'a Corpus, tagged: &'a Rem) -> &'a Rem {
    if corpus.variant == Some(Variant::TaggedDocumentStays) && tagged.rem_type().is_document() {
        return tagged;
    }
    let parent = |rem: &Rem| rem.parent.as_ref().and_then(|id| corpus.rem(id));
    let mut seen = HashSet::from([&tagged.id]);
    let mut above = parent(tagged);
    while let Some(rem) = above.filter(|rem| seen.insert(&rem.id)) {
        if rem.rem_type().is_document() {
            return rem;
        }
        above = parent(rem);
    }
    parent(tagged).unwrap_or(tagged)
}

fn item(corpus: &Corpus, rem: &Rem, rendering: Rendering) -> Item {
    let content = match rendering.mode {
        Mode::None => None,
        Mode::Markdown => Some(Content::Markdown(content::markdown(corpus, rem, rendering.limits))),
        Mode::Structured => {
            Some(Content::Structured { content_structured: content::nodes(corpus, rem, rendering.limits) })
        }
    };
    Item { label: Label::of(corpus, rem), parent: Parent::of(corpus, rem), content }
}
