//! Random trees of nasty texts, printed by the real program, are read back as they were stored.

use crate::client::{Client, record};
use proptest::prelude::*;
use serde_json::{Value, json};

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_list_is_read_back(records in prop::collection::vec(any_record(), 1..10)) {
        let records: Vec<Value> = records.into_iter().enumerate().map(with_id).collect();
        let mut client = Client::of(&records);
        let full = client.json("list_records", json!({ "format": "full" }));
        let text = client.outline("list_records", json!({}));
        let read = read(&text);
        prop_assert_eq!(read.len(), records.len(), "{}", text);
        for (read, reference) in read.iter().zip(full["results"].as_array().unwrap()) {
            let stored = records.iter().find(|record| record["id"] == reference["id"]).unwrap();
            prop_assert_eq!(read, &due(stored, reference, &full), "{}", text);
        }
    }
}

/// A record as a reader of an outline knows it.
#[derive(Debug, PartialEq)]
struct Read {
    id: String,
    state: String,
    open: u64,
    title: String,
    has_body: bool,
    summary: Vec<String>,
    parent: Option<String>,
}

/// Reads by the rules of the text and nothing else: columns and characters.
fn read(text: &str) -> Vec<Read> {
    let mut records: Vec<(usize, Read)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let line = &line[indent..];
        match line.strip_prefix('[').and_then(|rest| rest.split_once("] (")) {
            Some((id, rest)) => {
                let (state, title) = rest.split_once(") ").unwrap();
                let (state, open) = state.split_once('+').unwrap_or((state, "0"));
                let parent = records.iter().rev().find(|(above, _)| *above < indent).map(|(_, above)| above.id.clone());
                let (title, has_body) = unmarked(title);
                let (id, state, open) = (id.to_owned(), state.to_owned(), open.parse().unwrap());
                records.push((indent, Read { id, state, open, title, has_body, summary: Vec::new(), parent }));
            }
            None => records.last_mut().unwrap().1.summary.push(line.strip_prefix('\\').unwrap_or(line).to_owned()),
        }
    }
    records.into_iter().map(|(_, record)| record).collect()
}

fn unmarked(title: &str) -> (String, bool) {
    let (title, has_body) = match title.strip_suffix(" [+body]") {
        Some(title) => (title, true),
        None => (title, false),
    };
    match title.strip_suffix("\\[+body]") {
        Some(before) => (format!("{before}[+body]"), has_body),
        None => (title.to_owned(), has_body),
    }
}

/// What is to be read back of a record.
fn due(stored: &Value, reference: &Value, full: &Value) -> Read {
    let text = |key: &str| stored[key].as_str().unwrap();
    let title = one_line(text("title"));
    let is_listed = |id: &&str| full["results"].as_array().unwrap().iter().any(|one| one["id"] == **id);
    Read {
        id: text("id").to_owned(),
        state: text("state")[..1].to_owned(),
        open: reference["open_children_count"].as_u64().unwrap(),
        title: if title.is_empty() { "(untitled)".to_owned() } else { title },
        has_body: stored["body"] != "",
        summary: text("summary").split('\n').map(one_line).filter(|line| !line.is_empty()).collect(),
        parent: stored["parent_id"].as_str().filter(is_listed).map(str::to_owned),
    }
}

/// Runs of control characters and separators of lines as one space, none at the ends.
fn one_line(text: &str) -> String {
    let breaks = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    let parts: Vec<&str> = text.split(breaks).collect();
    let inner = parts.iter().enumerate().filter(|(at, part)| !part.is_empty() || *at == 0 || *at + 1 == parts.len());
    inner.map(|(_, part)| *part).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// A record without its id, whose parent is one before it, one that is not there, or none.
fn any_record() -> impl Strategy<Value = (Value, prop::sample::Index, u8)> {
    let state = prop::sample::select(vec!["OPEN", "LATER", "RESOLVED", "DISCARDED"]);
    let fields = (nasty(), nasty(), state, prop_oneof![Just(String::new()), nasty()]);
    let record = fields.prop_map(|(title, summary, state, body)| {
        record(json!({ "title": title, "summary": summary, "state": state, "body": body }))
    });
    (record, any::<prop::sample::Index>(), 0..4_u8)
}

fn with_id((at, (mut record, parent, kind)): (usize, (Value, prop::sample::Index, u8))) -> Value {
    record["id"] = json!(format!("r-{at}"));
    record["parent_id"] = match kind {
        0 => json!(null),
        1 => json!("gone"),
        _ if at == 0 => json!(null),
        _ => json!(format!("r-{}", parent.index(at))),
    };
    record
}

/// Text with line ends, imitations of structure, and anything else.
fn nasty() -> impl Strategy<Value = String> {
    let pieces = vec![
        "\n",
        "\r\n",
        "\t",
        " ",
        "  ",
        "\\",
        "[",
        "]",
        "(",
        ")",
        "#",
        ">",
        "[R1] (O) a",
        "\n[R2] (L+3) b\n",
        "\n# OPEN\n",
        "\n> c",
        " [+body]",
        "\\[+body]",
        "[+body]",
        "session: d",
        "{\"e\": 1}",
        "\u{7}",
        "\u{85}",
        "\u{2028}",
        "👩‍👩‍👧",
        "e\u{301}",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(pieces).prop_map(str::to_owned),
        2 => "[a-z]{1,6}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}
