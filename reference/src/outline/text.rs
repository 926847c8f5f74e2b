//! The user's words, made safe for an outline: no line of them reads as a header, a heading or a snippet.

/// The mark of a record that has a body.
pub(crate) const BODY: &str = "[+body]";

/// A title on one line, never blank.
pub(crate) fn title(text: &str) -> String {
    let title = one_line(text);
    match title.is_empty() {
        true => "(untitled)".to_owned(),
        false => title,
    }
}

/// A title that does not seem to have the mark of a body: one more backslash before a `[+body]` at its end, if that follows a
/// space or a backslash.
pub(crate) fn escaped_title(title: &str) -> String {
    match title.strip_suffix(BODY) {
        Some(before) if before.ends_with([' ', '\\']) => format!("{before}\\{BODY}"),
        _ => title.to_owned(),
    }
}

/// The lines of a summary that are not blank.
pub(crate) fn lines(text: &str) -> Vec<String> {
    text.split('\n').map(one_line).filter(|line| !line.is_empty()).collect()
}

/// A line of a summary or a snippet, with a backslash in front when it would read as structure.
pub(crate) fn escaped(line: &str) -> String {
    match line.starts_with(['[', '>', '#', '\\']) {
        true => format!("\\{line}"),
        false => line.to_owned(),
    }
}

/// Control characters and separators of lines become a space, a run of them one; white space at the ends goes.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut in_run = false;
    for character in text.chars() {
        let breaks = character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
        if !breaks {
            line.push(character);
        } else if !in_run {
            line.push(' ');
        }
        in_run = breaks;
    }
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::plain("Caching strategy", "Caching strategy")]
    #[case::line_ends("a\nb\r\nc\n\n\nd", "a b c d")]
    #[case::controls("a\tb\u{7}c\u{85}d\u{2028}e", "a b c d e")]
    #[case::trimmed(" \u{a0}a\u{3000}\n", "a")]
    #[case::spaces("a  b", "a  b")]
    #[case::blank(" \n\t", "(untitled)")]
    #[case::structure("[R9] (O) x", "[R9] (O) x")]
    fn a_title_is_one_line(#[case] text: &str, #[case] due: &str) {
        assert_eq!(title(text), due);
    }

    #[rstest]
    #[case::mark("a [+body]", r"a \[+body]")]
    #[case::escaped_mark(r"a \[+body]", r"a \\[+body]")]
    #[case::backslashes(r"a\\[+body]", r"a\\\[+body]")]
    #[case::no_space("a[+body]", "a[+body]")]
    #[case::alone("[+body]", "[+body]")]
    #[case::inside("a [+body] b", "a [+body] b")]
    fn a_mark_of_the_user_is_none(#[case] title: &str, #[case] due: &str) {
        assert_eq!(escaped_title(title), due);
    }

    #[test]
    fn a_summary_has_no_blank_lines_and_none_of_structure() {
        let shown: Vec<String> =
            lines(" a\r\n\n \t\n[b]\n> c\n# d\n\\e\nf > g").iter().map(|line| escaped(line)).collect();
        assert_eq!(shown, ["a", r"\[b]", r"\> c", r"\# d", r"\\e", "f > g"]);
        assert!(lines(" \n ").is_empty());
    }
}
