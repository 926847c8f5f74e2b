//! Memories of hostile texts, with times of every length and zone.

use super::shape::{CONTEXTS, ENTRIES, EVERYWHERE, IDS, MEMORIES};
use crate::contracts::hostile::{Share, any_text, some_text};
use crate::contracts::shape::{Corpus, piece};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

/// Times as RFC 3339 has them. Some are one instant in two zones.
const TIMES: [&str; 14] = [
    "2024-02-29T23:59:59Z",
    "2024-03-01T00:59:59+01:00",
    "2024-02-29T23:59:59.000Z",
    "2024-02-29T23:59:59.999999999Z",
    "2024-02-29T23:59:59.1-11:30",
    "2024-02-29t23:59:59z",
    "2024-06-30T12:00:00-00:00",
    "1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59.5Z",
    "0001-01-01T00:00:00Z",
    "1583-10-15T12:00:00+14:00",
    "2100-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "2024-12-31T23:59:60Z",
];

/// More memories, whose ids are what an id may be.
const ODD_IDS: [&str; 6] = ["a.b", "it's \"mine\"", "0", "-1", "../cellar", "記憶 🗝"];

/// About so many entries, and half as many contexts.
pub(super) fn corpus(size: usize, share: Share) -> BoxedStrategy<Corpus> {
    let memory = || prop_oneof![3 => Just(IDS[0]), 1 => select(&IDS[..]), 1 => select(&ODD_IDS[..])];
    // Cases for any data search for a word of plain corpora.
    let found = |texts: BoxedStrategy<String>| {
        (texts, any::<bool>()).prop_map(|(text, is_found)| if is_found { format!("{text} {EVERYWHERE}") } else { text })
    };
    let text = || found(any_text(share));
    let entries = vec((memory(), select(&TIMES[..]), text(), text(), odd_id()), size);
    let contexts = vec((memory(), select(&TIMES[..]), found(some_text(share)), odd_id()), size / 2);
    let corpus = (entries, contexts).prop_map(|(entries, contexts)| {
        let memory = |id: &&str| piece(MEMORIES, json!({ "memoryId": id, "title": id }));
        let mut pieces: Vec<_> = IDS.iter().chain(&ODD_IDS).map(memory).collect();
        for (at, (memory, time, summary, raw, id)) in entries.into_iter().enumerate() {
            let value = json!({ "memoryId": memory, "entryId": format!("{id}{at}"), "creationTime": time,
                                "summary": summary, "rawEntry": raw });
            pieces.push(piece(ENTRIES, value));
        }
        for (at, (memory, time, context, id)) in contexts.into_iter().enumerate() {
            let value =
                json!({ "memoryId": memory, "contextId": format!("{id}{at}"), "timestamp": time, "context": context });
            pieces.push(piece(CONTEXTS, value));
        }
        Corpus { pieces }
    });
    corpus.boxed()
}

/// The beginning of an id.
fn odd_id() -> impl Strategy<Value = &'static str> {
    select(vec!["e-", "", "-", "a.b.", "\"x\" ", "鍵", "\u{1f511}"])
}
