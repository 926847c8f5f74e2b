//! Text in Markdown, for reports that land in a comment or in the summary of a job. What a target said acts on nothing there: it makes
//! no heading, no link and no HTML, and it calls nobody.

use crate::text::inert;

/// Text that says nothing to Markdown or HTML, and that no reader makes a link of.
pub(crate) fn text(text: &str) -> String {
    let text = inert::line(text);
    let mut marked = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '<' => marked.push_str("&lt;"),
            '>' => marked.push_str("&gt;"),
            '&' => marked.push_str("&amp;"),
            // GitHub looks for names and numbers when the Markdown is gone, so a backslash does not keep it from calling people. Within a
            // word, as in `memory@2`, it calls nobody.
            '@' if !before.is_alphanumeric() => marked.push_str("@&#8203;"),
            '#' if characters.peek().is_some_and(char::is_ascii_digit) => marked.push_str("\\#&#8203;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '!' | '~' | '@' | '$' => {
                marked.push('\\');
                marked.push(character);
            }
            plain => marked.push(plain),
        }
        before = character;
    }
    marked.replace("://", ":\\//").replace("www.", "www\\.")
}

/// The same for a sentence that may have code between backticks, also in a table. A backtick without its partner is only a character.
pub(crate) fn sentence(sentence: &str) -> String {
    let sentence = inert::line(sentence);
    let pieces: Vec<&str> = sentence.split('`').collect();
    // An even number of pieces is an odd number of backticks.
    if pieces.len().is_multiple_of(2) || sentence.contains("``") {
        return text(&sentence);
    }
    let piece = |(at, piece): (usize, &&str)| match at % 2 {
        0 => text(piece),
        _ => format!("`{}`", piece.replace('|', "\\|")),
    };
    pieces.iter().enumerate().map(piece).collect()
}

/// A block of code whose fence is longer than any run of backticks in it.
pub(crate) fn fenced(language: &str, code: &str) -> String {
    let longest = code.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{code}{fence}\n\n")
}

#[cfg(test)]
mod tests {
    use super::{fenced, sentence, text};
    use pulldown_cmark::{Event, Options, Parser};
    use rstest::rstest;

    /// What a reader of Markdown makes of a text: its words, or nothing where anything else is in it.
    fn read(marked: &str) -> Option<String> {
        let mut words = String::new();
        for event in Parser::new_ext(marked, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
            match event {
                Event::Text(text) => words.push_str(&text),
                Event::Start(tag) if !matches!(tag, pulldown_cmark::Tag::Paragraph) => return None,
                Event::Html(_) | Event::InlineHtml(_) | Event::Code(_) => return None,
                _ => {}
            }
        }
        Some(words)
    }

    #[rstest]
    #[case::a_heading("# a")]
    #[case::a_link("[a](http://example.org) and ![a](b)")]
    #[case::html("<img src=x> &lt;b&gt; <!-- a -->")]
    #[case::a_table("a | b")]
    #[case::strong("**a** _b_ ~~c~~ $d$")]
    #[case::code("`a` and ``` b")]
    fn a_text_is_only_its_words(#[case] hostile: &str) {
        assert_eq!(read(&text(hostile)).as_deref(), Some(hostile));
    }

    #[rstest]
    #[case::somebody("@octocat, see (@org/team)", "@\u{200b}octocat, see (@\u{200b}org/team)")]
    #[case::an_issue("see #12 and o/r#12", "see #\u{200b}12 and o/r#\u{200b}12")]
    #[case::an_address("a@example.org, memory@2, #a", "a@example.org, memory@2, #a")]
    fn nobody_is_called(#[case] words: &str, #[case] due: &str) {
        assert_eq!(read(&text(words)).as_deref(), Some(due));
    }

    #[rstest]
    #[case::code("`a_b|c` is *new*", r"`a_b\|c` is \*new\*")]
    #[case::one_backtick("a ` b *c*", r"a \` b \*c\*")]
    #[case::two_in_a_row("``a`` *c*", r"\`\`a\`\` \*c\*")]
    fn code_in_a_sentence_stays_code(#[case] words: &str, #[case] due: &str) {
        assert_eq!(sentence(words), due);
    }

    #[test]
    fn a_fence_is_longer_than_what_is_in_it() {
        assert_eq!(fenced("sh", "a\n````\n"), "`````sh\na\n````\n`````\n\n");
    }
}
