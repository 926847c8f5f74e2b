//! Summaries that are cut to a number of characters, where the caller asks for it.

use unicode_segmentation::UnicodeSegmentation;

/// The end of a summary that was cut.
const DOTS: &str = "...";

/// At most `limit` Unicode scalar values, dots included: up to a word boundary, or between graphemes if the word at the cut is
/// the first or longer than the limit. A text that fits is unchanged. The limit is at least the length of the dots.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let room = limit - DOTS.len();
    let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let word_start = text[..end].rfind(char::is_whitespace).map_or(0, |at| at + first_length(&text[at..]));
    let word_end = text[end..].find(char::is_whitespace).map_or(text.len(), |at| end + at);
    let head = match &text[word_start..word_end] {
        // The cut falls between two words.
        _ if end == word_end => &text[..end],
        word if word_start == 0 || word.chars().count() > limit => &text[..between_graphemes(text, end)],
        _ => &text[..word_start],
    };
    format!("{}{DOTS}", head.trim_end())
}

/// The last place up to `end` where a grapheme ends.
fn between_graphemes(text: &str, end: usize) -> usize {
    let ends = text.grapheme_indices(true).map(|(at, grapheme)| at + grapheme.len());
    ends.take_while(|at| *at <= end).last().unwrap_or(0)
}

/// The bytes of the first character.
fn first_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const FAMILY: &str = "👩‍👩‍👧";

    #[rstest]
    #[case::fits("abcdefghij", 10, "abcdefghij")]
    #[case::one_more_than_fits("abcdefghijk", 10, "abcdefg...")]
    #[case::at_a_word("one two three", 10, "one two...")]
    #[case::inside_a_word("one twelve three", 10, "one...")]
    #[case::spaces_before_the_cut("one     two three", 10, "one...")]
    #[case::long_word_behind_a_short_one("a bcdefghijklmnop", 10, "a bcdef...")]
    #[case::long_word_between_short_ones("a bcdefghijklmnop q", 10, "a bcdef...")]
    #[case::word_as_long_as_the_limit("a bcdefghijk", 10, "a...")]
    #[case::behind_a_space_of_three_bytes("one\u{3000}twelve three", 10, "one...")]
    #[case::smallest("abcdef", 4, "a...")]
    #[case::lines("one\ntwo\nthree four", 10, "one\ntwo...")]
    #[case::graphemes("e\u{301}e\u{301}e\u{301}e\u{301}", 6, "e\u{301}...")]
    #[case::a_grapheme_that_does_not_fit(FAMILY, 4, "...")]
    fn it_is_cut_where_it_hurts_least(#[case] text: &str, #[case] limit: usize, #[case] due: &str) {
        assert_eq!(cut(text, limit), due);
    }

    #[rstest]
    #[case(49)]
    #[case(50)]
    #[case(51)]
    fn fifty_characters_are_fifty(#[case] length: usize) {
        let text = "abcd ".repeat(11)[..length].to_owned();
        let shown = cut(&text, 50);
        assert_eq!(shown == text, length <= 50);
        assert!(shown.chars().count() <= 50);
    }
}
