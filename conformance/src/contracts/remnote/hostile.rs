//! Trees of Rems with rich text everywhere, rows, circles, references to what is gone, and hits of every kind.

use super::shape::{HITS, REMS};
use crate::contracts::hostile::{Share, any_text, parents, some_text};
use crate::contracts::shape::{Corpus, Piece, piece};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Value, json};

/// What cases for any data search for, and what only these corpora have.
const QUERIES: [&str; 6] = ["", "a", "the", "note", "\"quoted\"", "東京都"];
/// One is called as Rems are.
const TAGS: [&str; 6] = ["The same", "fruit", "fruit salad", "a.b", "\"x\"", "標"];
const KINDS: [&str; 5] = ["document", "dailyDocument", "concept", "descriptor", "portal"];
const PRACTICES: [&str; 4] = ["forward", "reverse", "bidirectional", "none"];

/// About so many Rems: one chain, all below one, or any tree.
pub(super) fn corpus(size: usize, share: Share) -> BoxedStrategy<Corpus> {
    let rem = (
        (rich(share), option::weighted(0.3, rich(share)), option::of(select(&PRACTICES[..]))),
        prop_oneof![2 => Just(Vec::new()), 2 => subsequence(KINDS.to_vec(), 1), 1 => subsequence(KINDS.to_vec(), 0..=5)],
        (
            vec(rich(share), 0..3),
            subsequence(TAGS.to_vec(), 0..3),
            option::weighted(0.1, select(vec!["powerup", "property"])),
        ),
        select(vec!["r", "", "a.b ", "\"q\" ", "鍵", "-"]),
    );
    let hits = vec(vec(any::<Index>(), 0..40), QUERIES.len() + TAGS.len());
    let corpus = (vec(rem, size), parents(size), hits).prop_map(move |(rems, parents, hits)| {
        let ids: Vec<String> = rems.iter().enumerate().map(|(at, (.., id))| format!("{id}{at}")).collect();
        let mut pieces: Vec<Piece> = rems
            .into_iter()
            .enumerate()
            .map(|(at, ((text, back, practice), kinds, (aliases, tags, row), _))| {
                let of = |text: Vec<Rich>| text.into_iter().map(|piece| piece.of(&ids)).collect::<Value>();
                let mut rem = json!({ "id": ids[at], "text": of(text), "kinds": kinds, "tags": tags });
                rem["aliases"] = aliases.into_iter().map(of).collect();
                let children = parents.iter().zip(&ids).filter(|(parent, _)| **parent == Some(at));
                rem["children"] = children.map(|(_, id)| id.as_str()).collect();
                if let Some(parent) = parents[at] {
                    rem["parent"] = ids[parent].as_str().into();
                }
                for (name, value) in [("practice", practice), ("row", row)] {
                    if let Some(value) = value {
                        rem[name] = value.into();
                    }
                }
                if let Some(back) = back {
                    rem["back"] = of(back);
                }
                piece(REMS, rem)
            })
            .collect();
        let asked = QUERIES.map(|query| ("search", query)).into_iter().chain(TAGS.map(|tag| ("tag", tag)));
        // What is not listed is looked for in titles and tags.
        let listed = asked.zip(hits).filter(|(_, hits)| hits.len() % 3 > 0 && !ids.is_empty());
        pieces.extend(listed.map(|((kind, asked), hits)| {
            let hits: Vec<&str> = hits.into_iter().map(|hit| hit.get(&ids).as_str()).collect();
            piece(HITS, json!({ "kind": kind, "asked": asked, "ids": hits }))
        }));
        Corpus { pieces }
    });
    corpus.boxed()
}

/// A piece of rich text; what it refers to is not known yet.
#[derive(Debug, Clone)]
enum Rich {
    Plain(Value),
    Reference(Index),
}

impl Rich {
    fn of(self, ids: &[String]) -> Value {
        match self {
            Self::Plain(value) => value,
            Self::Reference(place) => json!({ "rem": place.get(ids) }),
        }
    }
}

/// Rich text: mostly one piece, often several, sometimes nothing.
fn rich(share: Share) -> BoxedStrategy<Vec<Rich>> {
    let plain = || any_text(share).prop_map(|text| Rich::Plain(text.into()));
    let marks = subsequence(vec!["bold", "italic", "code", "underline", "highlight", "cloze", "link"], 0..=3);
    let marked = (any_text(share), marks).prop_map(|(text, marks)| {
        let mut value = json!({ "text": text });
        for mark in marks {
            value[mark] = if mark == "link" { "https://a.example/(b)?c=[d]".into() } else { true.into() };
        }
        Rich::Plain(value)
    });
    let media = (select(vec!["latex", "image", "audio", "global"]), any_text(share));
    let piece = prop_oneof![
        4 => plain(),
        4 => marked,
        2 => media.prop_map(|(kind, text)| Rich::Plain(json!({ kind: text }))),
        1 => Just(Rich::Plain(json!({ "drawing": true }))),
        1 => Just(Rich::Plain(json!({ "delimiter": true }))),
        1 => Just(Rich::Plain(json!({ "rem": "gone" }))),
        3 => any::<Index>().prop_map(Rich::Reference),
    ];
    prop_oneof![
        1 => Just(Vec::new()),
        2 => some_text(share).prop_map(|text| vec![Rich::Plain(text.into())]),
        4 => plain().prop_map(|piece| vec![piece]),
        4 => vec(piece, 1..5),
    ]
    .boxed()
}
