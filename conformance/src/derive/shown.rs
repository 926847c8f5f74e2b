//! Whether answers show anything.

use crate::model::{Contract, Operation, Shown};
use serde_json::Value;

/// Counts the accepted answers of operations that list something, and those of them that hold an item.
pub(crate) fn shown<'e>(exchanges: impl Iterator<Item = &'e Value>, contract: &Contract) -> Shown {
    let mut shown = Shown::default();
    for exchange in exchanges {
        let operation = exchange["request"]["operation"].as_str().and_then(|name| contract.operations.get(name));
        let Some(operation) = operation.filter(|operation| lists(operation)) else { continue };
        if exchange["status"] == "accepted" {
            shown.answers += 1;
            shown.with_items += usize::from(has_items(exchange, operation));
        }
    }
    shown
}

/// Whether an operation answers with a list. An answer that is one item follows from the list of another operation.
fn lists(operation: &Operation) -> bool {
    match &operation.found_by {
        Some(item) => !item.alone,
        None => operation.format.is_some() || operation.results().is_some(),
    }
}

fn has_items(exchange: &Value, operation: &Operation) -> bool {
    let is_filled = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
    // Where no schema tells an item, a list beside the one of the items is as good.
    let beside = |body: &Value| operation.found_by.is_none() && has_list(body, is_filled);
    is_filled(&exchange["items"]) || has_list(&exchange["parsed"], is_filled) || beside(&exchange["answer"]["body"])
}

fn has_list(value: &Value, is_filled: impl Fn(&Value) -> bool) -> bool {
    value.as_object().is_some_and(|members| members.values().any(is_filled))
}
