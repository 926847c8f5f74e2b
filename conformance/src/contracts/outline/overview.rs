//! The overview, which may be one outline or a text for each of its parts. "Phase 1" of the outline document.

use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling};
use serde_json::Value;

/// Records come as outlines and not as objects. An answer without records says nothing.
pub(super) fn outline_parts(input: &Input<'_, '_>) -> Ruling {
    let Some(exchange) = input.one("value") else {
        return Ruling::skip("nothing was asked");
    };
    let value = exchange.value;
    if has_records(&value["parsed"]) {
        return Ruling::pass(1);
    }
    let lines = value["lines"].as_array().map_or(&[][..], Vec::as_slice);
    let text = lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n");
    let in_text = serde_json::from_str::<Value>(&text).is_ok_and(|json| holds_records(&json));
    match in_text || holds_records(&value["answer"]["body"]) {
        true => Ruling::fail(
            Detail::new("expected records as an outline, received JSON objects")
                .at(format!("{}/lines", exchange.pointer)),
        ),
        false => Ruling::skip("there is no record"),
    }
}

/// Where the store has records for an overview, the outline shows one.
pub(super) fn overview_shows(input: &Input<'_, '_>) -> Ruling {
    let Some(outline) = input.one("outline") else {
        return Ruling::skip("nothing was asked");
    };
    let belongs = |node: &&Located<'_>| {
        let record = node.value;
        record["parent_id"].is_null() || record["state"] == "OPEN" || record["state"] == "LATER"
    };
    match (input.all("full").iter().find(belongs), has_records(outline.value)) {
        (None, _) => Ruling::skip("no record is a root, open, or for later"),
        (_, true) => Ruling::pass(1),
        (Some(due), false) => {
            let message = format!("the overview shows no record, and {} belongs into it", due.value["id"]);
            Ruling::fail(Detail::new(message).at(&outline.pointer))
        }
    }
}

fn has_records(parsed: &Value) -> bool {
    parsed["records"].as_array().is_some_and(|records| !records.is_empty())
}

/// Whether a list somewhere in a value holds objects with an id.
fn holds_records(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(|one| one["id"].is_string() || holds_records(one)),
        Value::Object(fields) => fields.values().any(holds_records),
        _ => false,
    }
}
