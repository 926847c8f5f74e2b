//! Whether a text only shows.

/// Fails if a text holds a control character other than the line feed, or a character that turns, hides or breaks what is
/// around it, or that is none.
pub fn assert_inert(text: &str) {
    let acts = |character: &char| {
        character.is_control() && *character != '\n'
            || matches!(character,
                '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{e007f}')
    };
    let found: Vec<char> = text.chars().filter(acts).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
}
