//! The words of a query, and the part of a text that shows them, for every contract with a search.

use std::ops::Range;

/// How the full-text index splits a text. Marks count as letters, so that a word of an Indic script stays one word; accents
/// are kept, because only the case of ASCII is ignored.
pub(crate) const TOKENIZER: &str = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'";

/// How many scalar values precede a match that a window from the start of the text does not reach.
const LEAD: usize = 60;

/// The words of a query, ASCII in lower case, each once.
pub(crate) fn words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = query.split_whitespace().map(str::to_ascii_lowercase).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// A word in the full-text query language, where nothing between quotes is an operator and a quote is written twice.
pub(crate) fn phrase(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

/// Whether the tokenizer finds a token in the word. A wrong yes would lose matches, because a phrase without a token finds
/// nothing; a wrong no only costs a scan.
pub(crate) fn has_token(word: &str) -> bool {
    // Circled and squared letters are letters to Rust and symbols to the tokenizer.
    word.chars().any(|c| c.is_alphanumeric() && !matches!(c, 'Ⓐ'..='ⓩ' | '🄰'..='🆉'))
}

/// Runs of white space and control characters become one space; marks that reorder the text around them go.
pub(crate) fn cleaned(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for character in text.chars().filter(|character| !reorders(*character)) {
        if !character.is_whitespace() && !character.is_control() {
            clean.push(character);
        } else if !clean.is_empty() && !clean.ends_with(' ') {
            clean.push(' ');
        }
    }
    clean
}

/// The start of a clean text, or the surroundings of the first match where the start does not reach it, in bytes; at most
/// `longest` scalar values. `words` are in ASCII lower case.
pub(crate) fn window(clean: &str, words: &[String], longest: usize) -> Range<usize> {
    let start = start(clean, words, longest);
    let end = clean[start..].char_indices().nth(longest).map_or(clean.len(), |(at, _)| start + at);
    start..start + clean[start..end].trim_end().len()
}

/// Bidirectional embeddings, overrides and isolates: one left open reverses the text that a page shows after the snippet.
fn reorders(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn start(clean: &str, words: &[String], longest: usize) -> usize {
    // ASCII lower case keeps every byte where it is, so a place found in it is a place in the text.
    let folded = clean.to_ascii_lowercase();
    let first = words.iter().filter_map(|word| folded.find(word).map(|at| (at, at + word.len()))).min();
    let Some((match_start, match_end)) = first else {
        return 0;
    };
    if clean[..match_end].chars().count() <= longest {
        return 0;
    }
    let lead = clean[..match_start].char_indices().rev().nth(LEAD - 1).map_or(0, |(at, _)| at);
    // The lead begins with a whole word where it holds a gap between words.
    clean[lead..match_start].find(' ').map_or(lead, |gap| lead + gap + 1)
}
