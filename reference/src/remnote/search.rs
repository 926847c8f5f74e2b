//! The three operations: what they find, in which order, and how much of it.

use super::arguments::{ByTag, Mode, Page, Read, Refusal, Search, Shown};
use super::content::{self, Markdown, Node};
use super::corpus::Corpus;
use super::item::{Above, Label, Parent, above};
use super::page::{Paging, SNAPSHOT, page};
use super::rem::Rem;
use super::rich::{self, Style};
use super::tagged::{Context, Matched, target};
use super::variant::Variant;
use serde::Serialize;
use std::collections::HashSet;

/// How many hits the SDK is asked for, for each result wanted: some of them are duplicates.
const OVERSAMPLING: usize = 2;

/// The answer to both searches.
#[derive(Serialize)]
pub(crate) struct Results {
    results: Vec<Item>,
    #[serde(flatten)]
    paging: Option<Paging>,
}

/// A Rem that was found, or read.
#[derive(Serialize)]
pub(crate) struct Item {
    #[serde(flatten)]
    label: Label,
    #[serde(flatten)]
    parent: Option<Parent>,
    #[serde(flatten)]
    above: Option<Above>,
    #[serde(flatten)]
    content: Option<Content>,
    #[serde(flatten)]
    tagged: Option<Context>,
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

/// What a search found, better types first.
struct Found<'a> {
    rems: Vec<&'a Rem>,
    /// Whether more hits there were than are looked at.
    is_cut: bool,
}

/// Answers `remnote_search`.
pub(crate) fn search(corpus: &Corpus, asked: &Search) -> Result<Results, Refusal> {
    let title = |rem: &Rem| rich::rendered(corpus, rem.front(), Some(&rem.id), Style::Plain);
    let sample = match corpus.variant {
        _ if corpus.revision.has_pages() => SNAPSHOT,
        Some(Variant::LargerSample) => 2 * OVERSAMPLING * asked.page.limit,
        _ => OVERSAMPLING * asked.page.limit,
    };
    let is_below = |rem: &&Rem| asked.below.as_ref().is_none_or(|id| above(corpus, rem).any(|one| one.id == *id));
    let hits: Vec<&Rem> = corpus.hits(&asked.query, title).filter(is_below).take(sample).collect();
    let found = Found { is_cut: hits.len() >= SNAPSHOT, rems: sorted(hits) };
    let bound = ["search", &asked.query, asked.below.as_deref().unwrap_or_default()];
    results(corpus, &found, &asked.page, &bound, |rem| item(corpus, rem, asked.shown))
}

/// Answers `remnote_search_by_tag`.
pub(crate) fn search_by_tag(corpus: &Corpus, asked: &ByTag) -> Result<Results, Refusal> {
    let mut matches = corpus.tagged(&asked.tag);
    if corpus.revision.has_pages() {
        matches.truncate(SNAPSHOT);
    }
    let is_cut = matches.len() >= SNAPSHOT;
    let targets = || matches.iter().map(|hit| target(corpus, hit).0).collect();
    let found = Found { rems: sorted(if asked.tagged { matches.clone() } else { targets() }), is_cut };
    let mode = if asked.tagged { "tagged" } else { "context" };
    results(corpus, &found, &asked.page, &["tag", &asked.tag, mode], |rem| {
        let tagged = match corpus.revision.has_pages() {
            true if asked.tagged => Some(Context::of(corpus, rem)),
            true => Some(Context::Matched(Matched::all(corpus, rem, &matches, asked.shown.ancestors))),
            false => None,
        };
        Item { tagged, ..item(corpus, rem, asked.shown) }
    })
}

/// Answers `remnote_read_note`.
pub(crate) fn read_note(corpus: &Corpus, asked: &Read) -> Result<Item, Refusal> {
    let rem = corpus.rem(&asked.rem_id).ok_or_else(|| Refusal::unknown_rem(&asked.rem_id))?;
    Ok(item(corpus, rem, asked.shown))
}

/// Each Rem once, better types first, else in the order of the hits.
fn sorted(mut found: Vec<&Rem>) -> Vec<&Rem> {
    let mut seen = HashSet::new();
    found.retain(|rem| seen.insert(&rem.id));
    found.sort_by_key(|rem| rem.rem_type().rank());
    found
}

/// The page that is asked for; before 0.16 there is one alone, and nothing is said of it. What the cursors of a search are bound
/// to is in `bound`.
fn results(
    corpus: &Corpus,
    Found { rems, is_cut }: &Found<'_>,
    asked: &Page,
    bound: &[&str],
    item: impl Fn(&Rem) -> Item,
) -> Result<Results, Refusal> {
    let (rems, paging) = match corpus.revision.has_pages() {
        true => page(rems, asked, bound, *is_cut).map(|(rems, paging)| (rems, Some(paging)))?,
        false => (&rems[..rems.len().min(asked.limit)], None),
    };
    Ok(Results { results: rems.iter().map(|rem| item(rem)).collect(), paging })
}

fn item(corpus: &Corpus, rem: &Rem, shown: Shown) -> Item {
    let limits = shown.rendering.limits;
    let content = match shown.rendering.mode {
        Mode::None => None,
        Mode::Markdown => Some(Content::Markdown(content::markdown(corpus, rem, limits))),
        Mode::Structured => Some(Content::Structured { content_structured: content::nodes(corpus, rem, limits) }),
    };
    let label = Label::of(corpus, rem);
    let label = if shown.compact { label.compact() } else { label };
    let above = Above::of(corpus, rem, shown.ancestors);
    Item { label, parent: Parent::of(corpus, rem), above, content, tagged: None }
}
