//! Words to search for, taken from references.

use super::pairs::text;
use crate::path::Located;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Nothing more is said of the word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// A word of fewer letters may be one that a search passes over.
const LONG: usize = 6;
/// Of more records a search may show a part.
const MOST: usize = 12;

/// A word of titles or summaries that a record shares with its parent, so that a search for it has hits which may stand below each other:
/// one that has other hits beside them before one that has none, then one of few hits. Where there is no such word, the first long one
/// of a summary.
pub(super) fn kin_word(_: &Nothing, nodes: &[Located<'_>]) -> Vec<Value> {
    let records: BTreeMap<&str, &Value> = nodes.iter().map(|node| (text(node.value, "id"), node.value)).collect();
    let mut found: BTreeMap<String, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        for word in ["title", "summary"].into_iter().flat_map(|key| words(text(node.value, key))) {
            found.entry(word).or_insert_with(|| (at, BTreeSet::new())).1.insert(text(node.value, "id"));
        }
    }
    let parent = |id: &str| records.get(id).and_then(|record| record["parent_id"].as_str());
    let rank = |(word, (first, hits)): (String, (usize, BTreeSet<&str>))| {
        let is_below = |id: &&&str| parent(id).is_some_and(|parent| parent != **id && hits.contains(parent));
        let is_above = |id: &str| hits.iter().any(|one| parent(one) == Some(id));
        let below = hits.iter().filter(is_below).count();
        let is_alone = |id: &&str| !hits.contains(parent(id).unwrap_or_default()) && !is_above(id);
        let has_others = hits.iter().any(is_alone);
        (below > 0 && hits.len() <= MOST).then_some((!has_others, hits.len(), first, word))
    };
    let summaries = nodes.iter().flat_map(|node| words(text(node.value, "summary")));
    let best = found.into_iter().filter_map(rank).min().map(|(.., word)| word);
    best.or_else(|| summaries.into_iter().next()).map(Value::from).into_iter().collect()
}

/// The words of a text that are long, plain and in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|one: char| one.is_whitespace() || ".,;:?!".contains(one));
    let is_plain = |word: &&str| word.len() >= LONG && word.chars().all(|one| one.is_ascii_lowercase());
    parts.filter(is_plain).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{Nothing, kin_word};
    use crate::path::Located;
    use serde_json::{Value, json};

    fn picked(records: &Value) -> Vec<Value> {
        let nodes = records.as_array().into_iter().flatten();
        let nodes: Vec<_> = nodes.map(|value| Located { pointer: String::new(), value }).collect();
        kin_word(&Nothing {}, &nodes)
    }

    #[test]
    fn a_word_of_a_record_and_its_parent_comes_before_one_of_records_that_are_no_kin() {
        let records = json!([
            { "id": "a", "parent_id": null, "title": "Old letters", "summary": "Before the shelves came." },
            { "id": "b", "parent_id": null, "title": "New shelves", "summary": "Whatever was there." },
            { "id": "c", "parent_id": "b", "title": "More", "summary": "Bring the shelves upstairs." },
        ]);
        assert_eq!(picked(&records), ["shelves"]);
    }

    #[test]
    fn where_no_kin_share_a_word_the_first_long_one_of_a_summary_is_taken() {
        let records =
            json!([{ "id": "a", "parent_id": null, "title": "Letters", "summary": "Bring the letters upstairs." }]);
        assert_eq!(picked(&records), ["letters"]);
        assert_eq!(picked(&json!([])), [] as [Value; 0]);
    }
}
