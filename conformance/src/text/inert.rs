//! Evidence as a person may see it: nothing in it can act on a terminal.

use std::fmt::{self, Write};

/// The text with control characters, direction overrides and other invisible characters written out, and with the commands broken up
/// that the runners of CI systems look for in what is printed.
pub fn line(text: &str) -> String {
    written(text, |line, hidden| match hidden {
        '\n' => line.push_str("\\n"),
        '\r' => line.push_str("\\r"),
        '\t' => line.push_str("\\t"),
        hidden => line.push_str(&format!("\\u{{{:x}}}", hidden as u32)),
    })
}

/// JSON text with the same characters written as JSON escapes: the same value, and inert.
pub fn json(text: &str) -> String {
    written(text, |json, hidden| match hidden {
        // Between values; inside of texts JSON has it escaped already.
        '\n' => json.push('\n'),
        hidden => hidden.encode_utf16(&mut [0; 2]).iter().for_each(|unit| json.push_str(&format!("\\u{unit:04x}"))),
    })
}

/// A word as a shell reads it, inert in every other respect.
///
/// No shell can take a NUL. It is written as the others are, and the word ends there.
pub fn shell_word(word: &str) -> String {
    match shlex::try_quote(word) {
        Ok(quoted) if line(word) == word => quoted.into_owned(),
        _ => {
            let escaped = word.replace('\\', "\\\\").replace('\'', "\\'");
            let hidden = |to: &mut String, hidden: char| {
                hidden.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| to.push_str(&format!("\\x{byte:02x}")));
            };
            format!("$'{}'", written(&escaped, hidden))
        }
    }
}

/// The text with what must not be printed as it is given to `write`.
fn written(text: &str, write: impl Fn(&mut String, char)) -> String {
    let mut written = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match is_hidden(character) || begins_command(&text[at..]) {
            true => write(&mut written, character),
            false => written.push(character),
        }
    }
    written
}

/// Whether a runner may take what stands here for a command: `::error …` where a line begins, which is anywhere once lines are wrapped,
/// and `##[error]`, `##vso[…]` anywhere.
fn begins_command(rest: &str) -> bool {
    if let Some(behind) = rest.strip_prefix("::") {
        return behind.starts_with(|next: char| next.is_ascii_alphabetic());
    }
    rest.strip_prefix("##").is_some_and(|behind| {
        behind.trim_start_matches(|next: char| next.is_ascii_alphanumeric() || next == '-').starts_with('[')
    })
}

/// Controls, what turns the direction of text, what has no width or no ink, tags, selectors of variants, and what is no character at
/// all. Joiners are left: people write with them.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || character as u32 & 0xfffe == 0xfffe
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
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
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::{json, line, shell_word};
    use proptest::prelude::*;
    use rstest::rstest;
    use std::process::Command;

    #[rstest]
    #[case::a_command_of_a_runner("::error file=a::b", "\\u{3a}:error file=a\\u{3a}:b")]
    #[case::in_the_middle("a ##[set-output name=a]x", "a \\u{23}#[set-output name=a]x")]
    #[case::of_another_runner("##vso[task.complete]", "\\u{23}#vso[task.complete]")]
    #[case::what_is_none("[::1] ## a heading # [x] at 10::", "[::1] ## a heading # [x] at 10::")]
    #[case::no_ink("a\u{ad}b\u{3164}c\u{fe0f}d\u{e0100}", "a\\u{ad}b\\u{3164}c\\u{fe0f}d\\u{e0100}")]
    #[case::controls("a\u{1b}[2J\n", "a\\u{1b}[2J\\n")]
    #[case::joiners("👩\u{200d}🌾", "👩\u{200d}🌾")]
    fn what_acts_is_written_out(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(line(text), shown);
    }

    #[rstest]
    #[case::plain("a b", "'a b'")]
    #[case::a_quotation_mark("it's", "\"it's\"")]
    #[case::an_escape("\u{1b}c 'x' \\", "$'\\x1bc \\'x\\' \\\\'")]
    #[case::a_command_of_a_runner("::add-mask::$(x)", "$'\\x3a:add-mask::$(x)'")]
    #[case::nul("a\0$(touch x)", "$'a\\x00$(touch x)'")]
    fn a_word_of_a_shell_is_inert(#[case] word: &str, #[case] quoted: &str) {
        assert_eq!(shell_word(word), quoted);
    }

    proptest! {
        #[test]
        fn json_stays_the_same_value(text in "(::|##|[a-z\\[\\]:# \u{ad}\u{fe0f}\u{1b}\n\"\\\\])*") {
            let value = serde_json::Value::from(text);
            let shown = json(&value.to_string());
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
            prop_assert!(!shown.contains("##[") && !shown.contains('\u{1b}'));
        }

        #[test]
        #[cfg(unix)]
        fn a_shell_hands_on_what_was_quoted(word in "[^\u{0}]{1,12}|(::|##|[a-z'\"$`\\\\\u{1b}\n !]){1,8}") {
            let script = format!("printf '%s' {}", shell_word(&word));
            let said = Command::new("bash").args(["-c", &script]).output().unwrap();
            prop_assert_eq!(String::from_utf8(said.stdout).unwrap(), word);
        }
    }
}
