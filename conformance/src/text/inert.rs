//! Evidence as a person may see it: nothing in it can act on a terminal.

use std::fmt::{self, Write};

/// The text with control characters, direction overrides and other invisible characters written out.
pub fn line(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut line, character| {
        match character {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            hidden if is_hidden(hidden) => line.push_str(&format!("\\u{{{:x}}}", hidden as u32)),
            plain => line.push(plain),
        }
        line
    })
}

/// JSON text with the same characters written as JSON escapes: the same value, and inert.
pub fn json(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut json, character| {
        match character {
            // Between values; inside of texts JSON has it escaped already.
            '\n' => json.push('\n'),
            hidden if is_hidden(hidden) => {
                hidden.encode_utf16(&mut [0; 2]).iter().for_each(|unit| json.push_str(&format!("\\u{unit:04x}")));
            }
            plain => json.push(plain),
        }
        json
    })
}

/// Controls, what turns the direction of text or has no width, tags, and what is no character at all. Joiners are left:
/// people write with them.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || character as u32 & 0xfffe == 0xfffe
        || matches!(character,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{e0000}'..='\u{e007f}')
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
