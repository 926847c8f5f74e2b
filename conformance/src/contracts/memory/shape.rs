//! Memories with their entries and contexts, and searches in them.

use crate::contracts::shape::{Corpus, Shape, lines, piece, says, step, texts};
use crate::contracts::words::{text, word};
use crate::model::{Contract, Step};
use chrono::{FixedOffset, TimeDelta, TimeZone};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const MEMORIES: &str = "memories.ndjson";
pub(super) const ENTRIES: &str = "entries.ndjson";
pub(super) const CONTEXTS: &str = "contexts.ndjson";
/// The memories. The first is the one that cases ask for that know no corpus.
pub(super) const IDS: [&str; 4] = ["orchard", "cellar", "workshop", "blank"];
/// A word of every entry and every context.
pub(super) const EVERYWHERE: &str = "apple";

/// How many entries and contexts one search can bring, so that it can bring all of a memory.
fn most(contract: &Contract) -> (usize, usize) {
    let most = |argument| says(contract, "search", argument, "maximum").as_u64().unwrap_or_default() as usize;
    (most("top_ke"), most("top_kc"))
}

/// memory.
pub(super) struct Memory;

impl Shape for Memory {
    fn corpus(&self, size: usize, contract: &Contract) -> BoxedStrategy<Corpus> {
        // The last memory stays empty.
        let memory = || 0..IDS.len() - 1;
        let offset = || select(vec![0, 2, -5, 9]);
        let entries = vec((memory(), offset(), text(1..5), text(1..12)), 0..=size);
        let contexts = vec((memory(), offset(), text(1..12)), 0..=size / 3);
        let (most_entries, most_contexts) = most(contract);
        let corpus = (entries, contexts).prop_map(move |(entries, contexts)| {
            let mut pieces: Vec<_> = IDS
                .iter()
                .map(|id| piece(MEMORIES, json!({ "memoryId": id, "title": format!("What is in the {id}") })))
                .collect();
            for (at, (memory, offset, summary, raw)) in of_each(entries, most_entries).into_iter().enumerate() {
                let value = json!({ "memoryId": IDS[memory], "entryId": format!("e-{at}"), "creationTime": time(2 * at, offset),
                                    "summary": format!("{EVERYWHERE} {summary}"), "rawEntry": format!("{raw} {EVERYWHERE}") });
                pieces.push(piece(ENTRIES, value));
            }
            for (at, (memory, offset, context)) in of_each(contexts, most_contexts).into_iter().enumerate() {
                // The number keeps the texts apart.
                let value = json!({ "memoryId": IDS[memory], "contextId": format!("c-{at}"), "timestamp": time(2 * at + 1, offset),
                                    "context": format!("{EVERYWHERE} {context}, {at}") });
                pieces.push(piece(CONTEXTS, value));
            }
            Corpus { pieces }
        });
        corpus.boxed()
    }

    fn mend(&self, corpus: Corpus) -> Corpus {
        let ids: BTreeSet<String> = texts(&corpus, MEMORIES, "memoryId").map(str::to_owned).collect();
        let is_of_one = |value: &Value| value["memoryId"].as_str().is_some_and(|id| ids.contains(id));
        Corpus { pieces: corpus.pieces.into_iter().filter(|piece| is_of_one(&piece.value)).collect() }
    }

    fn call(&self, corpus: &Corpus, contract: &Contract) -> BoxedStrategy<Step> {
        let ids: Vec<String> = texts(corpus, MEMORIES, "memoryId").map(str::to_owned).collect();
        let ids = if ids.is_empty() { vec![IDS[0].to_owned()] } else { ids };
        let query = prop_oneof![
            3 => Just(EVERYWHERE.to_owned()),
            1 => word().prop_map(str::to_owned),
            1 => word().prop_map(|word| format!("{EVERYWHERE} {word}")),
        ];
        // All entries and all contexts, or as many as it comes.
        let (entries, contexts) = most(contract);
        let numbers = prop_oneof![
            (Just(Some(entries)), Just(Some(contexts))),
            (option::of(0..=entries), option::of(1..=contexts)),
        ];
        let call = (select(ids), query, numbers).prop_map(|(id, query, (entries, contexts))| {
            let with = [
                ("memoryId", Some(Value::from(id))),
                ("query", Some(query.into())),
                ("top_ke", entries.map(Value::from)),
                ("top_kc", contexts.map(Value::from)),
            ];
            step("search", with)
        });
        call.boxed()
    }

    fn files(&self, corpus: &Corpus) -> BTreeMap<String, String> {
        lines(corpus, &[MEMORIES, ENTRIES, CONTEXTS])
    }
}

/// Something that belongs to one of the memories.
trait Owned {
    fn memory(&self) -> usize;
}

impl<A, B, C> Owned for (usize, A, B, C) {
    fn memory(&self) -> usize {
        self.0
    }
}

impl<A, B> Owned for (usize, A, B) {
    fn memory(&self) -> usize {
        self.0
    }
}

/// At most so many of each memory.
fn of_each<T: Owned>(all: Vec<T>, most: usize) -> Vec<T> {
    let mut counts = [0; IDS.len()];
    let mut is_within = |one: &T| {
        counts[one.memory()] += 1;
        counts[one.memory()] <= most
    };
    all.into_iter().filter(|one| is_within(one)).collect()
}

/// A moment of its own for each number, neither in their order nor in that of its text.
fn time(number: usize, offset: i32) -> String {
    let minutes = (number * 7919 % 100_003) as i64;
    let zone = FixedOffset::east_opt(offset * 3600);
    let first = zone.and_then(|zone| zone.with_ymd_and_hms(2024, 1, 1, 0, 0, 0).single());
    first.map_or_else(String::new, |first| (first + TimeDelta::minutes(minutes - i64::from(offset) * 60)).to_rfc3339())
}
