//! Evidence as a person may see it: nothing in it can act on a terminal.

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
            hidden if is_hidden(hidden) => json.push_str(&format!("\\u{:04x}", hidden as u32)),
            plain => json.push(plain),
        }
        json
    })
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// At most so many characters, with an ellipsis where something was left out.
pub fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
