//! What is written by the rules of the decisions is read back as it was.

use super::{assert_shape, read};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A note as a program knows it before it prints it.
#[derive(Debug, Clone)]
struct Note {
    id: String,
    kind: String,
    title: String,
    tags: Vec<String>,
    summary: String,
    body: String,
}

proptest! {
    #[test]
    fn records_are_read_back(notes in prop::collection::vec(note(), 0..6)) {
        let notes = with_ids(notes);
        let mut text = "H qipu=1 records=1 store=.qipu/ mode=context truncated=false\n".to_owned();
        notes.iter().for_each(|note| record(note, &mut text));
        let parsed = read("records", &text);
        assert_shape("records", &parsed);
        prop_assert!(parsed.problems.is_empty(), "{:?} in {text}", parsed.problems);
        prop_assert_eq!(&parsed.value["notes"], &notes.iter().map(due).collect::<Value>(), "{}", text);
    }

    #[test]
    fn packs_are_read_back(notes in prop::collection::vec(note(), 0..6)) {
        let notes = with_ids(notes);
        let mut text = "H pack=1\n".to_owned();
        for note in &notes {
            text += &format!("{}\nC {}\nC-END\n", note_line(note), base64(note.body.as_bytes()));
        }
        text += "END\n";
        let parsed = read("pack", &text);
        assert_shape("pack", &parsed);
        prop_assert!(parsed.problems.is_empty(), "{:?} in {text}", parsed.problems);
        let due = |note: &Note| json!({ "id": note.id, "type": note.kind, "title": note.title, "tags": note.tags,
                                        "sources": [], "content": note.body.trim_matches(['\r', '\n']) });
        prop_assert_eq!(&parsed.value["notes"], &notes.iter().map(due).collect::<Value>(), "{}", text);
    }
}

/// Prints a note: the title escaped, white space of the summary collapsed, end marks in the body behind a backslash.
fn record(note: &Note, text: &mut String) {
    *text += &format!("{}\n", note_line(note));
    let summary = words(&note.summary);
    if !summary.is_empty() {
        *text += &format!("S {} {summary}\n", note.id);
    }
    if !note.body.trim().is_empty() {
        *text += &format!("B {}\n", note.id);
        for line in note.body.split('\n') {
            let is_mark = matches!(line.trim_start_matches('\\'), "B-END" | "B-END\r");
            *text += &format!("{}{line}\n", if is_mark { "\\" } else { "" });
        }
        *text += "B-END\n";
    }
}

fn note_line(note: &Note) -> String {
    let tags = if note.tags.is_empty() { "-".to_owned() } else { note.tags.join(",") };
    let title: String = note.title.chars().map(escaped).collect();
    format!("N {} {} \"{title}\" tags={tags}", note.id, note.kind)
}

fn escaped(character: char) -> String {
    match character {
        '\\' | '"' => format!("\\{character}"),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        other if other.is_control() => format!("\\u{{{:x}}}", u32::from(other)),
        other => other.to_string(),
    }
}

/// A body without the line breaks at its ends.
fn free_ends(body: &str) -> &str {
    body.trim_start_matches('\n').trim_end_matches(['\r', '\n'])
}

/// What is to be read back; line ends of a body may change, and line breaks at its ends are free.
fn due(note: &Note) -> Value {
    let summary = Some(words(&note.summary)).filter(|summary| !summary.is_empty());
    let body = (!note.body.trim().is_empty()).then(|| free_ends(&note.body.replace("\r\n", "\n")).to_owned());
    json!({ "id": note.id, "type": note.kind, "title": note.title, "tags": note.tags, "summary": summary, "body": body })
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Notes of different ids, with their tags in order, as the parser gives them.
fn with_ids(notes: Vec<Note>) -> Vec<Note> {
    let with_id = |(at, note): (usize, Note)| Note { id: format!("{}-{at}", note.id), ..note };
    notes.into_iter().enumerate().map(with_id).collect()
}

fn note() -> impl Strategy<Value = Note> {
    let tags = prop::collection::btree_set("[a-zé]{1,4}", 0..3).prop_map(|tags| tags.into_iter().collect());
    let fields = ("[a-zé][a-z0-9-]{0,5}", "[a-z]{1,8}", nasty(), tags, nasty(), nasty());
    fields.prop_map(|(id, kind, title, tags, summary, body)| Note { id, kind, title, tags, summary, body })
}

/// Text with quotation marks, backslashes, line ends, imitations of records, and anything else.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "\"",
            "\\",
            "\n",
            "\r\n",
            "\r",
            "\t",
            " ",
            "\" tags=x",
            "\\\"",
            "\nB-END\n",
            "\n\\B-END",
            "\nN a b \"c\"\n",
            "\nEND\n",
            "\\u{7}",
            "\u{1b}[31m",
            "\u{85}",
            "\u{2028}",
            "\u{202e}",
            "🌲",
            "word",
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
