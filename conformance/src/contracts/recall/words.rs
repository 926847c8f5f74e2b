//! Words and parts of texts that frames show, to search with.

use super::frame::Frame;
use crate::path::rare_words;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The rarest word of a snippet.
pub(super) fn longest_word(frame: Frame<'_>) -> Option<String> {
    let snippet: Vec<&str> = frame.text("ocr_snippet").into_iter().collect();
    rare_words(&[snippet], 1, false).pop().map(|word| word.text)
}

/// The word that most snippets show.
pub(super) fn most_shown_word(frames: &[Frame<'_>]) -> Option<String> {
    let snippets: Vec<Vec<&str>> = frames.iter().map(|frame| frame.text("ocr_snippet").into_iter().collect()).collect();
    let words = rare_words(&snippets, usize::MAX, false);
    words.into_iter().max_by_key(|word| (word.items, Reverse(word.of))).map(|word| word.text)
}

/// The part of letters and digits that most texts have in this case of its letters and in no other: the longest of several.
pub(super) fn most_common(texts: &[String]) -> Option<String> {
    const LENGTH: usize = 8;
    let mut parts = BTreeSet::new();
    // What most texts have is in one of the first few.
    for text in texts.iter().take(4) {
        let characters: Vec<char> = text.chars().collect();
        for start in 0..characters.len() {
            let run = characters[start..].iter().take(LENGTH).take_while(|character| character.is_ascii_alphanumeric());
            let run: String = run.collect();
            parts.extend((1..=run.len()).map(|length| run[..length].to_owned()));
        }
    }
    let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let counted = parts.into_iter().filter_map(|part| {
        let exact = texts.iter().filter(|text| text.contains(&part)).count();
        let in_any_case = lower.iter().filter(|text| text.contains(&part.to_lowercase())).count();
        (exact == in_any_case).then_some((exact, part.len(), part))
    });
    counted.max().map(|(.., part)| part)
}
