//! Texts and trees that are legal data and hard to serve, for hostile corpora.
//!
//! Each text of a corpus may be any of these: blank, equal to another, of any script, full of what a format or a query language reads as its
//! own, or very long.

use super::words::text;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Texts in which there is nothing to read.
const BLANK: [&str; 7] = ["", " ", "\t \n", "\n", "\u{a0}\u{3000}", "\u{200b}", "\u{feff}"];

/// Some texts of a corpus are these, so that they are equal, or all but equal, to others.
const ALIKE: [&str; 6] = ["The same", "the same", "The same ", "The  same", "The same\nagain", "The sam\u{65}\u{301}"];

/// What formats, query languages and programs take for their own.
const ODD: [&str; 73] = [
    // Lines.
    "first\nsecond",
    "one\r\ntwo",
    "\n\n",
    "a\rb",
    "left\u{2028}right\u{2029}",
    "\u{85}",
    "\u{b}\u{c}",
    "\ttabs\t",
    "  ",
    // Control characters.
    "\u{0}",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{7f}",
    "\u{8}\u{1}",
    "\u{9b}2J",
    // Scripts, joiners, marks that combine, and both directions.
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈🇩🇪",
    "𝔘𝔫𝔦",
    "e\u{301}\u{323}\u{489}",
    "\u{301}",
    "שלום",
    "مرحبا",
    "\u{202e}evil\u{202c}",
    "\u{2066}in\u{2069}",
    "東京都",
    "ประชุม",
    "क्षत्रिय",
    "İstanbul",
    "Straße",
    "ﬁ",
    "\u{212a}elvin",
    "\u{ad}",
    "\u{fffd}\u{e000}",
    "ΣΑΣ",
    // Markdown, outlines and line records.
    "- item",
    "# OPEN",
    "## Summary",
    "> quote",
    "[A1] (O) forged",
    "  [A1] (O+2) deeper",
    " [+body]",
    "\\[+body]",
    "(untitled)",
    "session: 1",
    "**bold**",
    "`code`",
    "```",
    "---",
    "::",
    ">>",
    ";;",
    "[[qp-1]]",
    "B-END",
    "N qp-1 permanent \"forged\" tags=-",
    "#tag",
    // Quotation marks, escapes, dots, and what a query language reads as an operator.
    "\"quoted\"",
    "it's",
    "C:\\new\\u{41}\\",
    "a.b.c",
    "50%",
    "snake_case",
    "auto*",
    "NEAR(x",
    "-x",
    "foo:bar",
    "^(.*)$",
    "<img src=x onerror=alert(1)>",
    "{\"a\": [1]}",
    "[object Object]",
    "null",
    // Numbers and addresses.
    "0",
    "-1",
    "1e999",
    "https://weather.example/a?b=c&d=%25#e",
];

/// How many of a hundred texts are odd. Where all are, nothing is left that a case can ask with.
pub(crate) type Share = u32;

/// Any text.
pub(super) fn any_text(share: Share) -> BoxedStrategy<String> {
    let odd = prop_oneof![
        8 => select(&BLANK[..]).prop_map(str::to_owned),
        8 => select(&ALIKE[..]).prop_map(str::to_owned),
        8 => vec(odd(), 1..5).prop_map(|pieces| pieces.concat()),
        24 => vec(prop_oneof![odd(), text(1..4)], 2..8).prop_map(|pieces| pieces.join(" ")),
        1 => long(),
    ];
    prop_oneof![share => odd, 100 - share => text(1..8)].boxed()
}

/// A text that says something.
pub(super) fn some_text(share: Share) -> BoxedStrategy<String> {
    any_text(share).prop_map(|text| if is_blank(&text) { format!("{text}0{text}") } else { text }).boxed()
}

/// A text of thousands of characters, which may be one word.
fn long() -> impl Strategy<Value = String> {
    let between = select(vec!["", " ", ". ", "\n", "\n\n"]);
    (vec(prop_oneof![odd(), text(1..9)], 3), between, 400..1500usize)
        .prop_map(|(pieces, between, times)| vec![pieces.join(" "); times].join(between))
}

fn odd() -> impl Strategy<Value = String> + Clone {
    select(&ODD[..]).prop_map(str::to_owned)
}

/// Whether a text holds nothing but white space and what has no width.
pub(super) fn is_blank(text: &str) -> bool {
    let is_nothing = |character: char| {
        character.is_whitespace() || character.is_control() || "\u{200b}\u{feff}\u{ad}".contains(character)
    };
    text.chars().all(is_nothing)
}

/// For each of `count` things the one before it that it lies below: all in one chain, all below the first, none below any, or anyhow.
pub(super) fn parents(count: usize) -> BoxedStrategy<Vec<Option<usize>>> {
    let growths = select(vec![Growth::Deep, Growth::Wide, Growth::Flat, Growth::Any, Growth::Any]);
    let places = vec((any::<Index>(), 0..4u8), count);
    let parents = (growths, places).prop_map(|(growth, places)| {
        let parent = |(at, (place, chance)): (usize, (Index, u8))| match growth {
            _ if at == 0 => None,
            Growth::Deep => Some(at - 1),
            Growth::Wide => Some(0),
            Growth::Flat => None,
            Growth::Any => (chance > 0).then(|| place.index(at)),
        };
        places.into_iter().enumerate().map(parent).collect()
    });
    parents.boxed()
}

#[derive(Debug, Clone, Copy)]
enum Growth {
    Deep,
    Wide,
    Flat,
    Any,
}
