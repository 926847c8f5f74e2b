//! A store of notes that link to each other, and what is printed of them.

use crate::contracts::shape::{Corpus, Shape, piece, step, texts};
use crate::contracts::words::{text, word};
use crate::model::{Contract, Step};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use proptest::strategy::Union;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The pieces, each of which becomes a file of its own.
pub(super) const NOTES: &str = "notes";
/// The store stands where `tiny` stands in our own corpus: both are plain, so what always applies to the one applies to
/// the other.
const PART: &str = "tiny";
/// More links than any way in a random store has.
const FAR: u64 = 100;
/// A budget that is enough for everything.
const PLENTY: u64 = 100_000;

/// records.
pub(super) struct Records;

impl Shape for Records {
    fn part(&self) -> &'static str {
        PART
    }

    fn corpus(&self, size: usize, _: &Contract) -> BoxedStrategy<Corpus> {
        let link = (any::<Index>(), select(vec!["related", "supports", "contradicts", "refines"]), any::<bool>());
        let tags = subsequence(vec!["bark", "frost", "leaf", "soil"], 0..=3);
        // Of other scripts than ours, whose characters have several bytes.
        let foreign = vec(select(vec!["水曜日", "の午後", "straße", "жук"]), 8..60).prop_map(|words| words.join(" "));
        let body = prop_oneof![2 => Just(String::new()), 6 => text(1..10), 1 => foreign];
        let section = (text(1..6), option::weighted(0.4, (select(vec!["\n", "\n\n"]), text(1..6))));
        let section = section.prop_map(|(first, more)| match more {
            Some((between, second)) => first + between + &second,
            None => first,
        });
        let note = (
            select(vec!["fleeting", "literature", "permanent"]),
            text(1..5),
            tags,
            option::weighted(0.7, link),
            (
                option::weighted(0.25, text(1..6)),
                option::weighted(0.35, section),
                option::weighted(0.3, text(1..6)),
                body,
            ),
        );
        // A store without notes is no store that anything can be asked of.
        let corpus = vec(note, 1..=size.max(1)).prop_map(|notes| {
            // An id says where the summary of its note comes from: front matter, a section of one line or of more, a paragraph, the
            // paragraph above a heading of more words, or nowhere.
            let source = |at: usize| match &notes[at].4 {
                (Some(_), ..) => 'f',
                (_, Some(section), ..) => if section.contains('\n') { 'm' } else { 's' },
                (_, _, Some(_), body) if !body.is_empty() => 'h',
                (_, _, heading, body) if heading.is_some() || !body.is_empty() => 'p',
                _ => 'n',
            };
            let id = |at: usize| format!("qp-{}{:04}", source(at), 1 + at * 37 % 9973);
            let mut values: Vec<Value> = notes
                .iter()
                .enumerate()
                .map(|(at, (kind, title, tags, _, (summary, section, heading, body)))| {
                    json!({ "id": id(at), "type": kind, "title": title, "tags": tags, "created": day(at), "summary": summary,
                            "section": section, "heading": heading, "body": body, "links": [], "inline": [] })
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

    fn call(&self, corpus: &Corpus, contract: &Contract) -> BoxedStrategy<Step> {
        let ids: Vec<String> = texts(corpus, NOTES, "id").map(str::to_owned).collect();
        if ids.is_empty() {
            return Just(step("dump", [])).boxed();
        }
        let of_links = |call: &'static str, id: String, far: Option<u64>, most: Option<u64>| {
            let with = [
                ("id", Some(Value::from(id))),
                ("direction", Some("out".into())),
                ("max_hops", far.map(Value::from)),
                ("max_chars", most.map(Value::from)),
            ];
            step(call, with)
        };
        let budget = || option::weighted(0.4, prop_oneof![4 => 1..900u64, 1 => Just(PLENTY)]);
        let ways = ways(corpus);
        let by_links = if ways.is_empty() {
            Just(step("dump", [])).boxed()
        } else {
            let way = (select(ways), budget()).prop_map(|((from, to), most)| {
                let with = [
                    ("from", Some(Value::from(from))),
                    ("to", Some(Value::from(to))),
                    ("direction", Some("out".into())),
                    ("max_hops", Some(FAR.into())),
                    ("max_chars", most.map(Value::from)),
                ];
                step("link-path", with)
            });
            way.boxed()
        };
        let hops = prop_oneof![2 => Just(FAR), 1 => 1..4u64];
        let context = (select(ids.clone()), option::of(Just(true)), budget()).prop_map(|(id, bodies, most)| {
            let with = [
                // The document shows one note in a call.
                ("note", Some(Value::from(id))),
                ("with_body", bodies.map(Value::from)),
                ("max_chars", most.map(Value::from)),
            ];
            step("context", with)
        });
        let tree = (select(ids.clone()), hops, budget())
            .prop_map(move |(id, far, most)| of_links("link-tree", id, Some(far), most));
        let list = (select(ids.clone()), budget()).prop_map(move |(id, most)| of_links("link-list", id, None, most));
        let mut calls = vec![
            (5, context.boxed()),
            (3, tree.boxed()),
            (2, list.boxed()),
            (2, by_links),
            (1, Just(step("dump", [])).boxed()),
        ];
        // The first revision fixes nothing of what these two print of a note.
        if contract.operations.contains_key("search") {
            calls.push((2, word().prop_map(|word| step("search", [("query", Some(word.into()))])).boxed()));
            calls.push((2, select(ids).prop_map(|id| step("export", [("note", Some(id.into()))])).boxed()));
        }
        Union::new_weighted(calls).boxed()
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

/// The notes that a way of links leads from and to, each pair once.
fn ways(corpus: &Corpus) -> Vec<(String, String)> {
    let mut above: BTreeMap<&str, &str> = BTreeMap::new();
    for note in corpus.of(NOTES) {
        let list = |name: &str| note[name].as_array().into_iter().flatten();
        let linked = list("links").map(|link| &link["id"]).chain(list("inline"));
        above.extend(linked.filter_map(|to| Some((to.as_str()?, note["id"].as_str()?))));
    }
    let mut ways = Vec::new();
    for to in above.keys().copied() {
        let mut from = to;
        // Links lead from older notes to newer ones, so no way comes back; a corpus of other hands may have one that does.
        for _ in 0..above.len() {
            let Some(next) = above.get(from).filter(|next| **next != to) else { break };
            from = next;
            ways.push((from.to_owned(), to.to_owned()));
        }
    }
    ways
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
    if let Some(heading) = note["heading"].as_str() {
        lines.extend([String::new(), "## Summary of the week".to_owned(), String::new(), heading.to_owned()]);
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
