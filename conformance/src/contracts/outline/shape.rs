//! Trees of records, and lists of them.

use crate::contracts::shape::{Corpus, Shape, lines, piece, says, step, texts};
use crate::contracts::words::{text, word};
use crate::model::{Contract, Step};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FILE: &str = "records.ndjson";

/// outline.
pub(super) struct Outline;

impl Shape for Outline {
    fn corpus(&self, size: usize, _: &Contract) -> BoxedStrategy<Corpus> {
        let record = (
            select(vec!["question", "task", "conclusion", "option"]),
            select(vec!["OPEN", "OPEN", "LATER", "RESOLVED", "DISCARDED"]),
            option::weighted(0.8, any::<Index>()),
            (text(1..5), text(0..8), option::of(text(1..12))),
            any::<u16>(),
        );
        let corpus = vec(record, 0..=size).prop_map(|records| {
            let id = |at: usize| format!("R{:03}", 1 + at * 37 % 997);
            let mut pieces: Vec<_> = records
                .into_iter()
                .enumerate()
                .map(|(at, (kind, state, parent, (title, summary, body), place))| {
                    // A parent is an earlier one, so there is no ring.
                    let parent = parent.filter(|_| at > 0).map(|parent| id(parent.index(at.max(1))));
                    let mut value = json!({ "id": id(at), "type": kind, "state": state, "parent_id": parent, "title": title,
                                            "summary": summary });
                    if let Some(body) = body {
                        value["body"] = body.into();
                    }
                    (place, piece(FILE, value))
                })
                .collect();
            // In the file a child may come before its parent.
            pieces.sort_by_key(|(place, _)| *place);
            Corpus { pieces: pieces.into_iter().map(|(_, piece)| piece).collect() }
        });
        corpus.boxed()
    }

    fn mend(&self, mut corpus: Corpus) -> Corpus {
        let ids: BTreeSet<String> = texts(&corpus, FILE, "id").map(str::to_owned).collect();
        for piece in &mut corpus.pieces {
            if piece.value["parent_id"].as_str().is_some_and(|id| !ids.contains(id)) {
                piece.value["parent_id"] = Value::Null;
            }
        }
        corpus
    }

    fn call(&self, corpus: &Corpus, contract: &Contract) -> BoxedStrategy<Step> {
        let formats = says(contract, "list-records", "format", "enum").as_array().cloned().unwrap_or_default();
        let full = says(contract, "list-records-full", "format", "const").clone();
        let full = move || Just(step("list-records-full", [("format", Some(full.clone()))]));
        let ids: Vec<String> = texts(corpus, FILE, "id").map(str::to_owned).collect();
        let activate = match ids.is_empty() {
            true => full().boxed(),
            false => select(ids).prop_map(|id| step("activate", [("id", Some(id.into()))])).boxed(),
        };
        prop_oneof![
            2 => full(),
            4 => option::of(select(formats)).prop_map(|format| step("list-records", [("format", format)])),
            // The document declares `format` for lists alone.
            1 => Just(step("project-overview", [])),
            2 => word().prop_map(|word| step("search-records", [("query", Some(word.into()))])),
            3 => activate,
        ]
        .boxed()
    }

    fn files(&self, corpus: &Corpus) -> BTreeMap<String, String> {
        lines(corpus, &[FILE])
    }
}
