//! What to ask with, taken from the answers that show most.

use crate::path::Located;
use serde::Deserialize;
use serde_json::Value;
use std::cmp::Reverse;

/// What is taken of an exchange, a JSON Pointer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Taken {
    take: String,
}

/// Of the exchange with the longest content of a note. Exchanges without any content are as good as each other, and one
/// without notes tells nothing.
pub(super) fn longest_content(args: &Taken, exchanges: &[Located<'_>]) -> Vec<Value> {
    let longest = |exchange: &Value| {
        let notes = exchange["items"].as_array()?.iter();
        notes.map(|note| note["content"].as_str().map_or(0, |text| text.chars().count())).max()
    };
    let sized = exchanges.iter().filter_map(|exchange| Some((longest(exchange.value)?, exchange.value)));
    // Of equals, the first one.
    let best = sized.min_by_key(|(length, _)| Reverse(*length));
    best.and_then(|(_, exchange)| exchange.pointer(&args.take)).cloned().into_iter().collect()
}
