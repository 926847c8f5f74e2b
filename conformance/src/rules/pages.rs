//! Walks over pages: the pages laid end to end.

use super::{Input, Ruling, brief, equal};
use crate::model::Detail;
use crate::path::Located;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The field that tells one item from another, or several that do so together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Key {
    key: Names,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    /// What tells an item from another; nothing where the first of the fields is absent.
    pub(super) fn of(&self, item: &Value) -> Option<Value> {
        let field = |name: &String| item.get(name).filter(|value| !value.is_null() && !is_rounded(value));
        match self {
            Self::One(name) => field(name).cloned(),
            Self::Several(names) => {
                field(names.first()?)?;
                Some(names.iter().map(|name| field(name).cloned().unwrap_or_default()).collect())
            }
        }
    }
}

/// Whether a number has more digits than are read, so that others look the same.
fn is_rounded(value: &Value) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    value.is_f64() && value.as_f64().is_some_and(|number| number.abs() >= EXACT)
}

/// The same, and how many items there are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counted {
    key: Names,
    count: usize,
}

/// What a walk brought.
struct Walk {
    /// The keys of the items that have one, in order, with their places.
    keys: Vec<(String, Value)>,
    /// Why its end is not known.
    open: Option<Detail>,
}

/// Lays the pages of a walk end to end.
fn walk(pages: &[Located<'_>], key: &Names) -> Walk {
    let mut keys = Vec::new();
    for page in pages {
        for (at, item) in page.value["items"].as_array().into_iter().flatten().enumerate() {
            keys.extend(key.of(item).map(|key| (format!("{}/items/{at}", page.pointer), key)));
        }
    }
    let place = pages.last().map_or("", |page| &page.pointer);
    // A program may refuse an offset behind the last item, or leave the list out: both end the walk as an empty page does.
    let has_no_list = |page: &Located<'_>| page.value["status"] == "accepted" && !page.value["items"].is_array();
    let pages = match pages {
        [earlier @ .., last] if !earlier.is_empty() && (last.value["status"] == "refused" || has_no_list(last)) => {
            earlier
        }
        pages => pages,
    };
    let is_ended = place != pages.last().map_or("", |page| &page.pointer);
    let is_open = |page: &&Located<'_>| page.value["status"] != "accepted";
    let open = match (pages.iter().find(is_open), pages.last()) {
        (Some(page), _) => Some(Detail::new("a page of the walk is no answer").at(&page.pointer)),
        (None, None) => Some(Detail::new("the walk has no page")),
        (None, Some(last)) if !is_ended && last.value["items"].as_array().is_none_or(|items| !items.is_empty()) => {
            Some(Detail::new(format!("the walk did not end within {} pages", pages.len())).at(place))
        }
        _ => None,
    };
    Walk { keys, open }
}

/// No item stands on two pages.
pub(super) fn walk_unique(args: &Key, input: &Input<'_, '_>) -> Ruling {
    let walk = walk(input.all("pages"), &args.key);
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut details = Vec::new();
    for (place, key) in &walk.keys {
        if let Some(first) = seen.insert(key.to_string(), place) {
            details.push(Detail::new(format!("{} came at {first} already", brief(key))).at(place));
        }
    }
    match (details.is_empty(), walk.open, walk.keys.len()) {
        (false, ..) => Ruling::of(walk.keys.len(), details),
        (_, Some(open), _) => Ruling::incomplete(open),
        (_, _, 0 | 1) => Ruling::skip("fewer than two items to compare"),
        _ => Ruling::pass(walk.keys.len()),
    }
}

/// The walk brings as many different items as there are.
pub(super) fn walk_complete(args: &Counted, input: &Input<'_, '_>) -> Ruling {
    let walk = walk(input.all("pages"), &args.key);
    if let Some(open) = walk.open {
        return Ruling::incomplete(open);
    }
    let has_items = |page: &Located<'_>| page.value["items"].as_array().is_some_and(|items| !items.is_empty());
    if walk.keys.is_empty() && input.all("pages").iter().any(has_items) {
        return Ruling::incomplete(Detail::new("nothing in the items tells one from another"));
    }
    let different: BTreeSet<String> = walk.keys.iter().map(|(_, key)| key.to_string()).collect();
    match different.len() == args.count {
        true => Ruling::pass(different.len()),
        false => Ruling::fail(
            Detail::new("the pages laid end to end do not hold every match")
                .at(input.all("pages").first().map_or("", |page| &page.pointer))
                .compare(
                    format!("{} different items", args.count).into(),
                    format!("{} different items", different.len()).into(),
                ),
        ),
    }
}

/// Two walks bring the same items in the same order.
pub(super) fn same_walk(args: &Key, input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (walk(input.all("left"), &args.key), walk(input.all("right"), &args.key));
    let differing = left.keys.iter().zip(&right.keys).find(|(left, right)| !equal(&left.1, &right.1));
    match (differing, left.keys.len() == right.keys.len(), left.open.or(right.open)) {
        (Some((before, now)), ..) => Ruling::fail(
            Detail::new(format!("differs from {}", before.0)).at(&now.0).compare(before.1.clone(), now.1.clone()),
        ),
        (_, _, Some(open)) => Ruling::incomplete(open),
        (_, false, _) => Ruling::fail(
            Detail::new("not as many items")
                .at(input.all("right").first().map_or("", |page| &page.pointer))
                .compare(left.keys.len().into(), right.keys.len().into()),
        ),
        _ if left.keys.is_empty() => Ruling::skip("no items to compare"),
        _ => Ruling::pass(left.keys.len()),
    }
}

/// Two walks bring the same items, in whatever order.
pub(super) fn covers_the_same(args: &Key, input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (walk(input.all("left"), &args.key), walk(input.all("right"), &args.key));
    if let Some(open) = left.open.or(right.open) {
        return Ruling::incomplete(open);
    }
    let keys = |walk: &[(String, Value)]| walk.iter().map(|(_, key)| key.to_string()).collect::<BTreeSet<String>>();
    let (of_left, of_right) = (keys(&left.keys), keys(&right.keys));
    let only = |walk: &[(String, Value)], other: &BTreeSet<String>| {
        let strangers = walk.iter().filter(|(_, key)| !other.contains(&key.to_string()));
        strangers.map(|(place, key)| Detail::new(format!("{} came in one walk alone", brief(key))).at(place)).collect()
    };
    let mut details: Vec<Detail> = only(&left.keys, &of_right);
    let of_right_alone: Vec<Detail> = only(&right.keys, &of_left);
    details.extend(of_right_alone);
    match of_left.is_empty() && of_right.is_empty() {
        true => Ruling::skip("no items to compare"),
        false => Ruling::of(of_left.len(), details),
    }
}
