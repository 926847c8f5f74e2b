//! Pages that are compared as a whole.

use super::frame::Frame;
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling};
use serde_json::Value;
use std::collections::BTreeMap;

/// What tells results apart: a frame with two windows may be two of them.
pub(super) type Identity = (String, Option<String>, Option<String>);

pub(super) fn identity(item: &Value) -> Option<Identity> {
    let frame = Frame(item);
    let text = |name: &str| frame.text(name).map(str::to_owned);
    Some((frame.id()?, text("app_name"), text("window_name")))
}

fn identities(items: &[Located<'_>]) -> Vec<Identity> {
    items.iter().filter_map(|item| identity(item.value)).collect()
}

/// No result is on a page twice: none has the id, the names, the time and the snippet of another.
pub(super) fn unique(input: &Input<'_, '_>) -> Ruling {
    let items = input.all("value");
    let whole = |item: &Located<'_>| {
        let rest = ["timestamp", "ocr_snippet"].map(|name| Frame(item.value).field(name).map(Value::to_string));
        Some((identity(item.value)?, rest))
    };
    let keys: Vec<_> = items.iter().filter_map(|item| Some((whole(item)?, &item.pointer))).collect();
    if keys.len() < 2 {
        return Ruling::skip("fewer than two results to compare");
    }
    let mut seen = BTreeMap::new();
    let again = keys.iter().filter_map(|(key, at)| Some((seen.insert(key, *at)?, at)));
    let details = again.map(|(first, at)| Detail::new(format!("is the result at {first} again")).at(*at)).collect();
    Ruling::of(keys.len(), details)
}

/// A page is another one than `other`. One result alone may be found by both.
pub(super) fn differ(input: &Input<'_, '_>) -> Ruling {
    let items = input.all("value");
    let (page, other) = (identities(items), identities(input.all("other")));
    match (page.len() < 2 || other.len() < 2, page == other) {
        (true, _) => Ruling::skip("fewer than two results to compare"),
        (_, false) => Ruling::pass(page.len()),
        _ => Ruling::fail(
            Detail::new("the results are those of a search without `q`")
                .at(items.first().map_or("", |item| &item.pointer)),
        ),
    }
}

/// Each call is refused, or its page begins as the page `without` its argument does, or is empty.
pub(super) fn refused_or_as_without(input: &Input<'_, '_>) -> Ruling {
    let calls = input.all("value");
    if calls.is_empty() {
        return Ruling::skip("no calls to compare");
    }
    let without = identities(input.all("without"));
    let wrong = calls.iter().filter_map(|call| {
        let received = || {
            let items = call.value["items"].as_array().into_iter().flatten();
            items.filter_map(identity).collect::<Vec<_>>()
        };
        match call.value["status"].as_str() {
            Some("refused") => None,
            Some("accepted") if without.starts_with(&received()) => None,
            Some("accepted") => Some(Detail::new("another page than without this argument").at(&call.pointer)),
            _ => Some(Detail::new("the call failed").at(&call.pointer)),
        }
    });
    Ruling::of(calls.len(), wrong.collect())
}
