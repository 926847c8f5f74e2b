//! What every answer says about a Rem: the fields that search, search by tag and read share with the nodes of structured content.

use super::corpus::Corpus;
use super::piece::Piece;
use super::rem::{CardDirection, Rem, RemType};
use super::rich::{self, Style};
use serde::Serialize;
use std::collections::HashSet;
use std::slice;

/// The Rem itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Label {
    pub(crate) rem_id: String,
    pub(crate) title: String,
    pub(crate) headline: String,
    pub(crate) rem_type: RemType,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inline_refs: Vec<InlineRef>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) aliases: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<Tag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) card_direction: Option<CardDirection>,
}

/// A reference in the title or the headline.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InlineRef {
    text: String,
    target_rem_id: String,
    kind: &'static str,
}

/// A tag, as the revision shows it.
#[derive(Serialize)]
#[serde(untagged)]
enum Tag {
    Name(String),
    #[serde(rename_all = "camelCase")]
    Rem {
        tag_rem_id: String,
        name: String,
    },
}

/// The parent; a Rem at the top level has none.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Parent {
    parent_rem_id: String,
    parent_title: String,
}

/// The Rems above, the parent first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Above {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ancestors: Vec<Ancestor>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ancestors_truncated: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ancestor {
    rem_id: String,
    title: String,
    rem_type: RemType,
}

/// The title: the front, rendered.
pub(crate) fn title(corpus: &Corpus, rem: &Rem) -> String {
    rich::rendered(corpus, rem.front(), Some(&rem.id), Style::Markdown)
}

/// The back, rendered. One that renders to nothing does not count.
pub(crate) fn back(corpus: &Corpus, rem: &Rem) -> Option<String> {
    back_of(corpus, rem).map(|(_, text)| text)
}

fn back_of<'a>(corpus: &Corpus, rem: &'a Rem) -> Option<(&'a [Piece], String)> {
    // A back may refer to its own front. That is not a circle, because a reference shows the front alone.
    let rendered = |pieces| (pieces, rich::rendered(corpus, pieces, None, Style::Markdown));
    rem.backs().into_iter().map(rendered).find(|(_, text)| !text.is_empty())
}

/// The Rems above one, the parent first.
pub(crate) fn above<'a>(corpus: &'a Corpus, rem: &'a Rem) -> impl Iterator<Item = &'a Rem> {
    let parent = |rem: &Rem| rem.parent.as_ref().and_then(|id| corpus.rem(id));
    let mut seen = HashSet::from([rem.id.as_str()]);
    std::iter::successors(parent(rem), move |rem| parent(rem)).take_while(move |rem| seen.insert(&rem.id))
}

impl Label {
    pub(crate) fn of(corpus: &Corpus, rem: &Rem) -> Self {
        let title = title(corpus, rem);
        let rem_type = rem.rem_type();
        let back = back_of(corpus, rem);
        let (headline, card_direction) = match &back {
            Some((_, back)) => (format!("{title} {} {back}", rem_type.delimiter()), rem.card_direction()),
            None => (title.clone(), None),
        };
        let aliases = rem.aliases.iter().map(|pieces| rich::rendered(corpus, pieces, None, Style::Markdown));
        let aliases = aliases.filter(|alias| !alias.is_empty()).collect();
        let inline_refs = match corpus.revision.has_pages() {
            true => {
                let of_title = rem.front().iter().filter_map(|piece| InlineRef::of(corpus, piece, Some(&rem.id)));
                let of_back = back.into_iter().flat_map(|(pieces, _)| pieces);
                of_title.chain(of_back.filter_map(|piece| InlineRef::of(corpus, piece, None))).collect()
            }
            false => Vec::new(),
        };
        let tags = match corpus.revision.shows_tags() {
            true => rem.tags.iter().filter_map(|id| Tag::of(corpus, id)).collect(),
            false => Vec::new(),
        };
        Self { rem_id: rem.id.clone(), title, headline, rem_type, inline_refs, aliases, tags, card_direction }
    }

    /// Leaves out what only adds to it.
    pub(crate) fn compact(self) -> Self {
        Self { inline_refs: Vec::new(), aliases: Vec::new(), tags: Vec::new(), card_direction: None, ..self }
    }
}

impl InlineRef {
    /// The reference that a piece is, unless its target is gone or it closes a circle.
    fn of(corpus: &Corpus, piece: &Piece, start: Option<&str>) -> Option<Self> {
        let Piece::Reference(target) = piece else { return None };
        let shown = rich::rendered(corpus, slice::from_ref(piece), start, Style::Markdown);
        let (before, after) = corpus.revision.around_references();
        let text = shown.strip_prefix(before)?.strip_suffix(after)?.to_owned();
        corpus.rem(target).map(|_| Self { text, target_rem_id: target.clone(), kind: "rem" })
    }
}

impl Tag {
    /// The tag of this id, where a Rem has the id and a name.
    fn of(corpus: &Corpus, id: &str) -> Option<Self> {
        let name = title(corpus, corpus.rem(id)?);
        match corpus.revision.tags_are_rems() {
            _ if name.is_empty() => None,
            true => Some(Self::Rem { tag_rem_id: id.to_owned(), name }),
            false => Some(Self::Name(name)),
        }
    }
}

impl Parent {
    pub(crate) fn of(corpus: &Corpus, rem: &Rem) -> Option<Self> {
        let parent = corpus.rem(rem.parent.as_ref()?)?;
        Some(Self { parent_rem_id: parent.id.clone(), parent_title: title(corpus, parent) })
    }
}

impl Above {
    /// At most so many of them.
    pub(crate) fn of(corpus: &Corpus, rem: &Rem, depth: usize) -> Option<Self> {
        let ancestor =
            |rem: &Rem| Ancestor { rem_id: rem.id.clone(), title: title(corpus, rem), rem_type: rem.rem_type() };
        let mut all = above(corpus, rem);
        let ancestors = all.by_ref().take(depth).map(ancestor).collect();
        (depth > 0).then(|| Self { ancestors, ancestors_truncated: all.next().is_some() })
    }
}
