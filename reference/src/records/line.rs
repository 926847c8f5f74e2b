//! The section "Record prefix reference": records as lines, with the escapes that keep one record on one line.

use super::record::{Answer, NoteLine, Record, resolve};
use serde_json::Value;

/// The marker that ends a body.
const BODY_END: &str = "B-END";

/// The records form of the first `count` records.
pub(crate) fn text(answer: &Answer, count: usize) -> String {
    let printed = &answer.records[..count];
    let mut out = String::from("H");
    for (key, value) in resolve(answer, printed) {
        let value = match value {
            Value::String(text) => field(&text),
            other => other.to_string(),
        };
        out.push_str(&format!(" {key}={value}"));
    }
    out.push('\n');
    for record in printed {
        push_record(&mut out, record);
    }
    out
}

/// A text in quotation marks, on one line, so that it can be read back.
///
/// `\` and `"` get a backslash; control characters and the two separators of Unicode that end lines become `\n`, `\r`,
/// `\t` or `\u{…}` with the hexadecimal number of the character.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The value of a `key=value` field, quoted if its end would be ambiguous.
fn field(text: &str) -> String {
    let needs_quotes = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '\\');
    if text.is_empty() || text.contains(needs_quotes) { quoted(text) } else { text.to_owned() }
}

fn tags(tags: &[String]) -> String {
    if tags.is_empty() { "-".to_owned() } else { field(&tags.join(",")) }
}

fn push_record(out: &mut String, record: &Record) {
    match record {
        Record::N(note) => push_note(out, note),
        Record::S { id, text } => out.push_str(&format!("S {id} {text}\n")),
        Record::B { id, text } => push_body(out, id, text),
        Record::E { from, kind, to, typed, inline } => {
            let source = [(*typed, " typed"), (*inline, " inline")];
            out.push_str(&format!("E {from} {kind} {to}"));
            out.extend(source.iter().filter(|(stated, _)| *stated).map(|(_, word)| *word));
            out.push('\n');
        }
        Record::W { text } => out.push_str(&format!("W {text}\n")),
        Record::D { text } => out.push_str(&format!("D {text}\n")),
        Record::C { name, about } => out.push_str(&format!("C {name} {}\n", quoted(about))),
        Record::M { id, title, tags: of_map } => {
            out.push_str(&format!("M {id} {} tags={}\n", quoted(title), tags(of_map)));
        }
        Record::Source { id, url, title, accessed } => {
            out.push_str(&format!("S {id} url={}", field(url)));
            out.extend(title.as_deref().map(|title| format!(" title={}", quoted(title))));
            out.extend(accessed.as_deref().map(|accessed| format!(" accessed={}", field(accessed))));
            out.push('\n');
        }
        Record::Content { base64 } => push_base64(out, 'C', base64),
        Record::L { from, to, kind, inline } => out.push_str(&format!("L {from} {to} type={kind} inline={inline}\n")),
        Record::A { path, name, content_type, base64 } => {
            let (path, name) = (field(path), field(name));
            out.push_str(&format!("A {path} name={name} content_type={content_type}\n"));
            push_base64(out, 'D', base64);
        }
        Record::End => out.push_str("END\n"),
    }
}

fn push_note(out: &mut String, note: &NoteLine) {
    out.push_str(&format!("N {} {} {} tags={}", note.id, note.kind, quoted(&note.title), tags(&note.tags)));
    for (key, time) in [("created", &note.created), ("updated", &note.updated)] {
        out.extend(time.as_deref().map(|time| format!(" {key}={time}")));
    }
    out.extend(note.summary.as_deref().map(|summary| format!(" summary={}", quoted(summary))));
    out.push('\n');
}

/// A body whose line says `B-END`, after any number of backslashes, would end early or could not be read back, so such
/// a line gets one backslash more.
fn push_body(out: &mut String, id: &str, text: &str) {
    out.push_str(&format!("B {id}\n"));
    for line in text.lines() {
        if line.trim_start_matches('\\') == BODY_END {
            out.push('\\');
        }
        out.push_str(line);
        out.push('\n');
    }
    out.push_str(BODY_END);
    out.push('\n');
}

fn push_base64(out: &mut String, prefix: char, base64: &str) {
    if !base64.is_empty() {
        out.push_str(&format!("{prefix} {base64}\n"));
    }
    out.push_str(&format!("{prefix}-END\n"));
}
