//! Whatever a program prints, the parsers end, do not panic, and make something of the published shape.

use super::{assert_shape, read};
use conformance::model::Format;
use proptest::prelude::*;
use rstest::rstest;
use std::fmt::Write;

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        read_both(&text);
    }

    #[test]
    fn near_records_are_read(lines in prop::collection::vec(near_record(), 0..12)) {
        read_both(&lines.join("\n"));
    }
}

/// A line of the pieces that records are made of, in any order: nearly right more often than random text.
fn near_record() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "H", "N", "M", "S", "E", "B", "B-END", "D", "W", "C", "C-END", "D-END", "L", "A", "END", "\\B-END",
        ]).prop_map(str::to_owned),
        6 => Just(" ".to_owned()),
        2 => Just("\"".to_owned()),
        2 => Just("\\".to_owned()),
        2 => prop::sample::select(vec!["a", "qp-é", "note", "tags=a,b", "tags=-", "x=", "truncated=true", "inline=true"])
            .prop_map(str::to_owned),
        1 => prop::sample::select(vec!["\\n", "\\u{41}", "\\u{}", "\\u{110000}", "\\u{zz}", "\r", "\t", "=", "YQ==", "🌲"])
            .prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

/// Texts that a careless parser needs quadratic time or a deep stack for.
#[rstest]
#[case::a_line_of_quotation_marks(format!("N a b {}", "\"".repeat(200_000)))]
#[case::a_line_of_backslashes(format!("N a b \"{}", "\\".repeat(200_000)))]
#[case::a_line_of_spaces(format!("N a b \"c\"{}x", " ".repeat(200_000)))]
#[case::titles_left_open(format!("H{}", " a=\"x".repeat(40_000)))]
#[case::titles_in_fields(format!("N a b \"c\"{}", " a=\"x\"".repeat(40_000)))]
#[case::a_word_without_end("x".repeat(200_000))]
#[case::many_notes_with_summaries((0..20_000).fold("H a=1\n".to_owned(), |mut text, at| {
    write!(text, "N a{at} b \"c\"\nS a{at} d\n").unwrap();
    text
}))]
#[case::many_malformed_lines("N\n".repeat(100_000))]
#[case::many_open_bodies("B a\n".repeat(100_000))]
#[case::many_ends("B-END\nC-END\nD-END\n".repeat(10_000))]
#[case::many_sources((0..20_000).fold("H a=1\n".to_owned(), |mut text, at| {
    write!(text, "N a{at} b \"c\"\nS a{at} url=d\n").unwrap();
    text
}))]
fn hostile_sizes_are_read(#[case] text: String) {
    read_both(&text);
}

fn read_both(text: &str) {
    for format in [Format::Records, Format::Pack] {
        let parsed = read(format, text);
        assert_shape(format, &parsed);
        let lines = text.split('\n').count();
        for problem in &parsed.problems {
            assert!((1..=lines).contains(&problem.line) && problem.column >= 1, "{problem:?} of {lines} lines");
        }
    }
}
