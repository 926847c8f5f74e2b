//! The ways in which programs write a secret: as it is, and encoded.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A shorter text is too common to be taken out, in characters.
pub(super) const SHORTEST: usize = 6;

/// What is left as it is in a part of an address (RFC 3986, 2.3).
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The same as JavaScript has it, by `encodeURIComponent`.
const COMPONENT: &AsciiSet = &UNRESERVED.remove(b'!').remove(b'\'').remove(b'(').remove(b')').remove(b'*');
/// The sets of the URL standard, for a query, a path and a user.
const QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');
const SPECIAL_QUERY: &AsciiSet = &QUERY.add(b'\'');
const PATH: &AsciiSet = &QUERY.add(b'?').add(b'^').add(b'`').add(b'{').add(b'}');
const USER: &AsciiSet =
    &PATH.add(b'/').add(b':').add(b';').add(b'=').add(b'@').add(b'[').add(b'\\').add(b']').add(b'|');
/// What a form leaves (`application/x-www-form-urlencoded`); a blank is a plus there.
const FORM: &AsciiSet = &NON_ALPHANUMERIC.remove(b'*').remove(b'-').remove(b'.').remove(b'_');

/// Every form of a secret that is long enough to be known again, with what is done to the secret in it; nothing for the plain
/// one.
pub(super) fn forms(secret: &str) -> BTreeMap<String, &'static str> {
    let mut forms = BTreeMap::new();
    let mut add = |form: String, how: &'static str| {
        if form.chars().count() >= SHORTEST {
            // What an encoding leaves as it is is the form of the one before.
            forms.entry(form).or_insert(how);
        }
    };
    add(secret.to_owned(), "");
    json(secret).into_iter().for_each(|form| add(form, "JSON"));
    html(secret).into_iter().for_each(|form| add(form, "HTML"));
    percent(secret).into_iter().for_each(|form| add(form, "percent-encoded"));
    for (form, is_whole) in base64(secret) {
        let within_addresses = percent(&form);
        add(form, if is_whole { "base64" } else { "part of base64" });
        within_addresses.into_iter().for_each(|form| add(form, "base64, percent-encoded"));
    }
    hex(secret).into_iter().for_each(|form| add(form, "hex"));
    // A secret of several lines, such as a key, may be read line by line.
    secret.lines().filter(|line| line.len() < secret.len()).for_each(|line| add(line.to_owned(), "line"));
    forms
}

fn percent(text: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for set in [NON_ALPHANUMERIC, UNRESERVED, COMPONENT, QUERY, SPECIAL_QUERY, PATH, USER, FORM] {
        let form = utf8_percent_encode(text, set).to_string();
        forms.push(form.replace("%20", "+"));
        forms.push(form);
    }
    let small: Vec<String> = forms.iter().map(|form| small_hex(form)).collect();
    forms.extend(small);
    forms
}

/// The same with small letters behind each percent sign.
fn small_hex(form: &str) -> String {
    let mut left = 0;
    form.chars()
        .map(|character| {
            let is_digit = left > 0;
            left = if character == '%' { 2 } else { usize::saturating_sub(left, 1) };
            if is_digit { character.to_ascii_lowercase() } else { character }
        })
        .collect()
}

/// What base64 makes of a text that holds the secret at any place: the part of it that the secret alone decides. The whole
/// comes first.
fn base64(secret: &str) -> Vec<(String, bool)> {
    let mut forms = vec![
        (STANDARD.encode(secret), true),
        (URL_SAFE.encode(secret), true),
        (STANDARD_NO_PAD.encode(secret), true),
        (URL_SAFE_NO_PAD.encode(secret), true),
    ];
    for before in 0..3 {
        let mut bytes = vec![0; before];
        bytes.extend_from_slice(secret.as_bytes());
        // Six bits a character: the first that holds nothing of what is before, and the first that may hold something else.
        let (first, end) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            forms.push((engine.encode(&bytes)[first..end].to_owned(), false));
        }
    }
    forms
}

fn hex(secret: &str) -> [String; 2] {
    let small = secret.bytes().fold(String::new(), |mut hex, byte| {
        // Writing to a text cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    [small.to_uppercase(), small]
}

/// As a JSON text has it: by serde_json, with slashes escaped, in ASCII alone, with what HTML knows escaped; and each of these
/// within another JSON text.
fn json(secret: &str) -> Vec<String> {
    let plain = quoted(secret);
    let slashes = plain.replace('/', "\\/");
    let safe = ['<', '>', '&', '\'', '+']
        .iter()
        .fold(plain.clone(), |text, special| text.replace(*special, &format!("\\u{:04x}", *special as u32)));
    let mut forms = vec![plain, slashes, safe];
    let ascii: Vec<String> = forms.iter().flat_map(|form| [ascii(form, false), ascii(form, true)]).collect();
    forms.extend(ascii);
    let within: Vec<String> = forms.iter().map(|form| quoted(form)).collect();
    forms.extend(within);
    forms
}

/// What is between the quotation marks of a JSON text.
fn quoted(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn ascii(text: &str, capitals: bool) -> String {
    text.chars().fold(String::new(), |mut ascii, character| {
        match character.is_ascii() {
            true => ascii.push(character),
            false => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                ascii.push_str(&if capitals { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") });
            }),
        }
        ascii
    })
}

/// As a page has it; libraries differ in what they do with quotation marks and with what base64 is made of.
fn html(secret: &str) -> Vec<String> {
    let text = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut forms = vec![text.clone()];
    for mark in ["&quot;", "&#34;"] {
        for apostrophe in ["'", "&#39;", "&#x27;", "&apos;"] {
            let form = text.replace('"', mark).replace('\'', apostrophe);
            forms.push(form.replace('/', "&#x2F;"));
            forms.push(form.replace('/', "&#x2F;").replace('`', "&#x60;").replace('=', "&#x3D;"));
            forms.push(form.replace('+', "&#43;"));
            forms.push(form);
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_plain_secret_has_few_forms() {
        let due = ["", "base64", "base64, percent-encoded", "hex", "part of base64"];
        let forms = forms("s3cret-t0ken~");
        let ways: std::collections::BTreeSet<&str> = forms.values().copied().collect();
        assert!(due.iter().all(|way| ways.contains(way)), "{forms:?}");
        assert_eq!(forms["s3cret-t0ken~"], "");
    }

    #[rstest::rstest]
    #[case::by_handlebars("to&#x2F;k+en&#x3D;&#x3D;&#x27;")]
    #[case::by_mustache("to&#x2F;k+en&#x3D;&#x3D;&#39;")]
    #[case::by_go("to/k&#43;en==&#39;")]
    fn a_page_of_another_library_is_known(#[case] form: &str) {
        assert_eq!(forms("to/k+en=='").get(form), Some(&"HTML"));
    }

    #[test]
    fn a_secret_of_two_lines_is_known_line_by_line() {
        assert_eq!(forms("first line\nsecond")["first line"], "line");
    }

    proptest! {
        #[test]
        fn base64_of_a_text_around_it_holds_a_form(secret in ".{6,40}", before in ".{0,7}", behind in ".{0,7}") {
            let known = forms(&secret);
            for engine in [STANDARD, URL_SAFE] {
                let text = engine.encode(format!("{before}{secret}{behind}"));
                prop_assert!(known.keys().any(|form| text.contains(form.as_str())), "{text} {known:?}");
            }
        }
    }
}
