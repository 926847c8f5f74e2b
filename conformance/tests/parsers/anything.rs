//! Whatever a program prints, the parsers end, do not panic, and make something of the published shape.

use super::{assert_shape, read};
use proptest::prelude::*;
use rstest::rstest;
use std::fmt::Write;

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        read_all(&text);
    }

    #[test]
    fn near_records_are_read(lines in prop::collection::vec(near_record(), 0..12)) {
        read_all(&lines.join("\n"));
    }
}

proptest! {
    #[test]
    fn near_outlines_are_read(lines in prop::collection::vec(near_outline(), 0..16)) {
        read_all(&lines.join("\n"));
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all(&String::from_utf8_lossy(&bytes));
    }
}

/// A line of the pieces that outlines are made of.
fn near_outline() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["[R1]", "[", "]", "(O)", "(L+2)", "(O, 2 open)", "(", ")", "+", "OPEN", "#", "ROOT", ">"])
            .prop_map(str::to_owned),
        6 => prop::sample::select(vec![" ", "  ", "\t", "\r"]).prop_map(str::to_owned),
        2 => prop::sample::select(vec!["\\", "[+body]", "session:", "title", "**", "{", "\"", "99999999999999999999"])
            .prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
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
    ["records", "pack"].into_iter().for_each(|format| assert_sound(format, &text));
}

/// The same for outlines.
#[rstest]
#[case::a_line_of_open_brackets("[".repeat(200_000))]
#[case::ids_without_states("[a] ".repeat(50_000))]
#[case::an_id_without_end(format!("[{}", "a".repeat(200_000)))]
#[case::a_type_without_state(format!("[a] {}", "b".repeat(200_000)))]
#[case::a_count_without_end(format!("[a] (O+{}) b", "9".repeat(200_000)))]
#[case::a_deep_tree((0..500).map(|at| format!("{}[a{at}] (O) b\n", "  ".repeat(at))).collect())]
#[case::many_headings("# OPEN\n".repeat(10_000))]
#[case::many_labels("a: b\n".repeat(10_000))]
#[case::blank_lines("\n".repeat(20_000))]
#[case::indents(format!("{}x\n", " ".repeat(100)).repeat(5_000))]
#[case::deep_json("[".repeat(100_000) + &"]".repeat(100_000))]
#[case::many_malformed_lines("[a] b\n".repeat(10_000))]
#[case::many_records((0..10_000).map(|at| format!("[a{at}] (O) b\n  c\n\n")).collect())]
fn hostile_outlines_are_read(#[case] text: String) {
    assert_sound("outline", &text);
}

fn read_all(text: &str) {
    ["records", "pack", "outline"].into_iter().for_each(|format| assert_sound(format, text));
}

/// What is made of a text has the published shape, and each problem a place in it.
fn assert_sound(format: &str, text: &str) {
    let parsed = read(format, text);
    assert_shape(format, &parsed);
    let lines = text.split('\n').count();
    for problem in &parsed.problems {
        assert!((1..=lines).contains(&problem.line) && problem.column >= 1, "{problem:?} of {lines} lines");
    }
}
