//! Trees of Rems with the hits that the SDK has for some queries and tags, and what is asked of them.

use crate::contracts::shape::{Corpus, Piece, Shape, lines, piece, says, step, takes, texts};
use crate::contracts::words::text;
use crate::model::{Contract, Step};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const REMS: &str = "rems.ndjson";
/// The pieces that become one file, `hits.json`.
pub(super) const HITS: &str = "hits.json";
/// What later revisions know beside them: the Rems that are the tags.
const MORE: &str = "more.ndjson";
const QUERIES: [&str; 3] = ["lantern", "harbour bridge", "velvet"];
const TAGS: [&str; 3] = ["fruit", "glossary", "journey"];
/// A list of hits has at most so many, so that even the smallest limit that is asked for cuts nothing: whether the cut or
/// the sorting comes first is free.
const MOST_HITS: usize = 10;
/// The default of a read, and more than there is to show.
const LONG: u64 = 100_000;
/// More than any Rem has below it: whether a limit counts the children of each node or of all is our own reading.
const MANY: u64 = 100;

/// remnote.
pub(super) struct Remnote;

impl Shape for Remnote {
    fn corpus(&self, size: usize, _: &Contract) -> BoxedStrategy<Corpus> {
        let kinds = || select(vec!["", "", "", "document", "dailyDocument", "concept", "descriptor", "portal"]);
        let practice = option::of(select(vec!["forward", "reverse", "bidirectional", "none"]));
        let rem = (
            kinds(),
            option::weighted(0.75, any::<Index>()),
            (text(1..4), option::weighted(0.4, text(1..4)), practice),
            vec(text(1..3), 0..3),
        );
        let hits = || vec(any::<Index>(), 0..=MOST_HITS);
        let all = (vec(rem, 1..=size.max(1)), vec(hits(), QUERIES.len()), vec(hits(), TAGS.len()));
        let corpus = all.prop_map(|(rems, searches, tags)| {
            let id = |at: usize| format!("r{:03}", 1 + at * 37 % 997);
            let mut values: Vec<Value> = Vec::new();
            let count = rems.len();
            for (at, (kind, parent, (text, back, practice), aliases)) in rems.into_iter().enumerate() {
                // The number keeps the titles apart.
                let mut rem = json!({ "id": id(at), "text": [format!("{text} {at}")] });
                if let Some(parent) = parent.filter(|_| at > 0).map(|parent| parent.index(at)) {
                    rem["parent"] = id(parent).into();
                    match values[parent]["children"].as_array_mut() {
                        Some(children) => children.push(id(at).into()),
                        None => values[parent]["children"] = json!([id(at)]),
                    }
                }
                if !kind.is_empty() {
                    rem["kinds"] = json!([kind]);
                }
                // That a Rem without a back has no direction is our own reading.
                if let Some(back) = back {
                    rem["back"] = json!([back]);
                    rem["practice"] = practice.unwrap_or("none").into();
                }
                if !aliases.is_empty() {
                    rem["aliases"] = aliases.iter().map(|alias| json!([alias])).collect();
                }
                values.push(rem);
            }
            let mut pieces: Vec<Piece> = values.into_iter().map(|value| piece(REMS, value)).collect();
            let list = |hits: &Vec<Index>| hits.iter().map(|hit| id(hit.index(count))).collect::<Vec<_>>();
            let of = |kind: &str, asked: &str, hits: Vec<String>| {
                piece(HITS, json!({ "kind": kind, "asked": asked, "ids": hits }))
            };
            for (query, hits) in QUERIES.iter().zip(&searches) {
                pieces.push(of("search", query, list(hits)));
            }
            let is_document: BTreeSet<String> = documents(&pieces);
            for (tag, hits) in TAGS.iter().zip(&tags) {
                // A tagged document may stand for itself or for the one above it.
                let hits: Vec<String> = list(hits).into_iter().filter(|id| !is_document.contains(id)).collect();
                // What is found by a tag has it.
                let is_tagged = |rem: &&mut Piece| {
                    rem.file == REMS && rem.value["id"].as_str().is_some_and(|id| hits.iter().any(|hit| hit == id))
                };
                for rem in pieces.iter_mut().filter(is_tagged) {
                    match rem.value["tags"].as_array_mut() {
                        Some(tags) => tags.push((*tag).into()),
                        None => rem.value["tags"] = json!([tag]),
                    }
                }
                pieces.push(of("tag", tag, hits));
            }
            Corpus { pieces }
        });
        corpus.boxed()
    }

    fn mend(&self, mut corpus: Corpus) -> Corpus {
        let ids: BTreeSet<String> = texts(&corpus, REMS, "id").map(str::to_owned).collect();
        let is_there = |id: &Value| id.as_str().is_some_and(|id| ids.contains(id));
        for piece in &mut corpus.pieces {
            for list in ["children", "ids"] {
                if let Some(list) = piece.value.get_mut(list).and_then(Value::as_array_mut) {
                    list.retain(is_there);
                }
            }
            if let Some(rem) =
                piece.value.as_object_mut().filter(|rem| rem.get("parent").is_some_and(|id| !is_there(id)))
            {
                rem.shift_remove("parent");
            }
        }
        corpus
    }

    fn call(&self, corpus: &Corpus, contract: &Contract) -> BoxedStrategy<Step> {
        let ids: Vec<String> = texts(corpus, REMS, "id").map(str::to_owned).collect();
        let asked = |kind: &str| {
            let lists = corpus.of(HITS).filter(|list| list["kind"] == kind);
            lists.filter_map(|list| list["asked"].as_str().map(str::to_owned)).collect::<Vec<_>>()
        };
        let shown = |call: &str| {
            let modes = says(contract, call, "includeContent", "enum").as_array().cloned().unwrap_or_default();
            let below = prop_oneof![
                Just(Below::Level(None)),
                (1..8u64).prop_map(|most| Below::Level(Some(most))),
                (1..6u64).prop_map(Below::Depth)
            ];
            (option::of(select(modes)), below, perhaps(takes(contract, call, "ancestorDepth"), || (1..6u64).boxed()))
        };
        let limit = || option::of(MOST_HITS as u64..=50);
        let mut calls: Vec<(u32, BoxedStrategy<Step>)> = Vec::new();
        if !ids.is_empty() {
            let call = (select(ids.clone()), shown("read-note"))
                .prop_map(|(id, shown)| asks("read-note", [("remId", Some(id.into()))], shown));
            calls.push((2, call.boxed()));
        }
        for (call, argument, kind) in [("search", "query", "search"), ("search-by-tag", "tag", "tag")] {
            let asked = asked(kind);
            if !asked.is_empty() {
                let scopes =
                    perhaps(!ids.is_empty() && takes(contract, call, "parentRemId"), || select(ids.clone()).boxed());
                let tagged = perhaps(takes(contract, call, "resultMode"), || Just("tagged").boxed());
                let step = (select(asked), limit(), shown(call), (scopes, tagged)).prop_map(
                    move |(asked, limit, shown, (scope, tagged))| {
                        let own = [
                            (argument, Some(Value::from(asked))),
                            ("limit", limit.map(Value::from)),
                            ("parentRemId", scope.map(Value::from)),
                            ("resultMode", tagged.map(Value::from)),
                        ];
                        asks(call, own, shown)
                    },
                );
                calls.push((3, step.boxed()));
            }
        }
        match calls.is_empty() {
            true => Just(step("tools", [])).boxed(),
            false => proptest::strategy::Union::new_weighted(calls).boxed(),
        }
    }

    fn files(&self, corpus: &Corpus) -> BTreeMap<String, String> {
        let rems = corpus.pieces.iter().filter(|piece| piece.file == REMS).cloned().collect();
        let mut files = lines(&Corpus { pieces: rems }, &[REMS]);
        let mut hits = Map::new();
        for list in corpus.of(HITS) {
            let (kind, asked) = (list["kind"].as_str().unwrap_or_default(), list["asked"].as_str().unwrap_or_default());
            let lists = hits.entry(kind).or_insert_with(|| json!({}));
            lists[asked] = list["ids"].clone();
        }
        let tag = |tag: &str| format!("{}\n", json!({ "id": tag, "text": [tag] }));
        files.insert(MORE.to_owned(), TAGS.iter().map(|name| tag(name)).collect());
        files.insert(HITS.to_owned(), format!("{:#}\n", Value::Object(hits)));
        files
    }
}

/// What of the children is asked for: of one level perhaps the first ones alone, or all of so many levels.
#[derive(Debug, Clone, Copy)]
enum Below {
    Level(Option<u64>),
    Depth(u64),
}

/// A value of an argument in every third call, where there is such an argument.
fn perhaps<T: std::fmt::Debug + Clone + 'static>(
    is_taken: bool,
    values: impl FnOnce() -> BoxedStrategy<T>,
) -> BoxedStrategy<Option<T>> {
    if is_taken { option::weighted(0.33, values()).boxed() } else { Just(None).boxed() }
}

/// A call with its own arguments, and with those that say what is shown of a Rem.
fn asks<const OWN: usize>(
    call: &str,
    own: [(&'static str, Option<Value>); OWN],
    (mode, below, ancestors): (Option<Value>, Below, Option<u64>),
) -> Step {
    let (depth, children) = match below {
        Below::Level(most) => (1, most),
        Below::Depth(depth) => (depth, Some(MANY)),
    };
    let is_shown = mode.as_ref().map_or(call == "read-note", |mode| mode != "none");
    let is_text = mode.as_ref().map_or(call == "read-note", |mode| mode == "markdown");
    let shown = [
        ("includeContent", mode),
        ("ancestorDepth", ancestors.map(Value::from)),
        ("depth", is_shown.then(|| depth.into())),
        ("childLimit", children.filter(|_| is_shown).map(Value::from)),
        ("maxContentLength", is_text.then(|| LONG.into())),
    ];
    step(call, own.into_iter().chain(shown))
}

fn documents(pieces: &[Piece]) -> BTreeSet<String> {
    let is_document = |rem: &&Piece| {
        let kind = &rem.value["kinds"][0];
        kind == "document" || kind == "dailyDocument"
    };
    let documents = pieces.iter().filter(is_document);
    documents.filter_map(|rem| rem.value["id"].as_str().map(str::to_owned)).collect()
}
