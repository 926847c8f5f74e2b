//! What a text costs an agent: tokens of the o200k_base vocabulary.

use tiktoken_rs::o200k_base_singleton;

/// The largest text that is counted, in bytes.
const LARGEST: usize = 1 << 20;
/// The longest run of white space, and the longest run of anything else, in bytes: what splits a text into words backtracks
/// over them.
const LONGEST_RUN: usize = 1 << 14;

/// How many tokens a text takes. Nothing for a text so large or so unlike words that counting could take for ever.
///
/// The vocabulary is loaded when it is first needed, which takes about a second without optimisation.
pub fn count(text: &str) -> Option<usize> {
    let can_be_counted = text.len() <= LARGEST
        && text.split(char::is_whitespace).all(|run| run.len() <= LONGEST_RUN)
        && text.split(|character: char| !character.is_whitespace()).all(|run| run.len() <= LONGEST_RUN);
    can_be_counted.then(|| o200k_base_singleton().encode_ordinary(text).len())
}
