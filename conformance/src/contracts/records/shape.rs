//! A store of notes that link to each other, and what is printed of them.

use crate::contracts::shape::{Corpus, Shape, piece, step, texts};
use crate::contracts::words::text;
use crate::model::Step;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The pieces, each of which becomes a file of its own.
pub(super) const NOTES: &str = "notes";
/// The store stands where `tiny` stands in our own corpus: both are plain, so what always applies to the one applies to
/// the other.
const PART: &str = "tiny";
/// More links than any way in a random store has.
const FAR: u64 = 100;

/// records.
pub(super) struct Records;

impl Shape for Records {
    fn part(&self) -> &'static str {
        PART
    }

    fn corpus(&self, size: usize) -> BoxedStrategy<Corpus> {
        let link = (any::<Index>(), select(vec!["related", "supports", "contradicts", "refines"]), any::<bool>());
        let tags = subsequence(vec!["bark", "frost", "leaf", "soil"], 0..=3);
        let body = prop_oneof![1 => Just(String::new()), 3 => text(1..10)];
        let note = (
            select(vec!["fleeting", "literature", "permanent"]),
            text(1..5),
            tags,
            option::weighted(0.7, link),
            (option::weighted(0.3, text(1..6)), option::weighted(0.3, text(1..6)), body),
        );
        // A store without notes is no store that anything can be asked of.
        let corpus = vec(note, 1..=size.max(1)).prop_map(|notes| {
            // An id says where the summary of its note comes from: front matter, section, paragraph, or nowhere.
            let source = |at: usize| match &notes[at].4 {
                (Some(_), ..) => 'f',
                (_, Some(_), _) => 's',
                (.., body) if !body.is_empty() => 'p',
                _ => 'n',
            };
            let id = |at: usize| format!("qp-{}{:04}", source(at), 1 + at * 37 % 9973);
            let mut values: Vec<Value> = notes
                .iter()
                .enumerate()
                .map(|(at, (kind, title, tags, _, (summary, section, body)))| {
                    json!({ "id": id(at), "type": kind, "title": title, "tags": tags, "created": day(at), "summary": summary,
                            "section": section, "body": body, "links": [], "inline": [] })
                })
                .collect();
            for (at, (_, _, _, link, _)) in notes.iter().enumerate().skip(1) {
                let Some((from, kind, is_inline)) = link else { continue };
                // At most one link leads to a note, so there is one way to each.
                let from = &mut values[from.index(at)];
                // An inline link is no first paragraph: how a summary shows one is free.
                let has_body = from["body"].as_str().is_some_and(|body| !body.is_empty());
                let (list, link) = match *is_inline && has_body {
                    true => ("inline", json!(id(at))),
                    false => ("links", json!({ "type": kind, "id": id(at) })),
                };
                if let Some(list) = from[list].as_array_mut() {
                    list.push(link);
                }
            }
            Corpus { pieces: values.into_iter().map(|value| piece(NOTES, value)).collect() }
        });
        corpus.boxed()
    }

    fn mend(&self, mut corpus: Corpus) -> Corpus {
        let ids: BTreeSet<String> = texts(&corpus, NOTES, "id").map(str::to_owned).collect();
        let is_there = |id: &Value| id.as_str().is_some_and(|id| ids.contains(id));
        for piece in &mut corpus.pieces {
            if let Some(links) = piece.value["links"].as_array_mut() {
                links.retain(|link| is_there(&link["id"]));
            }
            if let Some(links) = piece.value["inline"].as_array_mut() {
                links.retain(is_there);
            }
        }
        corpus
    }

    fn call(&self, corpus: &Corpus) -> BoxedStrategy<Step> {
        let ids: Vec<String> = texts(corpus, NOTES, "id").map(str::to_owned).collect();
        if ids.is_empty() {
            return Just(step("dump", [])).boxed();
        }
        let of_links = |call: &'static str, id: String, far: Option<u64>| {
            let with =
                [("id", Some(Value::from(id))), ("direction", Some("out".into())), ("max_hops", far.map(Value::from))];
            step(call, with)
        };
        prop_oneof![
            4 => (select(ids.clone()), option::of(Just(true)), option::weighted(0.3, 1..900u64)).prop_map(|(id, bodies, most)| {
                let with = [
                    // The document shows one note in a call.
                    ("note", Some(Value::from(id))),
                    ("with_body", bodies.map(Value::from)),
                    ("max_chars", most.map(Value::from)),
                ];
                step("context", with)
            }),
            3 => select(ids.clone()).prop_map(move |id| of_links("link-tree", id, Some(FAR))),
            2 => select(ids).prop_map(move |id| of_links("link-list", id, None)),
            1 => Just(step("dump", [])),
        ]
        .boxed()
    }

    fn files(&self, corpus: &Corpus) -> BTreeMap<String, String> {
        let mut files: BTreeMap<String, String> = ["mocs", "notes", "templates", "attachments"]
            .into_iter()
            .map(|folder| (format!("{PART}/.qipu/{folder}/.gitkeep"), String::new()))
            .collect();
        files.insert(format!("{PART}/.qipu/config.toml"), "version = 1\n".to_owned());
        for note in corpus.of(NOTES) {
            let id = note["id"].as_str().unwrap_or_default();
            let folder = if note["type"] == "moc" { "mocs" } else { "notes" };
            files.insert(format!("{PART}/.qipu/{folder}/{id}-note.md"), markdown(note));
        }
        files
    }
}

/// A day of January for a note.
fn day(at: usize) -> String {
    format!("2024-01-{:02}T00:00:00Z", 1 + at % 28)
}

/// The file of a note.
fn markdown(note: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut lines = vec!["---".to_owned()];
    for field in ["id", "title", "type"] {
        lines.push(format!("{field}: {}", scalar(&text(&note[field]))));
    }
    if let Some(created) = note["created"].as_str() {
        lines.push(format!("created: {created}"));
    }
    let list = |name: &str| note[name].as_array().map_or(&[][..], Vec::as_slice);
    if !list("tags").is_empty() {
        lines.push("tags:".to_owned());
        lines.extend(list("tags").iter().map(|tag| format!("  - {}", scalar(&text(tag)))));
    }
    for (name, fields) in [("links", &["type", "id"][..]), ("sources", &["url", "title"])] {
        if !list(name).is_empty() {
            lines.push(format!("{name}:"));
        }
        for of in list(name) {
            let field = |name: &&str| format!("    {name}: {}", scalar(&text(&of[*name])));
            let fields: Vec<String> = fields.iter().map(field).collect();
            lines.push(fields.join("\n").replacen("    ", "  - ", 1));
        }
    }
    if let Some(summary) = note["summary"].as_str() {
        lines.push(format!("summary: {}", scalar(summary)));
    }
    // qipu writes this line into every note.
    lines.extend(["value: 100".to_owned(), "---".to_owned()]);
    if let Some(body) = note["body"].as_str().filter(|body| !body.is_empty()) {
        lines.extend([String::new(), body.to_owned()]);
    }
    if let Some(section) = note["section"].as_str() {
        lines.extend([String::new(), "## Summary".to_owned(), String::new(), section.to_owned()]);
    }
    for id in list("inline") {
        lines.extend([String::new(), format!("See [[{}]].", text(id))]);
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A text as YAML: words as they are, anything else quoted, with the escapes that YAML shares with JSON.
fn scalar(text: &str) -> String {
    if !text.is_empty()
        && text
            .split(' ')
            .all(|word| word.starts_with(|first: char| first.is_ascii_lowercase()) && word.bytes().all(is_plain))
    {
        return text.to_owned();
    }
    let escaped = text.chars().map(|character| match character {
        '"' | '\\' => format!("\\{character}"),
        ' '..='~' => character.to_string(),
        _ => format!("\\U{:08x}", u32::from(character)),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}
