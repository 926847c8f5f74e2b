//! Finding secrets in a text in any spelling of an encoding, and in encodings of encodings: the text is decoded, and not the secret
//! encoded.

use super::forms::SHORTEST;
use super::views;
use aho_corasick::AhoCorasick;
use std::ops::Range;

/// So many encodings one in another are decoded, such as base64 of JSON in an address.
const DEEPEST: usize = 3;
/// So many bytes are decoded at once: what is decoded takes ten times as much memory.
const WINDOW: usize = 256 << 10;
/// So many times longer is no spelling of a secret: `\\u0041` in a text in JSON, encoded for an address.
const LONGEST: usize = 16;

/// What is looked for in what is decoded.
pub(super) struct Decoder {
    finder: AhoCorasick,
    /// The name of the secret, by pattern.
    names: Vec<String>,
    /// The length of the shortest pattern and of the longest, in bytes.
    lengths: (usize, usize),
}

/// A secret in a text.
pub(super) struct Hidden<'d> {
    pub(super) range: Range<usize>,
    pub(super) name: &'d str,
    /// What was done to it, the first first.
    pub(super) ways: Vec<&'static str>,
}

impl Decoder {
    pub(super) fn of<'s>(secrets: impl Iterator<Item = (&'s str, &'s str)>) -> Option<Self> {
        let (mut patterns, mut names): (Vec<Vec<u8>>, Vec<String>) = (Vec::new(), Vec::new());
        for (name, secret) in secrets {
            let lines = secret.lines().filter(|line| line.len() < secret.len());
            let plus = secret.contains(' ').then(|| secret.replace(' ', "+"));
            for one in [secret].into_iter().chain(lines).chain(plus.as_deref()) {
                let mut pattern = Some(one.as_bytes().to_vec());
                // A secret may hold escapes itself: they are decoded with those of the text.
                for _ in 0..=DEEPEST {
                    let Some(bytes) =
                        pattern.filter(|bytes| String::from_utf8_lossy(bytes).chars().count() >= SHORTEST)
                    else {
                        break;
                    };
                    pattern = views::escapes(&bytes).map(|view| view.bytes).filter(|next| *next != bytes);
                    patterns.push(bytes);
                    names.push(name.to_owned());
                }
            }
        }
        let lengths = patterns.iter().map(Vec::len);
        let lengths = (lengths.clone().min()?, lengths.max()?);
        Some(Self { finder: AhoCorasick::new(&patterns).ok()?, names, lengths })
    }

    /// The secrets that are encoded in a text.
    pub(super) fn find(&self, text: &str) -> Vec<Hidden<'_>> {
        let text = text.as_bytes();
        let overlap = (self.lengths.1 * LONGEST).min(WINDOW / 2);
        let mut found = Vec::new();
        for start in (0..text.len()).step_by(WINDOW - overlap) {
            let window = &text[start..text.len().min(start + WINDOW)];
            found.extend(
                self.within(window, DEEPEST)
                    .into_iter()
                    .map(|one| Hidden { range: one.range.start + start..one.range.end + start, ..one }),
            );
            if start + WINDOW >= text.len() {
                break;
            }
        }
        found
    }

    fn within(&self, text: &[u8], depth: usize) -> Vec<Hidden<'_>> {
        let mut found = Vec::new();
        if depth == 0 || text.len() < self.lengths.0 {
            return found;
        }
        for view in views::all(text, self.lengths.0) {
            let plain = self.finder.find_overlapping_iter(&view.bytes);
            let plain =
                plain.map(|one| Hidden { range: one.range(), name: &self.names[one.pattern()], ways: Vec::new() });
            for mut one in plain.chain(self.within(&view.bytes, depth - 1)) {
                let way = view.way(text, one.range.clone());
                one.range = view.source(one.range);
                // A part without escapes is read as it is written.
                if !way.is_empty() {
                    one.ways.push(way);
                }
                if !one.ways.is_empty() {
                    found.push(one);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::redact::{Redactor, Secrets};
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;
    use rstest::rstest;
    use std::fmt::Write;

    const SECRET: &str = "k3y&<>\"x'/+z~Zq7Wk2Vx9Jb4Ht1?=";

    fn redactor(secret: &str) -> Redactor {
        let mut secrets = Secrets::default();
        secrets.add("KEY", secret);
        Redactor::new(secrets)
    }

    fn each(secret: &str, write: impl Fn(u8) -> String) -> String {
        secret.bytes().map(write).collect()
    }

    fn json(secret: &str) -> String {
        each(secret, |byte| format!("\\u{byte:04x}"))
    }

    fn lines(text: &str) -> String {
        let text = STANDARD.encode(text);
        text.as_bytes().chunks(20).map(|line| String::from_utf8_lossy(line).into_owned() + "\r\n").collect()
    }

    #[rstest]
    #[case::json_small(json(SECRET))]
    #[case::json_capitals(each(SECRET, |byte| if byte.is_ascii_alphanumeric() { char::from(byte).into() } else { format!("\\u{byte:04X}") }))]
    #[case::json_in_json(serde_json::json!(json(SECRET)).to_string())]
    #[case::html_decimal(each(SECRET, |byte| format!("&#{byte};")))]
    #[case::html_padded(each(SECRET, |byte| format!("&#{byte:04};")))]
    #[case::html_hex(each(SECRET, |byte| format!("&#x{byte:x};")))]
    #[case::html_capitals(each(SECRET, |byte| format!("&#X{byte:X};")))]
    #[case::html_names(SECRET.replace('&', "&amp;").replace('=', "&equals;").replace('+', "&plus;"))]
    #[case::percent_every(each(SECRET, |byte| format!("%{byte:02X}")))]
    #[case::percent_twice(each(SECRET, |byte| format!("%25{byte:02x}")))]
    #[case::base64_of_json(STANDARD.encode(format!("{{\"t\":{}}}", serde_json::json!(SECRET))))]
    #[case::base64_twice(STANDARD.encode(STANDARD.encode(SECRET)))]
    #[case::base64_in_lines(lines(&format!("before {SECRET} behind")))]
    #[case::base64_in_lines_in_json(serde_json::json!(lines(&format!("a{SECRET}b"))).to_string())]
    #[case::hex_mixed(each(SECRET, |byte| format!("{byte:02x}")).replace('b', "B"))]
    #[case::hex_colons(each(SECRET, |byte| format!("{byte:02X}:")))]
    #[case::hex_blanks(each(SECRET, |byte| format!("{byte:02x} ")))]
    #[case::hex_backslashes(each(SECRET, |byte| format!("\\x{byte:02x}")))]
    #[case::hex_numbers(each(SECRET, |byte| format!("0x{byte:02x}, ")))]
    #[case::a_shell(SECRET.replace('\'', "'\\''"))]
    fn a_spelling_of_an_encoding_is_known(#[case] form: String) {
        for (before, behind) in [("", ""), ("\"x = ", " and more"), ("a{", "}b")] {
            let shown = redactor(SECRET).redacted(&format!("{before}{form}{behind}"));
            assert!(shown.contains("[redacted: KEY, ") && shown.len() < before.len() + behind.len() + 80, "{shown}");
            // What is around the secret decides the ends of its form.
            let left = form.as_bytes()[12..form.len() - 12]
                .windows(8)
                .find(|part| std::str::from_utf8(part).is_ok_and(|part| shown.contains(part)));
            assert_eq!(left, None, "{form}: {shown}");
        }
    }

    #[test]
    fn what_is_no_secret_stays() {
        let text = "a &lt;b&gt; %41 \\u0041 QUJDREVGR0g= 41:42:43:44:45:46:47:48";
        assert_eq!(redactor(SECRET).redacted(text), text);
    }

    #[test]
    fn a_secret_with_escapes_of_its_own_is_known() {
        let shown = redactor("a%41b<c&amp;d\\n").redacted("a%41b\\u003cc&amp;d\\n");
        assert_eq!(shown, "[redacted: KEY, percent-encoded]");
    }

    #[test]
    fn a_long_text_is_read_piece_by_piece() {
        let mut text = "x".repeat(300_000);
        for at in 0..300 {
            let _ = write!(text, "{} {at} {}", each(SECRET, |byte| format!("&#{byte};")), ".".repeat(at));
        }
        let shown = redactor(SECRET).redacted(&text);
        assert_eq!(shown.matches("[redacted: KEY, HTML]").count(), 300);
        assert!(!shown.contains("&#"));
    }

    proptest! {
        #[test]
        fn any_mix_of_escapes_is_known(
            secret in "[A-Za-z0-9&</%é\\\\\"]{6,30}",
            ways in prop::collection::vec(0_u8..4, 40),
        ) {
            let mut written = String::new();
            for (character, way) in secret.chars().zip(ways) {
                let _ = match way {
                    0 if character.is_ascii_alphanumeric() => write!(written, "{character}"),
                    0 | 1 => write!(written, "\\u{:04x}", character as u32),
                    2 => write!(written, "&#{};", character as u32),
                    _ => character.to_string().bytes().try_for_each(|byte| write!(written, "%{byte:02x}")),
                };
            }
            let shown = redactor(&secret).redacted(&format!("<{written}>"));
            prop_assert!(shown.starts_with("<[redacted: KEY") && shown.ends_with("]>"), "{written}: {shown}");
        }
    }
}
