//! Relations of numbers, texts and lists.

use super::compare::unexpected;
use super::{Input, Ruling, brief, equal, folded};
use crate::model::Detail;
use serde::Deserialize;
use serde_json::Value;

/// Each number is at most the one before it. What is not a number has no place in the order.
pub(super) fn descending(input: &Input<'_, '_>) -> Ruling {
    let values: Vec<_> = input.all("value").iter().filter_map(|node| Some((node, number(node.value)?))).collect();
    if values.len() < 2 {
        return Ruling::skip("fewer than two numbers to compare");
    }
    let rising = values.windows(2).filter(|pair| pair[0].1 < pair[1].1);
    let details =
        rising.map(|pair| Detail::new(format!("{} comes after {}", pair[1].1, pair[0].1)).at(&pair[1].0.pointer));
    Ruling::of(values.len() - 1, details.collect())
}

/// None of the numbers is above the greatest of `best`.
pub(super) fn none_above(input: &Input<'_, '_>) -> Ruling {
    let Some(best) = input.all("best").iter().filter_map(|node| number(node.value)).reduce(f64::max) else {
        return Ruling::skip("no number to compare with");
    };
    let others: Vec<_> = input.all("value").iter().filter_map(|node| Some((node, number(node.value)?))).collect();
    let above = others.iter().filter(|(_, other)| *other > best);
    let details =
        above.map(|(node, other)| Detail::new(format!("{other} is above {best}")).at(&node.pointer)).collect();
    match others.is_empty() {
        true => Ruling::skip("no numbers to compare"),
        false => Ruling::of(others.len(), details),
    }
}

/// The values that may be there, or have to.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Of {
    pub(super) of: Vec<Value>,
}

/// The selected values are the listed ones, in this order.
pub(super) fn sequence(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let (values, due) = (input.all("value"), &args.of);
    let same = values.len() == due.len() && values.iter().zip(due).all(|(node, due)| equal(node.value, due));
    if same {
        return Ruling::pass(due.len());
    }
    let came: Value = values.iter().map(|node| node.value.clone()).collect();
    let place = values.first().map_or("", |node| &node.pointer);
    Ruling::fail(Detail::new("the values or their order differ").at(place).compare(due.clone().into(), came))
}

/// The selected values are the listed ones, in any order.
pub(super) fn set(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let (values, due) = (input.all("value"), &args.of);
    let missing = due.iter().filter(|due| !values.iter().any(|node| equal(node.value, due)));
    let mut details: Vec<Detail> = missing.map(|due| Detail::new(format!("{} is missing", brief(due)))).collect();
    for node in values.iter().filter(|node| !due.iter().any(|due| equal(node.value, due))) {
        details.push(unexpected(node));
    }
    if details.is_empty() && values.len() != due.len() {
        let place = values.last().map_or("", |node| &node.pointer);
        details
            .push(Detail::new("a value was received twice").at(place).compare(due.len().into(), values.len().into()));
    }
    for detail in details.iter_mut().filter(|detail| detail.at.is_none()) {
        detail.at = values.first().map(|node| node.pointer.clone());
    }
    Ruling::of(due.len(), details)
}

/// A list has at most so many entries. Only a whole number from 1 asks for so many, also one in a text.
pub(super) fn no_longer_than(input: &Input<'_, '_>) -> Ruling {
    let limit =
        input.one("limit").and_then(|node| number(node.value)).filter(|limit| *limit >= 1.0 && limit.fract() == 0.0);
    let limit = limit.map(|limit| limit as u64);
    let items = input.one("items").and_then(|node| Some((node, node.value.as_array()?)));
    let (Some((items, list)), Some(limit)) = (items, limit) else {
        return Ruling::skip("no list, or no limit is given");
    };
    let length = list.len() as u64;
    match length <= limit {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new("more came than were asked for").at(&items.pointer).compare(limit.into(), length.into()),
        ),
    }
}

/// Each text contains the part. Case, accents, width and runs of white space are free. What is not text is passed over.
pub(super) fn contains(input: &Input<'_, '_>) -> Ruling {
    let Some(part) = input.one("part").and_then(|node| node.value.as_str()) else {
        return Ruling::skip("no part is given");
    };
    let texts: Vec<_> = input.all("value").iter().filter_map(|node| Some((node, node.value.as_str()?))).collect();
    if texts.is_empty() {
        return Ruling::skip("no texts to look into");
    }
    let wanted = folded(part);
    let without = texts.iter().filter(|(_, text)| !folded(text).contains(&wanted));
    let details = without
        .map(|(node, _)| Detail::new(format!("{} does not contain {part:?}", brief(node.value))).at(&node.pointer));
    Ruling::of(texts.len(), details.collect())
}

/// A number, also one that is written as a text.
pub(super) fn number(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    number.is_finite().then_some(number)
}
