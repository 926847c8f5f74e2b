//! A malformed line is told with its line, its column in characters, what was due and what came.

use super::{assert_shape, read};
use rstest::rstest;

#[rstest]
#[case::no_title("N qp-a permanent", "note-line", 1, r#"came "N qp-a permanent""#)]
#[case::bare_title("N qp-a permanent Oak tags=-", "note-line", 18, r#"expected title, came "…Oak tags=-""#)]
#[case::title_in_place_of_the_kind(r#"N qp-a "Oak""#, "note-line", 8, r#"expected kind, came "…\"Oak\"""#)]
#[case::characters_not_bytes("N é🌲 x Oak", "note-line", 8, r#"expected title, came "…Oak""#)]
#[case::title_left_open(r#"N qp-a permanent "Oak"#, "note-line", 18, "expected title, came")]
#[case::words_behind_the_title(r#"N qp-a permanent "Oak" and more"#, "note-line", 18, "expected title, came")]
#[case::map_without_title("M qp-a Oak", "moc-line", 8, r#"expected title, came "…Oak""#)]
#[case::edge_without_target("E qp-a supports", "edge-line", 1, "")]
#[case::edge_without_source("E qp-a supports qp-b", "edge-line", 1, "")]
#[case::edge_with_three_sources("E a x b typed inline again", "edge-line", 22, r#"came "…again""#)]
#[case::summary_of_nobody("S", "summary-line", 1, "")]
#[case::body_of_two("B qp-a qp-b", "body-line", 8, r#"expected the end of the line, came "…qp-b""#)]
#[case::header_without_fields("H", "header-line", 1, "")]
#[case::banner_without_words("W", "empty-line", 1, "")]
#[case::blank("", "blank-line", 1, "the line ends")]
#[case::prose("Opening words", "unknown-prefix", 1, r#"came "Opening words""#)]
#[case::lower_case("n qp-a permanent \"Oak\"", "unknown-prefix", 1, r#"came "n qp-a permanent \"Oak\"""#)]
#[case::record_in_a_row(" N qp-a permanent \"Oak\"", "blank-line", 1, r#"came " N qp-a"#)]
fn a_malformed_record(#[case] line: &str, #[case] code: &str, #[case] column: usize, #[case] message: &str) {
    let parsed = read("records", &format!("H records=1 truncated=false\n{line}\nW the end\n"));
    assert_shape("records", &parsed);
    let [problem] = &parsed.problems[..] else { panic!("one problem is due: {:?}", parsed.problems) };
    assert_eq!((problem.code.as_str(), problem.line, problem.column), (code, 2, column), "{}", problem.message);
    assert!(problem.message.starts_with("expected ") && problem.message.contains(message), "{}", problem.message);
}

#[rstest]
#[case::nothing("", &["header 1:1"])]
#[case::only_a_line_end("\n", &["blank-line 1:1", "header 1:1"])]
#[case::no_header("W hello\n", &["header 1:1"])]
#[case::no_header_and_no_record("hello\n", &["unknown-prefix 1:1", "header 1:1"])]
#[case::no_line_end("H a=1\nW ho", &["final-line-end 2:5"])]
#[case::carriage_returns("H a=1\r\nW ho\r\n", &["carriage-return 1:6", "carriage-return 2:5"])]
#[case::header_between("H a=1\nH b=2\nW ho\n", &["stray-header 2:1"])]
#[case::end_without_body("H a=1\nB-END\n", &["stray-body-end 2:1"])]
#[case::body_without_end("H a=1\nB qp-a\ntext\n", &["open-body 2:1"])]
#[case::two_malformed_lines("H a=1\nN a b\nE a b\n", &["note-line 2:1", "edge-line 3:1"])]
fn the_form_of_the_whole(#[case] text: &str, #[case] due: &[&str]) {
    let parsed = read("records", text);
    assert_shape("records", &parsed);
    assert_eq!(places(&parsed.problems), due);
}

#[rstest]
#[case::nothing("", &["header 1:1"])]
#[case::a_message_about_a_file("wrote 15 notes to store.pack\n", &["unknown-prefix 1:1", "header 1:1"])]
#[case::no_end("H pack=1\n", &["end-of-pack 1:1"])]
#[case::plain_text("H pack=1\nN a x \"A\"\nC hello world\nC-END\nEND\n", &["base64 3:1"])]
#[case::details("H pack=1\nD compacted b from=a\nC load \"Load it\"\nEND\n", &[])]
#[case::no_content("H pack=1\nN a x \"A\"\nC-END\nA b name=b content_type=text/plain\nD-END\nEND\n", &[])]
#[case::sources_first("H pack=1\nS a url=x\nN a x \"A\"\nC YWJj\nC-END\nEND\n", &[])]
#[case::no_padding("H pack=1\nN a x \"A\"\nC YQ\nC-END\nEND\n", &[])]
#[case::wide("H pack=1\nN  a  x  \"A\"\nL  a  a  type=x inline=false\nEND\n", &[])]
#[case::half_a_quantum("H pack=1\nN a x \"A\"\nC abcde\nC-END\nEND\n", &["base64 3:1"])]
#[case::wrong_end_mark("H pack=1\nN a x \"A\"\nC YQ==\nD-END\nEND\n", &["content-end 4:1"])]
#[case::open_content("H pack=1\nN a x \"A\"\nC YQ==\nEND\n", &["content-end 3:1"])]
#[case::open_data("H pack=1\nA .qipu/attachments/a name=a content_type=text/plain\nD YQ==\nEND\n", &["data-end 3:1"])]
#[case::content_of_nobody("H pack=1\nC YQ==\nC-END\nEND\n", &["content-end 2:1"])]
#[case::source_of_nobody("H pack=1\nS a url=x\nEND\n", &["source-line 2:1"])]
#[case::link_without_target("H pack=1\nL a type=x\nEND\n", &["link-line 2:1"])]
#[case::unknown("H pack=1\nX a\nEND\n", &["unknown-prefix 2:1"])]
fn the_form_of_a_pack(#[case] text: &str, #[case] due: &[&str]) {
    let parsed = read("pack", text);
    assert_shape("pack", &parsed);
    assert_eq!(places(&parsed.problems), due);
}

fn places(problems: &[conformance::model::Problem]) -> Vec<String> {
    problems.iter().map(|problem| format!("{} {}:{}", problem.code, problem.line, problem.column)).collect()
}
