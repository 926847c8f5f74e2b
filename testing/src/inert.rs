//! Whether a text only shows.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

/// Fails if a text holds a control character other than the line feed, a character that turns, hides or breaks what is around
/// it, that does not show or is none, or what a runner of a CI takes for a command.
///
/// Joiners may stand between letters that they join.
pub fn assert_inert(text: &str) {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let acts = |character: &char| {
        character.is_control() && *character != '\n'
            || ignorable.contains(*character) && !matches!(character, '\u{200c}' | '\u{200d}')
            || matches!(character, '\u{2028}'..='\u{2029}' | '\u{2800}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}')
    };
    let found: Vec<char> = text.chars().filter(acts).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
    for line in text.lines() {
        let name = line.trim_start().strip_prefix("::");
        let is_command = name.is_some_and(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()));
        assert!(!is_command, "{line:?} is a command of a runner");
        let named =
            |rest: &str| rest.split('[').next().is_some_and(|name| name.chars().all(|one| one.is_ascii_alphanumeric()));
        let is_command = line.match_indices("##").any(|(at, _)| line[at + 2..].contains('[') && named(&line[at + 2..]));
        assert!(!is_command, "{line:?} holds a command of a runner");
    }
}
