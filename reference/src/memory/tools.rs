//! The tool of the memory contract.

use super::arguments::Search;
use super::ranges::Ranges;
use super::search::search;
use super::store::Store;
use super::variant::Variant;
use crate::json::JsonObject;
use crate::tool::{Answer, Tool, over, renamed, schema};
use serde_json::json;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The tool's name for `memoryId`.
const MEMORY_ID: &str = "memory_id";
/// "MCP Tool Description": defaults, ranges, the answer, why time matters, and the order.
const DESCRIPTION: &str = "\
Searches one memory for the entries and contexts that match a query.

Arguments: memory_id and query are required. top_ke is how many entries come at most: default 5, range {ENTRIES}; 0 brings \
contexts alone. top_kc is how many contexts come at most: default 2, range {CONTEXTS}. What lies outside a range is refused.

The answer always has the same fields:
- entries: what was remembered, 0 to top_ke of them, each with its summary, rawEntry, score and creationTime
- count: how many entries came
- latestContext: the text of the newest context of the memory, whatever the query; empty when there is none
- latestContextTimestamp: the time of that context; null when there is none
- contexts: earlier states of the memory that match, 0 to top_kc of them, each with its context, timestamp and score

Every result carries a timestamp (RFC 3339). Read them: memories change over time, so where two results contradict each \
other the newer one usually holds, and an old one tells what was true then.

Entries and contexts are sorted by relevance score, descending: the best match comes first.";

pub(super) fn tools(store: &Arc<Store>) -> Vec<Tool> {
    let name = if store.variant == Some(Variant::OtherTool) { "memory_search" } else { "search_memories" };
    vec![Tool {
        name,
        title: "Search memories",
        description: description(&store.ranges).into(),
        input: input(store),
        output: Some(schema(if store.ranges == Ranges::of(1) {
            include_str!("../../../schemas/memory/search.output.schema.json")
        } else {
            include_str!("../../../schemas/memory/search.output.2.schema.json")
        })),
        call: over(store, call),
    }]
}

fn call(store: &Store, arguments: &JsonObject) -> Result<Answer, String> {
    let wanted = Search::parse(arguments, memory_id(store), &store.ranges, store.variant)
        .map_err(|refusal| refusal.to_string())?;
    let answer = search(store, &wanted).map_err(|problem| {
        eprintln!("reference: {problem}");
        "the memories could not be read".to_owned()
    })?;
    Ok(Answer::Json(json!(answer)))
}

fn description(Ranges { entries, contexts }: &Ranges) -> String {
    let range = |range: &RangeInclusive<i64>| format!("{} to {}", range.start(), range.end());
    DESCRIPTION.replace("{ENTRIES}", &range(entries)).replace("{CONTEXTS}", &range(contexts))
}

fn memory_id(store: &Store) -> &'static str {
    if store.variant == Some(Variant::OtherTool) { "memoryId" } else { MEMORY_ID }
}

/// The arguments as the tool names them.
fn input(store: &Store) -> JsonObject {
    let memory_id = memory_id(store);
    let schema = schema(if store.ranges == Ranges::of(1) {
        include_str!("../../../schemas/memory/search.input.schema.json")
    } else {
        include_str!("../../../schemas/memory/search.input.2.schema.json")
    });
    renamed(schema, |name| if name == "memoryId" { memory_id.to_owned() } else { name.to_owned() })
}
