//! What every answer says about a Rem: the fields that search, search by tag and read share with the nodes of structured content.

use super::corpus::Corpus;
use super::rem::{CardDirection, Rem, RemType};
use super::rich::{self, Style};
use serde::Serialize;

/// The Rem itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Label {
    pub(crate) rem_id: String,
    pub(crate) title: String,
    pub(crate) headline: String,
    pub(crate) rem_type: RemType,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) aliases: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) card_direction: Option<CardDirection>,
}

/// The parent; a Rem at the top level has none.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Parent {
    parent_rem_id: String,
    parent_title: String,
}

/// The title: the front, rendered.
pub(crate) fn title(corpus: &Corpus, rem: &Rem) -> String {
    rich::rendered(corpus, rem.front(), Some(&rem.id), Style::Markdown)
}

/// The back, rendered. One that renders to nothing does not count.
pub(crate) fn back(corpus: &Corpus, rem: &Rem) -> Option<String> {
    // A back may refer to its own front. That is not a circle, because a reference shows the front alone.
    let rendered = |pieces| rich::rendered(corpus, pieces, None, Style::Markdown);
    rem.backs().into_iter().map(rendered).find(|text| !text.is_empty())
}

impl Label {
    pub(crate) fn of(corpus: &Corpus, rem: &Rem) -> Self {
        let title = title(corpus, rem);
        let rem_type = rem.rem_type();
        let (headline, card_direction) = match back(corpus, rem) {
            Some(back) => (format!("{title} {} {back}", rem_type.delimiter()), rem.card_direction()),
            None => (title.clone(), None),
        };
        let aliases = rem.aliases.iter().map(|pieces| rich::rendered(corpus, pieces, None, Style::Markdown));
        let aliases = aliases.filter(|alias| !alias.is_empty()).collect();
        Self { rem_id: rem.id.clone(), title, headline, rem_type, aliases, card_direction }
    }
}

impl Parent {
    pub(crate) fn of(corpus: &Corpus, rem: &Rem) -> Option<Self> {
        let parent = corpus.rem(rem.parent.as_ref()?)?;
        Some(Self { parent_rem_id: parent.id.clone(), parent_title: title(corpus, parent) })
    }
}
