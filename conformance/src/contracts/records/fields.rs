//! What the two grammars of the contract share: fields, titles and tags.

use crate::format::Part;
use serde_json::{Map, Value};

/// Undoes the escapes of a title: `\"`, `\\`, `\n`, `\r`, `\t`, `\u{…}`, and those of JSON, since the document names none. Anything else
/// behind a backslash stays as it is.
pub(super) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\\') {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let (decoded, length) = escape(rest).unwrap_or(('\\', 1));
        plain.push(decoded);
        rest = &rest[length..];
    }
    plain + rest
}

/// The character that an escape at the start of `text` stands for, and the bytes that it takes.
fn escape(text: &str) -> Option<(char, usize)> {
    Some(match text.as_bytes().get(1)? {
        b'"' => ('"', 2),
        b'\\' => ('\\', 2),
        b'n' => ('\n', 2),
        b'r' => ('\r', 2),
        b't' => ('\t', 2),
        b'b' => ('\u{8}', 2),
        b'f' => ('\u{c}', 2),
        b'/' => ('/', 2),
        b'u' if text.as_bytes().get(2) == Some(&b'{') => {
            let digits = text.strip_prefix("\\u{")?.split_once('}')?.0;
            let code = u32::from_str_radix(digits, 16).ok()?;
            (char::from_u32(code)?, digits.len() + 4)
        }
        b'u' => {
            let first = unit(text)?;
            let second = text.get(ESCAPED_UNIT..).and_then(unit);
            let units = [first, second.unwrap_or_default()];
            let decoded = char::decode_utf16(units).next()?.ok()?;
            (decoded, ESCAPED_UNIT * decoded.len_utf16())
        }
        _ => return None,
    })
}

/// The length of `\uXXXX`.
const ESCAPED_UNIT: usize = 6;

/// The UTF-16 unit that `\uXXXX` at the start of a text stands for.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// `key=value`, the value decoded when it is quoted.
pub(super) fn field(part: Part<'_>) -> (String, Value) {
    let (key, value) = part.text().split_once('=').unwrap_or((part.text(), ""));
    (key.to_owned(), Value::from(unquote(value)))
}

/// The fields of these parts.
pub(super) fn fields<'l>(parts: impl Iterator<Item = Part<'l>>) -> Map<String, Value> {
    parts.map(field).collect()
}

/// A text without its quotation marks, decoded; a bare one as it is.
pub(super) fn unquote(text: &str) -> String {
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(inner) => unescape(inner),
        None => text.to_owned(),
    }
}

/// The tags of a note in order of the alphabet: `a,b`; `-` and nothing both mean none.
pub(super) fn tags(fields: &Map<String, Value>) -> Value {
    match fields.get("tags").and_then(Value::as_str) {
        None | Some("-" | "") => Value::Array(Vec::new()),
        Some(tags) => {
            let mut tags: Vec<&str> = tags.split(',').collect();
            tags.sort_unstable();
            tags.into_iter().collect()
        }
    }
}
