//! What a tagged Rem stands for, and what an answer says of that from 0.16 on.

use super::corpus::Corpus;
use super::item::{Above, above, title};
use super::rem::{Rem, RemType};
use super::variant::Variant;
use serde::Serialize;

/// What led to a result of a search by tag.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Context {
    /// The result is what these tagged Rems stand for.
    #[serde(rename_all = "camelCase")]
    Matched(Matched),
    /// The result is tagged, and stands for this.
    #[serde(rename_all = "camelCase")]
    Of { context_rem_id: String, context_title: String, context_reason: Reason },
}

/// The tagged Rems that led to a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Matched {
    matched_rems: Vec<One>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct One {
    rem_id: String,
    title: String,
    rem_type: RemType,
    #[serde(flatten)]
    above: Option<Above>,
}

/// Why a Rem stands for another one.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reason {
    AncestorDocument,
    AncestorConcept,
    AncestorContext,
    #[serde(rename = "self")]
    Itself,
}

/// The result for a tagged Rem: the nearest document above it, else its parent, else itself.
pub(super) fn target<'a>(corpus: &'a Corpus, tagged: &'a Rem) -> (&'a Rem, Reason) {
    if corpus.variant == Some(Variant::TaggedDocumentStays) && tagged.rem_type().is_document() {
        return (tagged, Reason::Itself);
    }
    if let Some(document) = above(corpus, tagged).find(|rem| rem.rem_type().is_document()) {
        return (document, Reason::AncestorDocument);
    }
    match above(corpus, tagged).next() {
        Some(parent) if parent.rem_type() == RemType::Concept => (parent, Reason::AncestorConcept),
        Some(parent) => (parent, Reason::AncestorContext),
        None => (tagged, Reason::Itself),
    }
}

impl Context {
    /// What a tagged Rem stands for.
    pub(super) fn of(corpus: &Corpus, tagged: &Rem) -> Self {
        let (context, reason) = target(corpus, tagged);
        Self::Of { context_rem_id: context.id.clone(), context_title: title(corpus, context), context_reason: reason }
    }
}

impl Matched {
    /// Those of the matches that stand for a result, each once.
    pub(super) fn all(corpus: &Corpus, result: &Rem, matches: &[&Rem], ancestors: usize) -> Self {
        let mut matched: Vec<&Rem> = Vec::new();
        for rem in matches {
            if target(corpus, rem).0.id == result.id && matched.iter().all(|other| other.id != rem.id) {
                matched.push(rem);
            }
        }
        let one = |rem: &Rem| One {
            rem_id: rem.id.clone(),
            title: title(corpus, rem),
            rem_type: rem.rem_type(),
            above: Above::of(corpus, rem, ancestors),
        };
        Self { matched_rems: matched.into_iter().map(one).collect() }
    }
}
