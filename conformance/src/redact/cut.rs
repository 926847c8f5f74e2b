//! Places where a text was cut: a secret that was split there is known by a part of it.

use super::forms::SHORTEST;
use std::ops::Range;

/// What we write where something is left out.
const MARK: char = '…';

/// The parts of secrets beside the marks of a text, and at its end where the text `ends_in_a_cut`.
pub(super) fn parts(text: &str, ends_in_a_cut: bool, forms: &[String]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    for (at, mark) in text.match_indices(MARK) {
        parts.extend(before(text, at, forms));
        parts.extend(behind(text, at + mark.len(), forms));
    }
    if ends_in_a_cut {
        // Bytes that are no whole character any more are read as this one.
        let end = text.trim_end_matches(char::REPLACEMENT_CHARACTER).len();
        parts.extend(before(text, end, forms));
    }
    parts
}

/// The longest part of a form that ends here.
fn before(text: &str, end: usize, forms: &[String]) -> Option<Range<usize>> {
    let (first, _) = text[..end].char_indices().nth_back(SHORTEST - 1)?;
    let seed = &text[first..end];
    let longest = forms.iter().flat_map(|form| form.match_indices(seed).map(move |(at, _)| &form[..at])).map(|more| {
        let same = more.bytes().rev().zip(text[..first].bytes().rev()).take_while(|(one, other)| one == other);
        same.count()
    });
    // Where a character is split, the part of it goes too.
    longest.max().map(|more| text.floor_char_boundary(first - more)..end)
}

/// The longest part of a form that begins here.
fn behind(text: &str, start: usize, forms: &[String]) -> Option<Range<usize>> {
    let (last, character) = text[start..].char_indices().nth(SHORTEST - 1)?;
    let end = start + last + character.len_utf8();
    let seed = &text[start..end];
    let longest = forms
        .iter()
        .flat_map(|form| form.match_indices(seed).map(move |(at, _)| &form[at + seed.len()..]))
        .map(|more| {
            let same = more.bytes().zip(text[end..].bytes()).take_while(|(one, other)| one == other);
            same.count()
        });
    longest.max().map(|more| start..text.ceil_char_boundary(end + more))
}

#[cfg(test)]
mod tests {
    use crate::redact::{Redactor, Secrets};
    use crate::text::inert;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_part_of_a_secret_is_left_at_a_cut(
            secret in "[A-Za-z&/é][A-Za-z&/é ]{4,38}[A-Za-z&/é]",
            (before, behind) in ("[0-9]{0,20}", "[0-9]{0,20}"),
            (from, length) in (0_usize..40, 0_usize..60),
            by_bytes in any::<bool>(),
        ) {
            let mut secrets = Secrets::default();
            secrets.add("KEY", &secret);
            let redactor = Redactor::new(secrets);
            let text = format!("{before}{secret}{behind}");
            let rest: String = text.chars().skip(from).collect();
            let begin = if from > 0 { "…" } else { "" };
            let mut shown = match by_bytes {
                true => format!("{begin}{}", String::from_utf8_lossy(&rest.as_bytes()[..length.min(rest.len())])),
                false => format!("{begin}{}", inert::short(&rest, length)),
            };
            let cut = shown.clone();
            redactor.text(&mut shown, by_bytes);
            let characters: Vec<char> = secret.chars().collect();
            for part in characters.windows(6) {
                let part: String = part.iter().collect();
                prop_assert!(!shown.contains(&part), "{part:?} of {cut:?} is left in {shown:?}");
            }
        }
    }
}
