//! Random trees of nasty texts, printed by the rules of the decisions, are read back as they were.

use super::{assert_shape, read};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A record as a program knows it before it prints it.
#[derive(Debug, Clone)]
struct Record {
    id: String,
    state: &'static str,
    open: u64,
    title: String,
    has_body: bool,
    summary: String,
    snippet: Option<String>,
    /// How many levels it would like to go down or up from the record before it.
    step: i8,
}

proptest! {
    #[test]
    fn outlines_are_read_back(records in prop::collection::vec(record(), 0..12)) {
        let records: Vec<Record> =
            records.into_iter().enumerate().map(|(at, one)| Record { id: format!("{}{at}", one.id), ..one }).collect();
        let depths = depths(&records);
        let text = print(&records, &depths);
        let parsed = read("outline", &text);
        assert_shape("outline", &parsed);
        prop_assert!(parsed.problems.is_empty(), "{:?} in {text}", parsed.problems);
        prop_assert_eq!(&parsed.value["records"], &due(&records, &depths), "{}", text);
    }
}

/// The depth of each record: never more than one below the record before it.
fn depths(records: &[Record]) -> Vec<usize> {
    let mut deepest = 0;
    let depth = |record: &Record| {
        let depth = deepest.min(usize::try_from(i64::try_from(deepest).unwrap() + i64::from(record.step)).unwrap_or(0));
        deepest = depth + 1;
        depth
    };
    records.iter().map(depth).collect()
}

fn print(records: &[Record], depths: &[usize]) -> String {
    let mut text = String::new();
    let mut blank_is_due = false;
    for (record, depth) in records.iter().zip(depths) {
        let indent = "  ".repeat(*depth);
        let count = if record.open > 0 { format!("+{}", record.open) } else { String::new() };
        let mark = if record.has_body { " [+body]" } else { "" };
        let blank = if blank_is_due { "\n" } else { "" };
        let (id, state, title) = (&record.id, &record.state[..1], escaped_title(&title(&record.title)));
        text += &format!("{blank}{indent}[{id}] ({state}{count}) {title}{mark}\n");
        let mut below: Vec<String> = lines(&record.summary).iter().map(|line| escaped(line)).collect();
        below.extend(snippet(record).map(|snippet| format!("> {}", escaped(&snippet))));
        below.iter().for_each(|line| text += &format!("{indent}  {line}\n"));
        blank_is_due = !below.is_empty();
    }
    text
}

fn due(records: &[Record], depths: &[usize]) -> Value {
    let mut line = 1;
    let mut rows = Vec::new();
    let mut blank_is_due = false;
    for (at, (record, depth)) in records.iter().zip(depths).enumerate() {
        line += usize::from(blank_is_due);
        let parent = (0..at).rev().find(|before| depths[*before] < *depth).map(|before| records[before].id.clone());
        let summary = Some(lines(&record.summary).join("\n")).filter(|text| !text.is_empty());
        let below = lines(&record.summary).len() + usize::from(snippet(record).is_some());
        rows.push(json!({
            "id": record.id, "type": null, "state": record.state, "open": (record.open > 0).then_some(record.open),
            "title": title(&record.title), "has_body": record.has_body, "summary": summary,
            "snippets": Vec::from_iter(snippet(record)), "depth": depth, "indent": 2 * depth, "parent": parent,
            "section": null, "line": line,
        }));
        line += 1 + below;
        blank_is_due = below > 0;
    }
    rows.into()
}

fn title(text: &str) -> String {
    let title = one_line(text);
    if title.is_empty() { "(untitled)".to_owned() } else { title }
}

fn lines(text: &str) -> Vec<String> {
    text.split('\n').map(one_line).filter(|line| !line.is_empty()).collect()
}

fn snippet(record: &Record) -> Option<String> {
    record.snippet.as_deref().map(one_line).filter(|line| !line.is_empty())
}

/// Control characters as spaces, none at the ends.
fn one_line(text: &str) -> String {
    text.replace(|character: char| character.is_control(), " ").trim().to_owned()
}

fn escaped(line: &str) -> String {
    let reads_as_structure = line.starts_with(['[', '>', '#', '\\']);
    format!("{}{line}", if reads_as_structure { "\\" } else { "" })
}

fn escaped_title(title: &str) -> String {
    match title.strip_suffix("[+body]") {
        Some(before) if before.ends_with([' ', '\\']) => format!("{before}\\[+body]"),
        _ => title.to_owned(),
    }
}

fn record() -> impl Strategy<Value = Record> {
    let state = prop::sample::select(vec!["OPEN", "LATER", "RESOLVED", "DISCARDED"]);
    let fields = (
        "[a-zA-Z0-9][a-zA-Z0-9_-]{0,4}",
        state,
        0..3_u64,
        nasty(),
        any::<bool>(),
        nasty(),
        prop::option::of(nasty()),
        -3..2_i8,
    );
    fields.prop_map(|(id, state, open, title, has_body, summary, snippet, step)| Record {
        id,
        state,
        open,
        title,
        has_body,
        summary,
        snippet,
        step,
    })
}

/// Text with line ends, imitations of structure, and anything else.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "\n", "\r\n", "\t", " ", "  ", "\\", "[", "]", "(", ")", "#", ">", "[R1] (O) a", "\n[R2] (L+3) b\n", "\n# OPEN\n",
            "\n> c", " [+body]", "\\[+body]", "[+body]", "session: d", "{\"e\": 1}", "\u{7}", "\u{85}", "\u{2028}", "👩‍👩‍👧", "e\u{301}",
        ]).prop_map(str::to_owned),
        2 => "[a-z]{1,6}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}
