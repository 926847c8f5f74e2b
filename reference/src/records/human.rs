//! The form for a person: the same records, said in a few plain lines.

use super::line::quoted;
use super::record::{Answer, Record, resolve};
use serde_json::Value;

/// The human form of the first `count` records.
pub(crate) fn text(answer: &Answer, count: usize) -> String {
    let header = resolve(answer, &answer.records[..count]);
    let keys = header.iter().filter(|(key, _)| !matches!(key.as_str(), "qipu" | "records" | "mode" | "truncated"));
    let keys: Vec<String> = keys.map(|(key, value)| format!("{key} {}", plain(value))).collect();
    let mode = header.get("mode").map(plain).unwrap_or_default();
    let cut = if header.get("truncated") == Some(&Value::Bool(true)) { " (cut to fit)" } else { "" };
    let mut out = format!("{mode}: {}{cut}\n", keys.join(", "));
    for record in &answer.records[..count] {
        push_record(&mut out, record);
    }
    out
}

fn push_record(out: &mut String, record: &Record) {
    match record {
        Record::N(note) => {
            let tags: Vec<String> = note.tags.iter().map(|tag| format!(" #{}", inert(tag))).collect();
            out.push_str(&format!("\n{} ({}, {}){}\n", quoted(&note.title), note.id, note.kind, tags.concat()));
        }
        Record::S { text, .. } | Record::D { text } => out.push_str(&format!("  {}\n", inert(text))),
        Record::B { text, .. } => {
            out.push('\n');
            out.extend(text.lines().map(|line| format!("  | {}\n", inert(line))));
        }
        Record::E { from, kind, to, typed, inline } => {
            let source = match (typed, inline) {
                (true, true) => "typed and inline",
                (true, false) => "typed",
                (false, _) => "inline",
            };
            out.push_str(&format!("  {from} {kind} {to} ({source})\n"));
        }
        Record::W { text } => out.push_str(&format!("{}\n", inert(text))),
        Record::C { name, about } => out.push_str(&format!("  {}: {}\n", name.replace('.', " "), inert(about))),
        Record::M { id, title, .. } => out.push_str(&format!("  map {} ({id})\n", quoted(title))),
        // Only packs have these, and a pack has no human form.
        Record::Source { .. } | Record::Content { .. } | Record::L { .. } | Record::A { .. } | Record::End => {}
    }
}

/// A text that no terminal takes for a command.
fn inert(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => inert(text),
        other => other.to_string(),
    }
}
