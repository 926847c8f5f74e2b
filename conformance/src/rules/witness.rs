//! A search with what a known item shows finds this item.

use super::pages::Names;
use super::{Input, Ruling, brief};
use crate::model::Detail;
use crate::path::{Located, texts, words_of};
use serde::Deserialize;
use serde_json::Value;

/// Fewer words may all be stop words.
const ENOUGH_WORDS: usize = 3;

/// Where the words are taken from, and what tells items apart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordsOf {
    #[serde(rename = "in")]
    fields: Vec<String>,
    key: Names,
    /// So many items fill an answer. What is not among them may be behind them.
    #[serde(default)]
    page: Option<usize>,
}

/// At least one of several words finds an item that has it. `words` and `found` belong together by their exchanges, and `own`
/// are the items that the words were taken from. Any single word may be a stop word, or be split in another way.
pub(super) fn words_find(args: &WordsOf, input: &Input<'_, '_>) -> Ruling {
    let own = input.all("own");
    let (mut found_again, mut missed) = (0, Vec::new());
    for word in input.all("words") {
        let Some(text) = word.value.as_str() else { continue };
        let lower = text.to_lowercase();
        let has_word = |item: &&Located<'_>| words_of(&texts(item.value, &args.fields)).contains(&lower);
        let due: Vec<Value> = own.iter().filter(has_word).filter_map(|item| args.key.of(item.value)).collect();
        let found: Vec<&Located<'_>> = input.all("found").iter().filter(|item| item.is_beside(word)).collect();
        let is_full = args.page.is_some_and(|page| found.len() >= page);
        match found.iter().filter_map(|item| args.key.of(item.value)).any(|key| due.contains(&key)) {
            true => found_again += 1,
            false if due.is_empty() || is_full => {}
            false => missed.push(
                Detail::new(format!("`{text}` does not find {}, which shows it", brief(&due[0]))).at(&word.pointer),
            ),
        }
    }
    match (found_again, missed.len()) {
        (0, missing) if missing >= ENOUGH_WORDS => Ruling::of(missing, missed),
        (0, _) => Ruling::skip("fewer than three words to search with"),
        (found, missing) => Ruling::pass(found + missing),
    }
}
