//! The part of a text that is shown: short, and safe to display.

/// Most Unicode scalar values of a snippet.
pub(crate) const LONGEST: usize = 200;
/// How many scalar values stand before a match that lies too far into the text to be reached from its start.
const LEAD: usize = 60;

/// The start of the text, or the surroundings of the first match where the start does not reach it: a snippet is evidence.
/// `words` are in ASCII lower case.
pub(crate) fn snippet(text: &str, words: &[String]) -> String {
    let clean = cleaned(text);
    let shown: String = clean[start(&clean, words)..].chars().take(LONGEST).collect();
    shown.trim_end().to_owned()
}

/// Runs of white space and control characters become one space; marks that reorder the text around them go.
fn cleaned(text: &str) -> String {
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

/// Bidirectional embeddings, overrides and isolates: one left open turns round what a page shows after the snippet.
fn reorders(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Where in the clean text the snippet starts, in bytes.
fn start(clean: &str, words: &[String]) -> usize {
    // ASCII lower case keeps every byte where it is, so a place found in it is a place in the text.
    let folded = clean.to_ascii_lowercase();
    let first = words.iter().filter_map(|word| folded.find(word).map(|at| (at, at + word.len()))).min();
    let Some((match_start, match_end)) = first else {
        return 0;
    };
    if clean[..match_end].chars().count() <= LONGEST {
        return 0;
    }
    let lead = clean[..match_start].char_indices().rev().nth(LEAD - 1).map_or(0, |(at, _)| at);
    // The lead begins with a whole word where it holds a gap between words.
    clean[lead..match_start].find(' ').map_or(lead, |gap| lead + gap + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::plain("one two", "one two")]
    #[case::runs(" one \t\r\n two\u{a0}\u{3000}three ", "one two three")]
    #[case::controls("a\u{1b}[31mb\u{0}c\u{9b}d\u{7f}", "a [31mb c d")]
    #[case::overrides("a\u{202e}b\u{202c}\u{2066}c\u{2069}", "abc")]
    #[case::nothing(" \n\t ", "")]
    fn it_is_safe_to_display(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(snippet(text, &[]), shown);
    }

    #[test]
    fn it_is_short_in_scalar_values_not_in_bytes() {
        assert_eq!(snippet(&"語".repeat(1000), &[]).chars().count(), LONGEST);
    }

    #[test]
    fn it_starts_at_the_start_where_that_reaches_the_match() {
        let text = format!("{} Found {}", "word ".repeat(10), "word ".repeat(100));
        assert!(snippet(&text, &["found".to_owned()]).starts_with("word word"));
    }

    #[test]
    fn it_shows_a_match_far_into_the_text() {
        let text = format!("{} Found {}", "語word ".repeat(100), "word ".repeat(100));
        let shown = snippet(&text, &["found".to_owned()]);
        assert!(
            shown.starts_with("語word") && shown.contains(" Found ") && shown.chars().count() <= LONGEST,
            "{shown}"
        );
    }
}
