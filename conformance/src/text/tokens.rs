//! What a text costs an agent: tokens of the o200k_base vocabulary.

use std::cell::RefCell;
use std::collections::VecDeque;
use tiktoken_rs::o200k_base_singleton;

/// The largest text that is counted, in bytes.
const LARGEST: usize = 1 << 20;
/// The longest run of white space, and the longest run of anything else, in bytes: what splits a text into words backtracks
/// over them.
const LONGEST_RUN: usize = 1 << 14;
/// So many texts are remembered, each of at most so many bytes.
const REMEMBERED: (usize, usize) = (8, 1 << 16);

thread_local! {
    /// What was counted last: one text is compared with many others, and is judged once for each counterexample of its case.
    static COUNTED: RefCell<VecDeque<(String, usize)>> = const { RefCell::new(VecDeque::new()) };
}

/// How many tokens a text takes. Nothing for a text so large or so unlike words that counting could take for ever.
///
/// The vocabulary is loaded when it is first needed, which takes about a second without optimisation.
pub fn count(text: &str) -> Option<usize> {
    let can_be_counted = text.len() <= LARGEST
        && text.split(char::is_whitespace).all(|run| run.len() <= LONGEST_RUN)
        && text.split(|character: char| !character.is_whitespace()).all(|run| run.len() <= LONGEST_RUN);
    can_be_counted.then(|| remembered(text).unwrap_or_else(|| counted(text)))
}

/// How many tokens a text of `length` bytes takes of which this is all or the beginning, and whether that is an estimate.
pub fn counted_or_estimated(beginning: &str, length: usize) -> (usize, bool) {
    let (tokens, is_exact) = match count(beginning) {
        Some(tokens) => (tokens, true),
        // Its words are cut where they are too long to be split.
        None => (pieces(beginning).map(counted).sum(), false),
    };
    match beginning.len() {
        0 => (0, length > 0),
        counted if counted < length => ((tokens as f64 * length as f64 / counted as f64).round() as usize, true),
        _ => (tokens, !is_exact),
    }
}

/// Pieces that can be counted.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(LONGEST_RUN));
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

fn remembered(text: &str) -> Option<usize> {
    COUNTED.with_borrow_mut(|known| {
        let at = known.iter().position(|(of, _)| of == text)?;
        // What is asked for again is forgotten last.
        let entry = known.remove(at)?;
        let count = entry.1;
        known.push_front(entry);
        Some(count)
    })
}

fn counted(text: &str) -> usize {
    let count = o200k_base_singleton().encode_ordinary(text).len();
    let (texts, bytes) = REMEMBERED;
    if text.len() <= bytes {
        COUNTED.with_borrow_mut(|known| {
            known.push_front((text.to_owned(), count));
            known.truncate(texts);
        });
    }
    count
}
