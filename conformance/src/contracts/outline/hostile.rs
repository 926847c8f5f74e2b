//! Trees of records whose titles, summaries and bodies are hostile.

use super::shape::FILE;
use crate::contracts::hostile::{Share, any_text, parents};
use crate::contracts::shape::{Corpus, piece};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// What no record is.
const GONE: &str = "Gone1";

/// About so many records: one chain, all below one, or any tree. Some have a parent that is not there, and some lie in a ring.
pub(super) fn corpus(size: usize, share: Share) -> BoxedStrategy<Corpus> {
    let record = (
        select(vec!["question", "task", "conclusion", "option", "epic", ""]),
        select(vec!["OPEN", "OPEN", "OPEN", "LATER", "RESOLVED", "DISCARDED"]),
        (any_text(share), any_text(share), option::weighted(0.5, any_text(share))),
        (select(vec!["R", "0", "00", "a", "A", "x-", "y_"]), any::<u16>(), option::weighted(0.05, any::<bool>())),
    );
    let corpus = (vec(record, size), parents(size)).prop_map(|(records, parents)| {
        let ids: Vec<String> = records.iter().enumerate().map(|(at, (.., (id, ..)))| format!("{id}{at}")).collect();
        let records = records.into_iter().zip(parents).enumerate();
        let mut pieces: Vec<_> = records
            .map(|(at, ((kind, state, (title, summary, body), (_, place, lost)), parent))| {
                let parent = match lost {
                    Some(true) => Some(GONE),
                    // Itself, or the last: a ring where that one lies below it.
                    Some(false) => ids.last().map(String::as_str),
                    None => parent.map(|parent| ids[parent].as_str()),
                };
                let mut value = json!({ "id": ids[at], "type": kind, "state": state, "parent_id": parent, "title": title,
                                        "summary": summary });
                if let Some(body) = body {
                    value["body"] = Value::from(body);
                }
                (place, piece(FILE, value))
            })
            .collect();
        pieces.sort_by_key(|(place, _)| *place);
        Corpus { pieces: pieces.into_iter().map(|(_, piece)| piece).collect() }
    });
    corpus.boxed()
}
