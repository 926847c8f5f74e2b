//! A pack (`dump`) → JSON.

use super::fields::{fields, tags, unquote};
use crate::format::{Grammar, Parsed, Part, problem, unreadable};
use crate::model::Problem;
use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::built_in(include_str!("../../../../schemas/records/pack.pest")));

/// Which base64 it is, the document does not say: padding is free, and so is the alphabet.
const ANY_PADDING: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads a pack: `{header, notes, links, attachments, ended}`.
///
/// A note has `id, type, title, tags, sources, content`; `content` is the decoded body without line breaks at its ends.
/// Attachments have `path, name, content_type, data`, the data in base64.
pub(super) fn parse(lines: &[&str]) -> Parsed {
    let mut reader = Reader::default();
    let lines = match lines.split_last() {
        Some((&"", lines)) => lines,
        _ => lines,
    };
    for (at, line) in lines.iter().enumerate() {
        reader.line(at + 1, line.strip_suffix('\r').unwrap_or(line));
    }
    reader.finish(lines.len())
}

/// What the base64 lines that follow belong to.
struct Open {
    data: bool,
    line: usize,
    text: String,
}

/// A line that an end mark may follow.
enum Before {
    /// A note or an attachment, whose content may be empty.
    Owner { data: bool },
    /// A line of several words, which is a detail or a command, unless an end mark says that it should be base64.
    Words { data: bool, line: usize },
}

#[derive(Default)]
struct Reader {
    header: Value,
    notes: Vec<Value>,
    /// The place of each note by its id.
    places: HashMap<String, usize>,
    /// The sources with the line and the id of their note, which may stand anywhere in the pack.
    sources: Vec<(usize, String, Value)>,
    links: Vec<Value>,
    attachments: Vec<Value>,
    ended: bool,
    open: Option<Open>,
    /// What the line before was, if an end mark may follow it.
    before: Option<Before>,
    problems: Vec<Problem>,
}

impl Reader {
    fn line(&mut self, number: usize, text: &str) {
        let is_end_mark = matches!(text.trim_end(), "C-END" | "D-END" | "END");
        if let Some(open) = self.open.as_mut().filter(|_| !is_end_mark) {
            // What follows may stand bare, or behind the same prefix on every line.
            let prefix = if open.data { "D " } else { "C " };
            let more = text.strip_prefix(prefix).unwrap_or(text).trim();
            if !more.contains(' ') {
                open.text.push_str(more);
                return;
            }
            // Base64 has no spaces: this is the next record, and the end mark is missing.
            let (begun, code) = (open.line, end_code(open.data));
            self.open = None;
            self.problem(code, begun, "content without its end mark");
        }
        match GRAMMAR.line(text) {
            Ok(read) => {
                if let Some(part) = read.part() {
                    self.record(number, part);
                }
            }
            Err(error) => self.problems.push(unreadable(unreadable_code(text), number, text, &error)),
        }
    }

    fn record(&mut self, number: usize, part: Part<'_>) {
        let rule = part.rule();
        if std::mem::take(&mut self.ended) {
            self.problem("end-of-pack", number, "END stands before the end of the pack");
        }
        let (mut words, mut named) = (Vec::new(), Vec::new());
        for inner in part.within() {
            match inner.rule() {
                "field" => named.push(inner),
                "title" | "path" => words.push(unquote(inner.text())),
                _ => words.push(inner.text().to_owned()),
            }
        }
        let named = fields(named.into_iter());
        let word = |at: usize| words.get(at).cloned().unwrap_or_default();
        let before = self.before.take();
        if let Some((code, key)) = lacking(rule, &named) {
            self.problem(code, number, format!("the line has no field {key}"));
        }
        match rule {
            "header" => self.header = Value::Object(named),
            "note" => {
                self.places.entry(word(0)).or_insert(self.notes.len());
                self.notes.push(json!({ "id": word(0), "type": word(1), "title": word(2), "tags": tags(&named),
                                        "sources": [], "content": "" }));
                self.before = Some(Before::Owner { data: false });
            }
            "source" => {
                let mut fields = named;
                fields.retain(|_, value| value != "-" && value != "");
                self.sources.push((number, word(0), Value::Object(fields)));
            }
            "link" => self.links.push(json!({ "from": word(0), "to": word(1), "type": named.get("type"),
                                                  "inline": named.get("inline").and_then(Value::as_str) == Some("true") })),
            "attachment" => {
                self.attachments.push(json!({ "path": word(0), "name": named.get("name"),
                                              "content_type": named.get("content_type"), "data": "" }));
                self.before = Some(Before::Owner { data: true });
            }
            "content" | "data" => {
                self.open = Some(Open { data: rule == "data", line: number, text: word(0) });
            }
            "content_end" | "data_end" => self.close(number, rule == "data_end", before),
            "detail" | "command" => self.before = Some(Before::Words { data: rule == "detail", line: number }),
            _ => self.ended = true,
        }
    }

    /// Gives each source to its note.
    fn attach_sources(&mut self) {
        for (line, id, source) in std::mem::take(&mut self.sources) {
            match self.places.get(&id).and_then(|place| self.notes.get_mut(*place)) {
                Some(note) => {
                    if let Some(sources) = note["sources"].as_array_mut() {
                        sources.push(source);
                    }
                }
                None => self.problem("source-line", line, format!("a source of {id}, which is no note of the pack")),
            }
        }
    }

    /// Decodes what stood between the marks and gives it to the note or attachment before it.
    fn close(&mut self, number: usize, data: bool, before: Option<Before>) {
        let open = self.open.take();
        match before {
            Some(Before::Owner { data: of }) if open.is_none() && of == data => return,
            Some(Before::Words { data: of, line }) if open.is_none() && of == data => {
                return self.problem("base64", line, "what stands here is no base64");
            }
            _ => {}
        }
        let code = end_code(open.as_ref().map_or(data, |open| open.data));
        let Some(open) = open.filter(|open| open.data == data) else {
            return self.problem(code, number, "an end mark without its beginning");
        };
        let Ok(bytes) = ANY_PADDING.decode(open.text.replace('-', "+").replace('_', "/")) else {
            return self.problem("base64", open.line, "what stands here is no base64");
        };
        let owner = if data { self.attachments.last_mut() } else { self.notes.last_mut() };
        match (owner, data) {
            (Some(owner), true) => owner["data"] = Value::from(STANDARD.encode(bytes)),
            (Some(owner), false) => {
                owner["content"] = Value::from(String::from_utf8_lossy(&bytes).trim_matches(['\r', '\n']));
            }
            (None, _) => self.problem(code, open.line, "content without a note or attachment before it"),
        }
    }

    fn problem(&mut self, code: &str, line: usize, message: impl Into<String>) {
        self.problems.push(problem(code, line, 1, message));
    }

    fn finish(mut self, lines: usize) -> Parsed {
        if let Some(open) = self.open.take() {
            self.problem(end_code(open.data), open.line, "content without its end mark");
        }
        self.attach_sources();
        if self.header.is_null() {
            self.problem("header", 1, "the pack has no header line");
        }
        // Where a pack goes is not said: what is printed may be a message about a file.
        let is_pack = !(self.header.is_null() && self.notes.is_empty() && self.links.is_empty());
        let is_reported = self.problems.iter().any(|problem| problem.code == "end-of-pack");
        if is_pack && !self.ended && !is_reported {
            self.problem("end-of-pack", lines.max(1), "the pack does not end with END");
        }
        let value = json!({ "header": self.header, "notes": self.notes, "links": self.links,
                            "attachments": self.attachments, "ended": self.ended });
        Parsed { value, problems: self.problems }
    }
}

/// The field that a line needs and lacks, and the code for that. A link without a type has none to say if it stands in a text.
fn lacking(rule: &str, named: &Map<String, Value>) -> Option<(&'static str, &'static str)> {
    let is_inline = named.get("inline").and_then(Value::as_str) == Some("true");
    let (code, keys): (_, &[&'static str]) = match rule {
        "source" => ("source-line", &["url"]),
        "link" if is_inline => return None,
        "link" => ("link-line", &["type", "inline"]),
        "attachment" => ("attachment-line", &["name", "content_type"]),
        _ => return None,
    };
    let key = keys.iter().find(|key| !named.contains_key(**key))?;
    Some((code, key))
}

/// The code of what is wrong with the end of a body, or of the data of an attachment.
fn end_code(data: bool) -> &'static str {
    if data { "data-end" } else { "content-end" }
}

fn unreadable_code(text: &str) -> &'static str {
    match text.split(' ').next() {
        Some("") => "blank-line",
        Some("H") => "header-line",
        Some("N") => "note-line",
        Some("S") => "source-line",
        Some("L") => "link-line",
        Some("A") => "attachment-line",
        Some("C" | "D") => "base64",
        _ => "unknown-prefix",
    }
}
