//! What to search with, taken from items that were received, so that the search has to find them again.

use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Shorter words may be stop words, or too short for an index.
const SHORTEST: usize = 5;
/// A shorter part is in too many texts.
const SHORTEST_PART: usize = 2;
/// A longer part is no better.
const LONGEST_PART: usize = 12;
/// Punctuation that is shown as it is: no markup escapes it.
const MARKS: &str = ".:/-";

/// A word of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// The item that it is taken from, by its place.
    pub(crate) of: usize,
    /// How many items have it.
    pub(crate) items: usize,
}

/// The field of an object, or what a JSON Pointer finds in it.
pub(crate) fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    if name.starts_with('/') { value.pointer(name) } else { value.get(name) }
}

/// The texts of an item in these fields, or the item itself where it is a text.
pub(crate) fn texts<'v>(item: &'v Value, fields: &[String]) -> Vec<&'v str> {
    let named = fields.iter().filter_map(|name| field(item, name)?.as_str());
    item.as_str().into_iter().chain(named).collect()
}

/// The words of texts, in lower case.
pub(crate) fn words_of(texts: &[&str]) -> BTreeSet<String> {
    let words = texts.iter().flat_map(|text| text.split(|character: char| !character.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Words that few items have, rarest first, then longest: of as many different items as possible.
///
/// A word is of plain letters between white space, so that a server that splits texts otherwise has it too. The first and the last
/// of a text may be cut, unless texts are whole.
pub(crate) fn rare_words(items: &[Vec<&str>], count: usize, are_whole: bool) -> Vec<Word> {
    let mut spread: BTreeMap<String, usize> = BTreeMap::new();
    for texts in items {
        words_of(texts).into_iter().for_each(|word| *spread.entry(word).or_default() += 1);
    }
    let mut all: Vec<Word> = Vec::new();
    for (of, texts) in items.iter().enumerate() {
        let inner = texts.iter().flat_map(|text| inner(text, are_whole));
        let items = |word: &str| spread.get(&word.to_lowercase()).copied().unwrap_or_default();
        all.extend(inner.filter(|word| is_plain(word)).map(|word| Word {
            text: word.to_owned(),
            of,
            items: items(word),
        }));
    }
    all.sort_by_key(|word| (word.items, Reverse(word.text.len()), word.of));
    let (mut chosen, mut others): (Vec<Word>, Vec<Word>) = (Vec::new(), Vec::new());
    for word in all {
        if chosen.iter().chain(&others).any(|known| known.text.eq_ignore_ascii_case(&word.text)) {
            continue;
        }
        let is_of_another = chosen.iter().all(|known| known.of != word.of);
        if is_of_another { &mut chosen } else { &mut others }.push(word);
    }
    chosen.into_iter().chain(others).take(count).collect()
}

fn inner(text: &str, is_whole: bool) -> Vec<&str> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if !is_whole {
        words.pop();
        words.drain(..1.min(words.len()));
    }
    words
}

fn is_plain(word: &str) -> bool {
    word.len() >= SHORTEST
        && word.chars().all(|letter| letter.is_ascii_alphabetic())
        && word.chars().skip(1).all(|letter| letter.is_ascii_lowercase())
}

/// A part of a text, and which item's text it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) of: usize,
}

/// A part from the middle of one of the texts, neither its beginning nor its end, nor those of a word: one that other texts lack
/// comes first, then a long one. A `marked` one has punctuation inside, any other has letters, digits and blanks alone.
pub(crate) fn part(texts: &[Option<&str>], marked: bool) -> Option<Part> {
    let parts = texts.iter().enumerate().filter_map(|(of, text)| Some(Part { text: middle((*text)?, marked)?, of }));
    parts.min_by_key(|part| {
        let is_everywhere = texts.iter().flatten().all(|text| text.contains(&part.text));
        (is_everywhere, Reverse(part.text.len()), part.of)
    })
}

fn middle(text: &str, marked: bool) -> Option<String> {
    let fits =
        |character: char| character.is_ascii_alphanumeric() || (if marked { MARKS } else { " " }).contains(character);
    let runs = text.split(|character| !fits(character)).filter_map(|run| run.get(1..run.len().checked_sub(1)?));
    let parts = runs.filter_map(|run| {
        let mark = run.find(|character| MARKS.contains(character));
        let start = mark.map_or(0, |mark| mark.saturating_sub(LONGEST_PART / 2));
        let part = run[start..].chars().take(LONGEST_PART).collect::<String>();
        let part = part.trim();
        let is_plain = part.len() >= SHORTEST_PART && !part.contains("  ");
        (is_plain && mark.is_some() == marked).then(|| part.to_owned())
    });
    parts.reduce(|longest, part| if part.len() > longest.len() { part } else { longest })
}

#[cfg(test)]
mod tests {
    use super::{part, rare_words};
    use rstest::rstest;

    fn words(items: &[&str], are_whole: bool) -> Vec<String> {
        let items: Vec<Vec<&str>> = items.iter().map(|text| vec![*text]).collect();
        rare_words(&items, 3, are_whole).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn rare_words_of_different_items_come_first() {
        let items = ["of lantern harbour velvet at", "of lantern copper at", "of lantern thunderous harbour at"];
        assert_eq!(words(&items, false), ["thunderous", "velvet", "copper"]);
        assert_eq!(words(&items[..1], false), ["lantern", "harbour", "velvet"]);
    }

    #[test]
    fn words_that_may_be_cut_or_split_are_left_out() {
        assert_eq!(words(&["glacier <b>walnut</b> don't café getName HTTPS milk, saddle"], false), [""; 0]);
        assert_eq!(words(&["glacier milk, saddle"], true), ["glacier", "saddle"]);
    }

    #[rstest]
    #[case::words("Visual Studio Code", false, Some("isual Studio"))]
    #[case::of_letters("https://trains.example/a?b=1", false, Some("xampl"))]
    #[case::marked("https://trains.example/a?b=1", true, Some("ttps://train"))]
    #[case::a_mark_behind("inbox of mail.example.org", true, Some("ail.example."))]
    #[case::no_mark("Inkwell", true, None)]
    #[case::short("Vim", false, None)]
    #[case::escaped("A&B", false, None)]
    fn a_part_is_from_the_middle(#[case] text: &str, #[case] marked: bool, #[case] expected: Option<&str>) {
        assert_eq!(part(&[Some(text)], marked).map(|part| part.text).as_deref(), expected);
    }

    #[test]
    fn a_part_that_others_lack_comes_first() {
        assert_eq!(
            part(&[None, Some("Inkwell"), Some("An Inkwell"), Some("Ledger")], false).map(|part| part.of),
            Some(2)
        );
        assert_eq!(part(&[Some("Inkwells"), Some("Inkwells"), Some("Mail")], false).map(|part| part.of), Some(0));
    }
}
