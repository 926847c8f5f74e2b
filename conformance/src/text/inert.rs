//! Texts as a person may see them: nothing in them can act on a terminal or on a runner of a CI, and everything shows.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use std::fmt::{self, Write};

/// The text on one line: what does not show is written as an escape, as in `\u{1b}`, and so is the first character of what a
/// runner of a CI would take for a command, as in `\u{3a}:error`.
pub fn line(text: &str) -> String {
    written(text, |line, hidden| match hidden {
        '\n' => line.push_str("\\n"),
        '\r' => line.push_str("\\r"),
        '\t' => line.push_str("\\t"),
        hidden => line.push_str(&format!("\\u{{{:x}}}", hidden as u32)),
    })
}

/// A text of several lines, each inert; colours that it has stay.
pub fn page(text: &str) -> String {
    text.split_inclusive('\n').map(page_line).collect()
}

/// JSON text with the same characters written as JSON escapes: the same value, and inert.
pub fn json(text: &str) -> String {
    written(text, |json, hidden| match hidden {
        // Between values; inside of texts JSON has it escaped already.
        '\n' => json.push('\n'),
        hidden => hidden.encode_utf16(&mut [0; 2]).iter().for_each(|unit| json.push_str(&format!("\\u{unit:04x}"))),
    })
}

/// The text, in which `write` says how each character is written that does not show, or that begins a command.
pub(super) fn written(text: &str, write: impl Fn(&mut String, char)) -> String {
    let mut written = String::with_capacity(text.len());
    let mut before = None;
    for (at, character) in text.char_indices() {
        let rest = &text[at..];
        match is_hidden(before, character, rest) || begins_command(before, rest) {
            true => write(&mut written, character),
            false => written.push(character),
        }
        before = Some(character);
    }
    written
}

fn page_line(text: &str) -> String {
    let (text, end) = text.strip_suffix('\n').map_or((text, ""), |text| (text, "\n"));
    let mut pieces = text.split("\u{1b}[");
    let mut page = pieces.next().map_or_else(String::new, line);
    for piece in pieces {
        let after = piece.trim_start_matches(|code: char| code.is_ascii_digit() || code == ';');
        match after.strip_prefix('m') {
            Some(rest) => {
                page.push_str(&format!("\u{1b}[{}m{}", &piece[..piece.len() - after.len()], line(rest)));
            }
            None => page.push_str(&line(&format!("\u{1b}[{piece}"))),
        }
    }
    page + end
}

/// Whether a runner of a CI may take the text here for the begin of a command.
///
/// GitHub's takes `::error …` where a line begins, blanks aside, so that it may be any word once lines are wrapped. It takes
/// `##[error]` anywhere in a line, and Azure's `##vso[…]`.
fn begins_command(before: Option<char>, rest: &str) -> bool {
    if let Some(name) = rest.strip_prefix("::") {
        return before.is_none_or(char::is_whitespace) && name.starts_with(|next: char| next.is_ascii_alphabetic());
    }
    rest.strip_prefix("##").is_some_and(|name| {
        name.trim_start_matches(|next: char| next.is_ascii_alphanumeric() || "-_.".contains(next)).starts_with('[')
    })
}

/// Whether a character does not show: controls, what Unicode has programs ignore, separators, a blank that is no space, and what
/// is not a character.
fn is_hidden(before: Option<char>, character: char, rest: &str) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    if matches!(character, '\u{200c}' | '\u{200d}') {
        let after = rest.chars().nth(1);
        return ![before, after].iter().all(|beside| beside.is_some_and(is_joined));
    }
    is_invisible(character)
}

/// Whether a joiner beside it may show: people write with joiners, but between letters that do not join they only hide.
fn is_joined(character: char) -> bool {
    !character.is_ascii() && !is_invisible(character)
}

fn is_invisible(character: char) -> bool {
    character.is_control()
        || character as u32 & 0xfffe == 0xfffe
        || matches!(character, '\u{2028}'..='\u{2029}' | '\u{2800}' | '\u{fff9}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}')
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
}

/// The beginning of what is shown, in so many bytes or a few less, without making the rest of it.
pub(crate) fn beginning(shown: fmt::Arguments<'_>, most: usize) -> String {
    let mut beginning = Beginning { text: String::new(), most };
    // That it is full is no error here.
    let _ = beginning.write_fmt(shown);
    beginning.text
}

struct Beginning {
    text: String,
    most: usize,
}

impl Write for Beginning {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let room = self.most - self.text.len();
        let fits = more.floor_char_boundary(room);
        self.text.push_str(&more[..fits]);
        if fits < more.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

/// At most so many characters, with an ellipsis where something was left out.
pub fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{json, line, page};
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::Value;

    #[rstest]
    #[case::a_command("::error file=a::b", "\\u{3a}:error file=a::b")]
    #[case::after_blanks(" \u{a0}::add-mask::b", " \u{a0}\\u{3a}:add-mask::b")]
    #[case::where_a_line_may_be_broken("a ::set-output name=a::b", "a \\u{3a}:set-output name=a::b")]
    #[case::inside_of_a_line("a##[set-output name=a]x", "a\\u{23}#[set-output name=a]x")]
    #[case::of_another_runner("##vso[task.complete]", "\\u{23}#vso[task.complete]")]
    #[case::after_more_of_it("###[a]", "#\\u{23}#[a]")]
    #[case::no_command("std::fs [::1] ::1 ## a heading # [x] at 10::", "std::fs [::1] ::1 ## a heading # [x] at 10::")]
    #[case::controls("a\u{1b}[2J\r\n", "a\\u{1b}[2J\\r\\n")]
    #[case::joined("👩\u{200d}🌾 می\u{200c}خواهم", "👩\u{200d}🌾 می\u{200c}خواهم")]
    #[case::not_joined("a\u{200c}b\u{200d}", "a\\u{200c}b\\u{200d}")]
    #[case::joiners_alone("ب\u{200d}\u{200d}ب", "ب\\u{200d}\\u{200d}ب")]
    fn a_line_is_inert(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(line(text), shown);
        assert_eq!(line(shown), shown, "what is inert stays");
    }

    /// Each was seen to pass once, or is the first or last of its kind.
    #[test]
    fn what_does_not_show_is_written_out() {
        let ranges = [
            (0xad, 0xad),
            (0x34f, 0x34f),
            (0x61c, 0x61c),
            (0x115f, 0x1160),
            (0x17b4, 0x17b5),
            (0x180b, 0x180f),
            (0x200b, 0x200f),
            (0x2028, 0x202e),
            (0x2060, 0x206f),
            (0x2800, 0x2800),
            (0x3164, 0x3164),
            (0xfdd0, 0xfdef),
            (0xfe00, 0xfe0f),
            (0xfeff, 0xfeff),
            (0xffa0, 0xffa0),
            (0xfff0, 0xfffb),
            (0xfffe, 0xffff),
            (0x1bca0, 0x1bca3),
            (0x1d173, 0x1d17a),
            (0xe0000, 0xe0fff),
        ];
        for character in ranges.iter().flat_map(|(first, last)| *first..=*last).filter_map(char::from_u32) {
            assert_eq!(line(&format!("a{character}b")), format!("a\\u{{{:x}}}b", character as u32));
        }
    }

    #[rstest]
    #[case::lines("a\n ::error::b\n", "a\n \\u{3a}:error::b\n")]
    #[case::our_colours("\u{1b}[1;31ma\u{1b}[0m\u{1b}[m", "\u{1b}[1;31ma\u{1b}[0m\u{1b}[m")]
    #[case::what_moves_the_cursor("a\u{1b}[2Jb\u{1b}]0;c\u{7}\r\n", "a\\u{1b}[2Jb\\u{1b}]0;c\\u{7}\\r\n")]
    #[case::one_within_another("\u{1b}[\u{1b}[1md", "\\u{1b}[\u{1b}[1md")]
    fn a_page_keeps_lines_and_colours(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(page(text), shown);
    }

    proptest! {
        #[test]
        fn json_stays_the_same_value(text in "(::|##|[a-z\\[\\]:# \u{ad}\u{200d}\u{fe0f}\u{1b}\n\"\\\\])*") {
            let value = Value::from(text);
            let shown = json(&value.to_string());
            prop_assert_eq!(serde_json::from_str::<Value>(&shown).ok(), Some(value));
            let acts = shown.contains("##[") || shown.contains('\u{1b}');
            prop_assert!(!acts, "{}", shown);
        }
    }
}
