//! What looks like a secret in a text of any form, by what is before it and by itself.

use regex::Regex;
use std::sync::LazyLock;

/// The user of an address, and the password.
static USER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"://([^/\s"'`@:?\#]*)(?::([^/\s"'`@]*))?@"#).ok());

/// An option of a command line with the word behind it.
static OPTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(--?\w[\w-]*)\s+(?:"((?:[^"\\]|\\.)+)|'([^']+)|((?:(?i:bearer|basic|token)\s+)?[^\s"'`&,;})\]]+))"#)
        .ok()
});

/// A longer value is a document, in bytes. This bounds what is read of a text in which every word is a name.
const LONGEST: usize = 2 << 10;
/// A longer name is none, in bytes.
const LONGEST_NAME: usize = 100;
/// A shorter word may be chosen by anybody, in characters.
const SHORTEST_TOKEN: usize = 10;

/// Users with passwords of addresses in a text; a user alone has no password.
pub(super) fn users(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let found = USER.iter().flat_map(move |pattern| pattern.captures_iter(text));
    found.map(|groups| {
        let part = |number: usize| groups.get(number).map_or("", |group| group.as_str());
        (part(1), part(2))
    })
}

/// Options of a command in a text, with the word behind each.
pub(super) fn options(text: &str) -> Vec<(&str, &str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(groups) = OPTION.as_ref().and_then(|pattern| pattern.captures_at(text, at)) {
        let Some(name) = groups.get(1) else { break };
        let given = (2..=4).find_map(|number| groups.get(number));
        found.extend(given.map(|given| (name.as_str(), given.as_str())));
        // The word may be an option itself, so the search goes on right behind the name.
        at = name.end();
    }
    found
}

/// Values behind names that are `wanted`, as in TOML, JSON, a query and a header.
pub(super) fn named(text: &str, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices([':', '=']).filter_map(move |(at, _)| {
        let before = text[..at].trim_end();
        let before = ["\\\"", "\"", "'"].iter().find_map(|mark| before.strip_suffix(mark)).unwrap_or(before);
        let is_of_name = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '-');
        let near = &before[before.ceil_char_boundary(before.len().saturating_sub(LONGEST_NAME))..];
        let name = &near[near.trim_end_matches(is_of_name).len()..];
        if !name.ends_with(|last: char| last.is_alphanumeric() || last == '_') || !wanted(name) {
            return None;
        }
        let value = value(text[at + 1..].trim_start());
        (!value.is_empty()).then_some((name, value))
    })
}

/// What is between quotation marks, or up to the end of a word, the scheme before it included.
fn value(text: &str) -> &str {
    let text = &text[..text.floor_char_boundary(LONGEST)];
    if let Some(text) = text.strip_prefix("\\\"") {
        return text.split("\\\"").next().unwrap_or(text);
    }
    if let Some(text) = text.strip_prefix('"') {
        let mut is_escaped = false;
        let end = text.find(|character| {
            let is_end = character == '"' && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            is_end
        });
        return &text[..end.unwrap_or(text.len())];
    }
    if let Some(text) = text.strip_prefix('\'') {
        return text.split('\'').next().unwrap_or(text);
    }
    let word = |text: &str| text.find(|at: char| at.is_whitespace() || "\"'`&,;})]".contains(at)).unwrap_or(text.len());
    let first = word(text);
    let is_scheme = ["bearer", "basic", "token"].iter().any(|scheme| text[..first].eq_ignore_ascii_case(scheme));
    let behind = text[first..].len() - text[first..].trim_start().len();
    match is_scheme && behind > 0 {
        true => &text[..first + behind + word(&text[first + behind..])],
        false => &text[..first],
    }
}

/// Whether a text can be a secret that somebody wrote into a sentence, and is no word of it.
pub(super) fn is_no_word(text: &str) -> bool {
    let has = |is: fn(&char) -> bool| text.chars().any(|character| is(&character));
    has(char::is_ascii_digit) && has(|one| one.is_alphabetic()) && !text.contains("://")
}

/// Whether a text looks as if it came from a generator of secrets: one word in which small letters, capitals and digits alternate
/// more often than in any name.
pub(super) fn is_token(text: &str) -> bool {
    let kinds: [fn(&u8) -> bool; 3] = [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit];
    let kind = |byte: &u8| kinds.iter().position(|is| is(byte));
    let has_all = || kinds.iter().all(|is| text.bytes().any(|byte| is(&byte)));
    let is_change = |pair: &&[u8]| matches!((kind(&pair[0]), kind(&pair[1])), (Some(one), Some(other)) if one != other);
    let changes = || text.as_bytes().windows(2).filter(|pair| is_change(pair)).count();
    let is_word = || text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.starts_with('/') && !text.contains(":/");
    (SHORTEST_TOKEN..=LONGEST).contains(&text.len()) && is_word() && has_all() && changes() > text.len() / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Qz8vTokAbC9dEf", true)]
    #[case("ghp_16C7e42F292c6912E7710c838347Ae178B4a", true)]
    #[case("Meeting2024Notes", false)]
    #[case("/Users/Me2/aB3cD4", false)]
    #[case("550e8400-e29b-41d4-a716-446655440000", false)]
    #[case("PROJ-1234567890", false)]
    fn tokens(#[case] text: &str, #[case] due: bool) {
        assert_eq!(is_token(text), due);
    }

    #[test]
    fn a_text_of_names_alone_is_read_in_time() {
        let text = "key=".repeat(20_000);
        assert_eq!(named(&text, |_| true).count(), 19_999);
    }
}
