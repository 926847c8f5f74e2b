//! The part of a text that is shown: short, and safe to display.

use crate::words::{cleaned, window};

/// Most Unicode scalar values of a snippet.
pub(crate) const LONGEST: usize = 200;
/// The start of the text, or the surroundings of the first match where the start does not reach it: a snippet is evidence.
/// `words` are in ASCII lower case.
pub(crate) fn snippet(text: &str, words: &[String]) -> String {
    let clean = cleaned(text);
    clean[window(&clean, words, LONGEST)].to_owned()
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
