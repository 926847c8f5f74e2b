//! Text in Markdown, for reports that land in a comment or in the summary of a job. What a target said acts on nothing there: it makes
//! no heading, no link and no HTML, and it calls nobody.

use crate::text::inert;

/// Text that says nothing to Markdown or HTML, and that no reader makes a link of.
pub(crate) fn text(text: &str) -> String {
    let text = inert::line(text);
    let mut marked = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '<' => marked.push_str("&lt;"),
            '>' => marked.push_str("&gt;"),
            '&' => marked.push_str("&amp;"),
            // GitHub looks for names and numbers when the Markdown is gone, so a backslash does not keep it from calling people.
            '@' => marked.push_str("@&#8203;"),
            '#' if characters.peek().is_some_and(char::is_ascii_digit) => marked.push_str("\\#&#8203;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '!' | '~' | '$' => {
                marked.push('\\');
                marked.push(character);
            }
            plain => marked.push(plain),
        }
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
