//! A text as its readers decode it, with the place in it that each byte comes from. Whatever a writer escapes, and whichever of its
//! legal spellings it takes, the reader gets the same bytes.

use std::ops::Range;

/// Names of characters in HTML that programs write for ASCII.
const ENTITIES: [(&str, u8); 44] = [
    ("Tab", b'\t'),
    ("NewLine", b'\n'),
    ("excl", b'!'),
    ("quot", b'"'),
    ("QUOT", b'"'),
    ("num", b'#'),
    ("dollar", b'$'),
    ("percnt", b'%'),
    ("amp", b'&'),
    ("AMP", b'&'),
    ("apos", b'\''),
    ("lpar", b'('),
    ("rpar", b')'),
    ("ast", b'*'),
    ("plus", b'+'),
    ("comma", b','),
    ("period", b'.'),
    ("sol", b'/'),
    ("colon", b':'),
    ("semi", b';'),
    ("lt", b'<'),
    ("LT", b'<'),
    ("equals", b'='),
    ("gt", b'>'),
    ("GT", b'>'),
    ("quest", b'?'),
    ("commat", b'@'),
    ("lsqb", b'['),
    ("lbrack", b'['),
    ("bsol", b'\\'),
    ("rsqb", b']'),
    ("rbrack", b']'),
    ("Hat", b'^'),
    ("lowbar", b'_'),
    ("grave", b'`'),
    ("lcub", b'{'),
    ("lbrace", b'{'),
    ("verbar", b'|'),
    ("vert", b'|'),
    ("rcub", b'}'),
    ("rbrace", b'}'),
    ("hyphen", b'-'),
    ("dash", b'-'),
    ("nbsp", b' '),
];

/// What a decoder made of a text.
pub(super) struct View {
    pub(super) bytes: Vec<u8>,
    /// Where each byte begins and ends in the text.
    from: Vec<(u32, u32)>,
    way: Option<&'static str>,
}

impl View {
    fn new(way: Option<&'static str>) -> Self {
        Self { bytes: Vec::new(), from: Vec::new(), way }
    }

    fn push(&mut self, byte: u8, start: usize, end: usize) {
        self.bytes.push(byte);
        // What is decoded at once is shorter than this by far.
        self.from.push((u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX)));
    }

    /// Takes back what came after this many bytes, or sets it apart from what follows.
    fn end_run(&mut self, begun: usize, least: usize, at: usize) {
        if self.bytes.len() < begun + least {
            self.bytes.truncate(begun);
            self.from.truncate(begun);
        } else {
            self.push(0, at, at);
        }
    }

    fn if_any(self) -> Option<Self> {
        (!self.bytes.is_empty()).then_some(self)
    }

    /// Where a part of it is in the text.
    pub(super) fn source(&self, part: Range<usize>) -> Range<usize> {
        let at = |index: usize| self.from.get(index).copied().unwrap_or_default();
        at(part.start).0 as usize..at(part.end.saturating_sub(1)).1 as usize
    }

    /// How a part of it is written in the text; nothing where it is written as it is.
    pub(super) fn way(&self, text: &[u8], part: Range<usize>) -> &'static str {
        let (decoded, written) = (&self.bytes[part.clone()], &text[self.source(part)]);
        let same = decoded.iter().zip(written).take_while(|(one, other)| one == other).count();
        let escape = || written[..written.len().min(same + 1)].iter().rev().find(|byte| is_escape(byte));
        self.way.unwrap_or_else(|| match escape() {
            _ if decoded == written => "",
            Some(b'%') => "percent-encoded",
            Some(b'&') => "HTML",
            _ => "JSON",
        })
    }
}

/// Every view that may hold this many bytes.
pub(super) fn all(text: &[u8], least: usize) -> impl Iterator<Item = View> {
    let has_base64 = longest(text, |byte| sextet(byte).is_some()) * 6 >= least * 8;
    let has_hex = longest(text, |byte| byte.is_ascii_hexdigit()) >= least * 2;
    let escapes = std::iter::once_with(move || escapes(text)).flatten();
    let base64 = (0..4).filter(move |_| has_base64).filter_map(move |skipped| base64(text, skipped, least));
    let hex = (0..2).filter(move |_| has_hex).filter_map(move |skipped| hex(text, skipped, least));
    escapes.chain(base64).chain(hex)
}

/// How many bytes follow each other at most that are of a kind, whatever separates them.
fn longest(text: &[u8], is: impl Fn(u8) -> bool) -> usize {
    let (mut longest, mut now) = (0, 0);
    for byte in text {
        now = match byte {
            byte if is(*byte) => now + 1,
            b'\n' | b'\r' | b' ' | b':' | b',' | b'-' | b'\\' | b'x' | b'X' => now,
            _ => 0,
        };
        longest = longest.max(now);
    }
    longest
}

fn is_escape(byte: &u8) -> bool {
    matches!(byte, b'%' | b'\\' | b'&')
}

/// With every escape of an address, of JSON, of a page and of a string in a program decoded.
pub(super) fn escapes(text: &[u8]) -> Option<View> {
    text.iter().any(is_escape).then_some(())?;
    let mut view = View::new(None);
    let mut at = 0;
    while at < text.len() {
        let (decoded, length) = match text[at] {
            b'%' => (number(text, at + 1, 2).map(byte), 3),
            b'&' => reference(&text[at..]),
            b'\\' => backslash(&text[at..]),
            b'\'' if text[at..].starts_with(b"'\\''") => (Some(Decoded::Byte(b'\'')), 4),
            _ => (None, 1),
        };
        match decoded {
            Some(Decoded::Byte(byte)) => view.push(byte, at, at + length),
            Some(Decoded::Character(character)) => {
                character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| view.push(byte, at, at + length));
            }
            None => view.push(text[at], at, at + 1),
        }
        at += if decoded.is_some() { length } else { 1 };
    }
    Some(view)
}

/// What an escape is.
#[derive(Clone, Copy)]
enum Decoded {
    Byte(u8),
    Character(char),
}

fn byte(number: u32) -> Decoded {
    Decoded::Byte(u8::try_from(number).unwrap_or(b'?'))
}

fn character(number: u32) -> Option<Decoded> {
    char::from_u32(number).map(Decoded::Character)
}

/// A number of so many hexadecimal digits.
fn number(text: &[u8], at: usize, digits: usize) -> Option<u32> {
    let digits = text.get(at..at + digits).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// `&lt;`, `&#60;` and `&#x3C;`, each with its length. A reader takes numbers without the semicolon too.
fn reference(text: &[u8]) -> (Option<Decoded>, usize) {
    if let Some(rest) = text.strip_prefix(b"&#") {
        let is_hex = rest.first().is_some_and(|one| matches!(one, b'x' | b'X'));
        let (radix, before) = if is_hex { (16, 3) } else { (10, 2) };
        let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
        // Zeros before the number change nothing.
        let length = text[before.min(text.len())..].iter().take(16).take_while(is_digit).count();
        let digits = std::str::from_utf8(&text[before.min(text.len())..][..length]).unwrap_or_default();
        let end = before + length + usize::from(text.get(before + length) == Some(&b';'));
        return (u32::from_str_radix(digits, radix).ok().and_then(character), end);
    }
    let is_it = |name: &str| text[1..].strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b';'));
    match ENTITIES.iter().find(|(name, _)| is_it(name)) {
        Some((name, byte)) => (Some(Decoded::Byte(*byte)), name.len() + 2),
        None => (None, 1),
    }
}

/// What is behind a backslash, with the length of all of it.
fn backslash(text: &[u8]) -> (Option<Decoded>, usize) {
    let Some(kind) = text.get(1) else { return (None, 1) };
    let plain = |byte: u8| (Some(Decoded::Byte(byte)), 2);
    match kind {
        b'n' => plain(b'\n'),
        b'r' => plain(b'\r'),
        b't' => plain(b'\t'),
        b'b' => plain(8),
        b'f' => plain(12),
        b'x' => (number(text, 2, 2).map(byte), 4),
        b'u' if text.get(2) == Some(&b'{') => {
            let length = text[3..].iter().take(7).take_while(|byte| byte.is_ascii_hexdigit()).count();
            let is_whole = text.get(3 + length) == Some(&b'}');
            (number(text, 3, length).filter(|_| is_whole).and_then(character), 4 + length)
        }
        b'u' => match (number(text, 2, 4), number(text, 8, 4)) {
            (Some(high @ 0xD800..0xDC00), Some(low @ 0xDC00..0xE000)) if text[6..].starts_with(b"\\u") => {
                (character(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 12)
            }
            (unit, _) => (unit.and_then(character), 6),
        },
        b'"' | b'\'' | b'\\' | b'/' => plain(*kind),
        _ => (None, 1),
    }
}

fn sextet(byte: u8) -> Option<u32> {
    Some(match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// All base64 in it, in lines or not, where so many characters at its beginning are something else.
fn base64(text: &[u8], skipped: usize, least: usize) -> Option<View> {
    let mut view = View::new(Some("base64"));
    let (mut begun, mut count, mut held) = (0, 0, (0, 0));
    for (at, byte) in text.iter().enumerate() {
        match sextet(*byte) {
            Some(bits) => {
                count += 1;
                if count > skipped {
                    let (before, start) = held;
                    let bits = before << 6 | bits;
                    // Four characters are three bytes; each character but the first ends one.
                    match (count - skipped) % 4 {
                        1 => {}
                        2 => view.push((bits >> 4 & 0xFF) as u8, start, at + 1),
                        3 => view.push((bits >> 2 & 0xFF) as u8, start, at + 1),
                        _ => view.push((bits & 0xFF) as u8, start, at + 1),
                    }
                    held = (bits & 0xFF_FFFF, at);
                }
            }
            None if matches!(byte, b'\n' | b'\r') => {}
            None => {
                view.end_run(begun, least, at);
                (begun, count, held) = (view.bytes.len(), 0, (0, at));
            }
        }
    }
    view.end_run(begun, least, text.len());
    view.if_any()
}

/// All hexadecimal digits in it, whatever separates them, where so many at the beginning are something else.
fn hex(text: &[u8], skipped: usize, least: usize) -> Option<View> {
    let mut view = View::new(Some("hex"));
    let (mut begun, mut count) = (0, 0);
    // The digit before, with its place.
    let mut held: Option<(u8, usize)> = None;
    for (at, byte) in text.iter().enumerate() {
        match char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()) {
            Some(digit) => {
                count += 1;
                held = match held {
                    _ if count <= skipped => None,
                    None => Some((digit, at)),
                    Some((high, start)) => {
                        view.push(high << 4 | digit, start, at + 1);
                        None
                    }
                };
            }
            // The zero of `0x` is no digit.
            None if matches!(byte, b'x' | b'X') && at > 0 && text[at - 1] == b'0' && held.is_some() => {
                (held, count) = (None, count - 1);
            }
            None if matches!(byte, b':' | b' ' | b'-' | b',' | b'\n' | b'\r' | b'\\') => {}
            None if matches!(byte, b'x' | b'X') && at > 0 && text[at - 1] == b'\\' => {}
            None => {
                view.end_run(begun, least, at);
                (begun, count, held) = (view.bytes.len(), 0, None);
            }
        }
    }
    view.end_run(begun, least, text.len());
    view.if_any()
}
