//! A Rem as a line of the corpus gives it, and what kind of Rem it is.

use super::piece::{Piece, split_at_delimiter};
use serde::{Deserialize, Serialize};

/// One Rem.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rem {
    pub(crate) id: String,
    /// None at the top level.
    pub(crate) parent: Option<String>,
    /// In order.
    #[serde(default)]
    pub(crate) children: Vec<String>,
    text: Vec<Piece>,
    #[serde(default)]
    back: Vec<Piece>,
    #[serde(default)]
    kinds: Vec<Kind>,
    #[serde(default)]
    practice: Practice,
    /// Other names, in order.
    #[serde(default)]
    pub(crate) aliases: Vec<Vec<Piece>>,
    /// Names without `#`, which are the ids of the Rems that are the tags.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    row: Option<Row>,
}

/// What a Rem can be; it may be several of these.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Document,
    DailyDocument,
    Concept,
    Descriptor,
    Portal,
}

/// Which way a flashcard is practised.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Practice {
    Forward,
    Reverse,
    Bidirectional,
    #[default]
    None,
}

/// Metadata that the knowledge base keeps as a child.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Row {
    Powerup,
    Property,
}

/// The field `remType`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RemType {
    Document,
    DailyDocument,
    Concept,
    Descriptor,
    Portal,
    Text,
}

/// The field `cardDirection`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CardDirection {
    Forward,
    Reverse,
    Bidirectional,
}

impl Rem {
    /// The one type of a Rem that may be several things.
    pub(crate) fn rem_type(&self) -> RemType {
        let order = [
            (Kind::DailyDocument, RemType::DailyDocument),
            (Kind::Concept, RemType::Concept),
            (Kind::Descriptor, RemType::Descriptor),
            (Kind::Portal, RemType::Portal),
            (Kind::Document, RemType::Document),
        ];
        let first = order.into_iter().find(|(kind, _)| self.kinds.contains(kind));
        first.map_or(RemType::Text, |(_, rem_type)| rem_type)
    }

    /// Of several kinds, keeps that of a document alone.
    pub(crate) fn prefer_document(&mut self) {
        if self.kinds.contains(&Kind::Document) {
            self.kinds.retain(|kind| *kind == Kind::Document);
        }
    }

    /// From 0.16 on, what is a document and something else is a document, unless it is a daily one.
    pub(crate) fn document_first(&mut self) {
        if !self.kinds.contains(&Kind::DailyDocument) {
            self.prefer_document();
        }
    }

    /// Whether its text is this one.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        matches!(self.text.as_slice(), [Piece::Text(text, _)] if text == name)
    }

    /// Power-up and property rows are no content, and no search finds them.
    pub(crate) fn is_row(&self) -> bool {
        self.row.is_some()
    }

    /// The text before the card delimiter, all of it where there is none.
    pub(crate) fn front(&self) -> &[Piece] {
        split_at_delimiter(&self.text).0
    }

    /// What may be the back of the card, the better source first: the back text, then what follows the delimiter.
    pub(crate) fn backs(&self) -> [&[Piece]; 2] {
        [&self.back, split_at_delimiter(&self.text).1]
    }

    /// Which way the card is practised, if this is a card.
    pub(crate) fn card_direction(&self) -> Option<CardDirection> {
        match self.practice {
            Practice::Forward => Some(CardDirection::Forward),
            Practice::Reverse => Some(CardDirection::Reverse),
            Practice::Bidirectional => Some(CardDirection::Bidirectional),
            Practice::None => None,
        }
    }
}

impl RemType {
    /// The place in the order of results: the document's type priority.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Document | Self::Concept => 0,
            Self::DailyDocument => 1,
            Self::Portal => 2,
            Self::Descriptor => 3,
            Self::Text => 4,
        }
    }

    /// The text between title and back in a headline.
    pub(crate) fn delimiter(self) -> &'static str {
        match self {
            Self::Concept => "::",
            Self::Descriptor => ";;",
            _ => ">>",
        }
    }

    /// What a search by tag prefers to answer with.
    pub(crate) fn is_document(self) -> bool {
        matches!(self, Self::Document | Self::DailyDocument)
    }
}
