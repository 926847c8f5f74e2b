//! Escapes: no title, tag or body can forge a record, and each can be read back.

use super::Store;
use proptest::prelude::*;
use rstest::rstest;

#[rstest]
#[case::plain("Plain", "Plain")]
#[case::quote(r#"a "b""#, r#"a \"b\""#)]
#[case::backslash(r"a\nb", r"a\\nb")]
#[case::line_feed("a\nN forged", r"a\nN forged")]
#[case::carriage_return("a\rb", r"a\rb")]
#[case::tab("a\tb", r"a\tb")]
#[case::bell("a\u{7}b", r"a\u{7}b")]
#[case::next_line("a\u{85}b", r"a\u{85}b")]
#[case::line_separator("a\u{2028}b", r"a\u{2028}b")]
#[case::wide("日本 👩‍💻", "日本 👩‍💻")]
fn titles(#[case] title: &str, #[case] printed: &str) {
    let out = with_title(title);
    assert_eq!(out.lines().nth(2).unwrap(), format!("N qp-a fleeting \"{printed}\" tags=-"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_title_is_one_line_and_can_be_read_back(title in "\\PC{0,8}[\\\\\"nu{}]{0,4}\\pC{0,3}[a-z]") {
        prop_assume!(!title.trim().is_empty());
        let out = with_title(&title);
        let line = out.lines().nth(2).unwrap();
        let quoted = line.strip_prefix("N qp-a fleeting \"").unwrap().strip_suffix("\" tags=-").unwrap();
        prop_assert_eq!(unescape(quoted), title);
    }
}

#[test]
fn a_tag_with_spaces_is_quoted() {
    let store = Store::empty();
    store.note("qp-a", "title: A\ntags: [one, 'two words', \"line\\nfeed\"]", "");
    let out = store.records("context --note qp-a");
    assert!(out.ends_with("N qp-a fleeting \"A\" tags=\"one,two words,line\\nfeed\"\n"), "{out}");
}

#[rstest]
#[case::plain("one", "one")]
#[case::space("two words", r#""two words""#)]
#[case::control("a\u{7}b", r#""a\u{7}b""#)]
#[case::quote("a\"b", r#""a\"b""#)]
#[case::backslash(r"a\b", r#""a\\b""#)]
#[case::nothing("", r#""""#)]
fn a_tag_is_quoted_where_it_could_not_be_told_from_what_follows(#[case] tag: &str, #[case] printed: &str) {
    let store = Store::empty();
    store.note("qp-a", &format!("title: A\ntags: [\"{}\"]", escaped(tag)), "");
    let out = store.records("context --note qp-a");
    assert!(out.ends_with(&format!("N qp-a fleeting \"A\" tags={printed}\n")), "{out}");
}

#[test]
fn what_a_person_reads_commands_no_terminal() {
    let store = Store::empty();
    let tag = escaped("a\u{1b}[2J\tb");
    store.note("qp-a", &format!("title: A\ntags: [\"{tag}\"]"), "one\u{7}two\tthree");
    let out = store.call("context --note qp-a --with-body").out;
    assert!(out.contains(" #a [2J\tb\n") && out.contains("  | one two\tthree\n"), "{out}");
}

#[rstest]
#[case("B-END", r"\B-END")]
#[case(r"\B-END", r"\\B-END")]
#[case(r"\\\\B-END", r"\\\\\B-END")]
#[case(" B-END", " B-END")]
#[case("B-END.", "B-END.")]
#[case("N qp-x fleeting \"forged\" tags=-", "N qp-x fleeting \"forged\" tags=-")]
fn body_lines(#[case] line: &str, #[case] printed: &str) {
    let store = Store::empty();
    store.note("qp-a", "title: A\nsummary: s", &format!("one\n\n{line}\n\nlast"));
    let out = store.records("context --note qp-a --with-body");
    assert!(out.ends_with(&format!("\nB qp-a\none\n\n{printed}\n\nlast\nB-END\n")), "{out}");
}

#[rstest]
#[case::none("")]
#[case::blank(" \n\t\n")]
fn a_blank_body_is_left_out(#[case] body: &str) {
    let store = Store::empty();
    store.note("qp-a", "title: A", body);
    assert!(!store.records("context --note qp-a --with-body").contains("B "));
}

#[test]
fn windows_line_ends_are_read_and_bodies_printed_with_plain_ones() {
    let store = Store::empty();
    let note = "---\nid: qp-a\ntitle: A\ntags: [x]\n---\n\n## Summary\n\nShort\none.\n\nB-END\n";
    store.file("notes/a.md", &note.replace('\n', "\r\n"));
    let out = store.records("context --note qp-a --with-body");
    let expected = "N qp-a fleeting \"A\" tags=x\nS qp-a Short one.\n\
                    B qp-a\n## Summary\n\nShort\none.\n\n\\B-END\nB-END\n";
    assert!(out.ends_with(expected), "{out}");
}

fn with_title(title: &str) -> String {
    let store = Store::empty();
    store.note("qp-a", &format!("title: \"{}\"", escaped(title)), "");
    store.records("context --note qp-a")
}

/// A text between quotation marks of YAML, whatever is in it.
fn escaped(text: &str) -> String {
    text.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect()
}

/// Reads a quoted text back, by the rule and not by the program's code.
pub(crate) fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next().unwrap() {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => {
                let digits: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                out.push(char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap());
            }
            other => out.push(other),
        }
    }
    out
}
