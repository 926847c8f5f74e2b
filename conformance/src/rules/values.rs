//! Relations of numbers, texts and lists.

use super::{Input, Outcome, brief, equal};
use crate::model::Detail;
use serde_json::Value;

/// Each number is at most the one before it.
pub(super) fn descending(input: &Input<'_, '_>) -> Outcome {
    let values = input.all("value");
    if values.len() < 2 {
        return Outcome::skip("fewer than two values to compare");
    }
    let mut details = Vec::new();
    for pair in values.windows(2) {
        match (pair[0].value.as_f64(), pair[1].value.as_f64()) {
            (Some(before), Some(after)) if before >= after => {}
            (Some(before), Some(after)) => {
                details.push(Detail::new(format!("{after} comes after {before}")).at(&pair[1].pointer));
            }
            _ => details.push(Detail::new("is no number, so its order cannot be told").at(&pair[1].pointer)),
        }
    }
    Outcome::of(values.len() - 1, details)
}

/// The selected values are the listed ones, in this order.
pub(super) fn sequence(input: &Input<'_, '_>) -> Outcome {
    let (values, due) = (input.all("value"), input.list("of"));
    let same = values.len() == due.len() && values.iter().zip(due).all(|(node, due)| equal(node.value, due));
    if same {
        return Outcome::pass(due.len());
    }
    let came: Value = values.iter().map(|node| node.value.clone()).collect();
    let place = values.first().map_or("", |node| &node.pointer);
    Outcome::fail(Detail::new("the values or their order differ").at(place).compare(due.into(), came))
}

/// The selected values are the listed ones, in any order.
pub(super) fn set(input: &Input<'_, '_>) -> Outcome {
    let (values, due) = (input.all("value"), input.list("of"));
    let missing = due.iter().filter(|due| !values.iter().any(|node| equal(node.value, due)));
    let mut details: Vec<Detail> =
        missing.map(|due| Detail { expected: Some(due.clone()), ..Detail::new("did not come") }).collect();
    for node in values.iter().filter(|node| !due.iter().any(|due| equal(node.value, due))) {
        details.push(Detail::new(format!("{} must not come", brief(node.value))).at(&node.pointer));
    }
    if details.is_empty() && values.len() != due.len() {
        let place = values.last().map_or("", |node| &node.pointer);
        details.push(Detail::new("some came twice").at(place).compare(due.len().into(), values.len().into()));
    }
    for detail in details.iter_mut().filter(|detail| detail.at.is_none()) {
        detail.at = values.first().map(|node| node.pointer.clone());
    }
    Outcome::of(due.len(), details)
}

/// Each number is at least the bound.
pub(super) fn at_least(input: &Input<'_, '_>) -> Outcome {
    bounded(input, |value, bound| value >= bound, "lies before")
}

/// Each number is at most the bound.
pub(super) fn at_most(input: &Input<'_, '_>) -> Outcome {
    bounded(input, |value, bound| value <= bound, "lies behind")
}

fn bounded(input: &Input<'_, '_>, holds: impl Fn(f64, f64) -> bool, wrong: &str) -> Outcome {
    let Some(bound) = input.one("bound").and_then(|node| number(node.value)) else {
        return Outcome::skip("no bound is given");
    };
    let values: Vec<_> = input.all("value").iter().filter_map(|node| Some((node, node.value.as_f64()?))).collect();
    if values.is_empty() {
        return Outcome::skip("no values to compare");
    }
    let outside = values.iter().filter(|(_, value)| !holds(*value, bound));
    let details = outside.map(|(node, value)| Detail::new(format!("{value} {wrong} {bound}")).at(&node.pointer));
    Outcome::of(values.len(), details.collect())
}

/// A list has at most so many entries. Only a whole number from 1 asks for so many.
pub(super) fn no_longer_than(input: &Input<'_, '_>) -> Outcome {
    let limit = input.one("limit").and_then(|node| node.value.as_u64()).filter(|limit| *limit > 0);
    let (Some(items), Some(limit)) = (input.one("items"), limit) else {
        return Outcome::skip("no limit is given");
    };
    let length = items.value.as_array().map_or(0, Vec::len) as u64;
    match length <= limit {
        true => Outcome::pass(1),
        false => Outcome::fail(
            Detail::new("more came than were asked for").at(&items.pointer).compare(limit.into(), length.into()),
        ),
    }
}

/// Each text, when it is not empty, shares a word with the listed one at the same place.
pub(super) fn shares_a_word(input: &Input<'_, '_>) -> Outcome {
    let (values, texts) = (input.all("value"), input.list("of"));
    let words = |text: &str| -> Vec<String> {
        let bare = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
        bare.map(str::to_lowercase).collect()
    };
    let pairs = values.iter().zip(texts).filter_map(|(node, text)| Some((node, node.value.as_str()?, text.as_str()?)));
    let pairs: Vec<_> = pairs.filter(|(_, shown, _)| !words(shown).is_empty()).collect();
    if pairs.is_empty() {
        return Outcome::skip("no texts to compare");
    }
    let foreign = pairs.iter().filter(|(_, shown, text)| {
        let own = words(text);
        !words(shown).iter().any(|word| own.contains(word))
    });
    let details = foreign.map(|(node, shown, _)| {
        Detail::new(format!("{} has no word of its own text", brief(&Value::from(*shown)))).at(&node.pointer)
    });
    Outcome::of(pairs.len(), details.collect())
}

/// Each text contains the part. Case is free, and so is how white space runs are shown.
pub(super) fn contains(input: &Input<'_, '_>) -> Outcome {
    let Some(part) = input.one("part").and_then(|node| node.value.as_str()) else {
        return Outcome::skip("no part is given");
    };
    let values = input.all("value");
    if values.is_empty() {
        return Outcome::skip("no values to look into");
    }
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let wanted = plain(part);
    let without = values.iter().filter(|node| !node.value.as_str().is_some_and(|text| plain(text).contains(&wanted)));
    let details =
        without.map(|node| Detail::new(format!("{} does not contain {part:?}", brief(node.value))).at(&node.pointer));
    Outcome::of(values.len(), details.collect())
}

/// The word stands somewhere in each value.
pub(super) fn mentions(input: &Input<'_, '_>) -> Outcome {
    let values = input.all("value");
    if values.is_empty() {
        return Outcome::skip("no values to look into");
    }
    let word = input.text("word");
    let without = values.iter().filter(|node| !node.value.to_string().contains(word));
    let details =
        without.map(|node| Detail::new(format!("{} does not mention {word}", brief(node.value))).at(&node.pointer));
    Outcome::of(values.len(), details.collect())
}

/// A number, also one that was sent as text.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}
