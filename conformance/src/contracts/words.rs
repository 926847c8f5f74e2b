//! Words for random texts: none is the beginning, a form or a part of another, so that every way to search finds the same.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The words.
pub(super) const WORDS: [&str; 24] = [
    "lantern", "harbour", "velvet", "copper", "thunder", "meadow", "pencil", "glacier", "saddle", "walnut", "bridge",
    "ticket", "feather", "magnet", "oyster", "pepper", "quarry", "rocket", "shovel", "turnip", "urchin", "violin",
    "willow", "zigzag",
];

/// So many characters of a value are looked at.
const MOST: usize = 200;

/// One word.
pub(super) fn word() -> impl Strategy<Value = &'static str> + Clone {
    select(&WORDS[..])
}

/// Words with single spaces between them, as many as `count` says.
pub(super) fn text(count: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = String> {
    vec(word(), count).prop_map(|words| words.join(" "))
}

/// A piece of one of the values, where there are some, of no more characters than a server takes in an address.
pub(super) fn part_of(mut values: Vec<String>) -> BoxedStrategy<Option<String>> {
    values.retain(|value| !value.is_empty());
    if values.is_empty() {
        return Just(None).boxed();
    }
    let places = (select(values), any::<Index>(), any::<Index>());
    let part = |(value, one, other): (String, Index, Index)| {
        let characters: Vec<char> = value.chars().take(MOST).collect();
        let (one, other) = (one.index(characters.len()), other.index(characters.len()));
        characters[one.min(other)..=one.max(other)].iter().collect::<String>()
    };
    places.prop_map(move |places| Some(part(places))).boxed()
}
