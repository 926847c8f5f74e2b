//! What is refused: each with a status that is not zero, nothing on standard output, and a line that says why.

use super::{Store, call};
use rstest::rstest;
use tempfile::TempDir;

#[rstest]
#[case::unknown_note("context --note qp-none", "no note has the id \"qp-none\"")]
#[case::one_unknown_note("context --note qp-a1b2 --note qp-none", "no note has the id \"qp-none\"")]
#[case::no_selection("context", "nothing is selected: name at least one note with --note ID")]
#[case::unknown_root("link tree qp-none", "no note has the id \"qp-none\"")]
#[case::unknown_end("link path qp-a1b2 qp-none", "no note has the id \"qp-none\"")]
#[case::unknown_listed("link list qp-none", "no note has the id \"qp-none\"")]
#[case::unknown_flag("prime --nonsense", "unexpected argument '--nonsense'")]
#[case::no_edges_flag("link tree qp-a1b2 --with-edges", "unexpected argument '--with-edges'")]
#[case::dump_has_no_budget("dump --max-chars 5000", "unexpected argument '--max-chars'")]
#[case::word_for_a_number("context --note qp-a1b2 --max-chars many", "invalid value 'many'")]
#[case::negative_number("context --note qp-a1b2 --max-chars=-1", "invalid value '-1'")]
#[case::endless_number("link tree qp-a1b2 --max-hops 99999999999999999999999", "invalid value '9")]
#[case::unknown_direction("link tree qp-a1b2 --direction up", "it is one of out, in, both")]
#[case::unknown_format("prime --format xml", "it is one of human, json, records")]
#[case::unknown_command("tree qp-a1b2", "unrecognized subcommand 'tree'")]
#[case::nothing("link", "Usage:")]
#[case::no_budget_at_all("link tree qp-a1b2 --max-chars 0", "--max-chars 0 is too small: the header alone takes")]
fn calls(#[case] arguments: &str, #[case] message: &str) {
    refused(&Store::sample(), arguments, &[message]);
}

#[rstest]
#[case::no_front_matter("Just text.", "the first line is not `---`")]
#[case::empty_file("", "the first line is not `---`")]
#[case::not_closed("---\nid: qp-x\ntitle: X\n", "not closed by a line `---`")]
#[case::no_yaml("---\nid: [qp-x\ntitle: X\n---\n", "line 2 column 5")]
#[case::no_mapping("---\njust words\n---\n", "line 2 column 1: expected mapping")]
#[case::no_id("---\ntitle: X\n---\n", "missing field `id`")]
#[case::no_title("---\nid: qp-x\n---\n", "missing field `title`")]
#[case::blank_title("---\nid: qp-x\ntitle: ' '\n---\n", "the title is blank")]
#[case::id_of_two_words("---\nid: qp x\ntitle: X\n---\n", "the id \"qp x\" is not one word")]
#[case::empty_id("---\nid: ''\ntitle: X\n---\n", "the id \"\" is not one word")]
#[case::id_with_a_line_end("---\nid: \"qp\\nN\"\ntitle: X\n---\n", "the id \"qp\\nN\" is not one word")]
#[case::id_with_a_quote("---\nid: 'qp\"x'\ntitle: X\n---\n", r#"the id "qp\"x" is not one word"#)]
#[case::id_with_a_control("---\nid: \"qp\\x07x\"\ntitle: X\n---\n", r#"the id "qp\u{7}x" is not one word"#)]
#[case::type_of_two_words("---\nid: qp-x\ntitle: X\ntype: a b\n---\n", "the type \"a b\" is not one word")]
#[case::link_type("---\nid: qp-x\ntitle: X\nlinks: [{type: a b, id: q}]\n---\n", "the type of a link \"a b\"")]
#[case::no_time("---\nid: qp-x\ntitle: X\ncreated: yesterday\n---\n", "line 4 column 10")]
#[case::no_list("---\nid: qp-x\ntitle: X\nlinks: {a: b}\n---\n", "line 4 column 8")]
#[case::taken_id("---\nid: qp-lone\ntitle: X\n---\n", "the id \"qp-lone\" is taken by notes/qp-lone.md")]
fn notes(#[case] note: &str, #[case] problem: &str) {
    let store = Store::sample();
    store.file("notes/zz-bad.md", note);
    refused(&store, "prime", &["notes/zz-bad.md: ", problem]);
}

#[test]
fn all_broken_notes_are_named_on_one_line() {
    let store = Store::sample();
    store.file("notes/one.md", "?");
    store.file("mocs/two.md", "---\nid: [\n---\n");
    let call = refused(&store, "dump", &["notes/one.md: ", "; mocs/two.md: "]);
    assert_eq!(call.lines().count(), 1, "{call}");
}

#[test]
fn bytes_that_are_no_text_are_named() {
    let store = Store::sample();
    std::fs::write(store.folder.path().join(".qipu/notes/bytes.md"), b"---\nid: \xff\n---\n").unwrap();
    refused(&store, "prime", &["notes/bytes.md: not UTF-8"]);
}

#[rstest]
#[case::notes("notes", "prime")]
#[case::maps("mocs", "link list qp-a")]
#[case::attachments("attachments", "dump")]
fn a_file_in_the_place_of_a_folder_is_named(#[case] folder: &str, #[case] arguments: &str) {
    let store = Store::empty();
    store.file(folder, "");
    refused(&store, arguments, &[&format!(".qipu/{folder}: ")]);
}

#[test]
fn without_a_store_there_is_no_answer() {
    let folder = TempDir::new().unwrap();
    let call = call(folder.path(), "prime");
    assert!(!call.accepted);
    assert!(call.err.starts_with("error: no store found: "), "{}", call.err);
}

fn refused(store: &Store, arguments: &str, messages: &[&str]) -> String {
    let call = store.call(arguments);
    assert!(!call.accepted, "{}", call.out);
    assert_eq!(call.out, "");
    for message in messages {
        assert!(call.err.contains(message), "{message:?} is not in {}", call.err);
    }
    call.err
}

#[test]
fn a_note_that_is_asked_for_by_its_id_is_read_without_the_others() {
    let store = Store::sample();
    store.file("notes/zz-bad.md", "Just text.");
    let call = store.call("context --note qp-a1b2");
    assert!(call.accepted && call.out.contains("Zettelkasten note types"), "{}", call.err);
    // Whatever its file is called, a note is found, among all that can be read.
    store.file("notes/zz-bad.md", "---\nid: qp-a1\ntitle: Named otherwise\n---\n");
    assert!(store.call("context --note qp-a1").out.contains("Named otherwise"));
}
