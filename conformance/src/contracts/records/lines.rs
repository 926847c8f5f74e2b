//! Records output → JSON.

use super::fields::{fields, tags, unquote};
use crate::format::{Grammar, Parsed, Part, problem, unreadable};
use crate::model::Problem;
use crate::text::inert;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::built_in(include_str!("../../../../schemas/records/records.pest")));

/// The end of a body. With backslashes before it, it is a line of the body.
const BODY_END: &str = "B-END";

/// Reads records output.
///
/// The value is `{header, trailer, records, notes, edges, banners}`: `records` holds every record in order with its line
/// and the number of lines that it takes; the rest are views of it for checks and goldens.
pub(super) fn parse(lines: &[&str]) -> Parsed {
    let mut reader = Reader::default();
    let ended = lines.last() == Some(&"");
    let lines = if ended { &lines[..lines.len() - 1] } else { lines };
    reader.read(lines);
    if !ended {
        let column = lines.last().map_or(0, |line| line.chars().count()) + 1;
        reader.problem("final-line-end", lines.len().max(1), column, "the last line has no line end");
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    header: Value,
    trailer: Value,
    records: Vec<Value>,
    problems: Vec<Problem>,
}

impl Reader {
    fn read(&mut self, lines: &[&str]) {
        let mut at = 0;
        while at < lines.len() {
            let text = lines[at].strip_suffix('\r').unwrap_or(lines[at]);
            if text.len() < lines[at].len() {
                self.problem("carriage-return", at + 1, text.chars().count() + 1, "a line ends with CR LF");
            }
            at += match self.line(at, text, at + 1 == lines.len()) {
                Some(id) => self.body(id, at, lines),
                None => 1,
            };
        }
        if lines.is_empty() {
            self.problem("header", 1, 1, "expected a header line, the output is empty");
        }
    }

    /// Reads one line; the id when it opens a body.
    fn line(&mut self, at: usize, text: &str, last: bool) -> Option<String> {
        let number = at + 1;
        let read = match GRAMMAR.line(text) {
            Ok(read) => read,
            Err(error) => {
                let code = unreadable_code(text);
                self.problems.push(unreadable(code, number, text, &error));
                if at == 0 {
                    self.problem("header", 1, 1, no_header(text));
                }
                // A piece of a header is no record: it may be what a small budget left of it.
                if code != "header-line" {
                    self.records.push(json!({ "kind": "?", "line": number, "lines": 1, "text": text }));
                }
                return None;
            }
        };
        let part = read.part()?;
        let is_header = part.rule() == "header";
        if at == 0 && !is_header {
            self.problem("header", 1, 1, no_header(text));
        }
        match part.rule() {
            "header" if at == 0 => self.header = Value::Object(fields(part.within())),
            "header" if last => self.trailer = Value::Object(fields(part.within())),
            "header" => self.problem("stray-header", number, 1, "a header between records"),
            "end" => self.problem("stray-body-end", number, 1, "B-END without a body"),
            "body" => return part.within().next().map(|id| id.text().to_owned()),
            _ => self.records.push(record(number, part)),
        }
        None
    }

    /// Reads a body from its `B` line at `start`; how many lines it takes.
    fn body(&mut self, id: String, start: usize, lines: &[&str]) -> usize {
        let inside = &lines[start + 1..];
        let end = inside.iter().position(|line| line.strip_suffix('\r').unwrap_or(line) == BODY_END);
        let text: Vec<&str> = inside[..end.unwrap_or(inside.len())].iter().map(|line| unescape_line(line)).collect();
        let length = text.len() + 1 + usize::from(end.is_some());
        if end.is_none() {
            self.problem("open-body", start + 1, 1, format!("the body of {id} has no B-END"));
        }
        self.records.push(json!({
            "kind": "B", "line": start + 1, "lines": length, "id": id, "body": text.join("\n"), "whole": end.is_some(),
        }));
        length
    }

    fn problem(&mut self, code: &str, line: usize, column: usize, message: impl Into<String>) {
        self.problems.push(problem(code, line, column, message));
    }

    fn finish(self) -> Parsed {
        let of = |kind: &str| self.records.iter().filter(|record| record["kind"] == kind).collect::<Vec<_>>();
        let (summaries, bodies) = (texts(&self.records), by_id(of("B")));
        let notes: Vec<Value> = of("N").into_iter().map(|note| view(note, &summaries, &bodies)).collect();
        let edges: Vec<Value> = of("E")
            .into_iter()
            .map(|edge| json!({ "from": edge["from"], "type": edge["type"], "to": edge["to"], "source": edge["source"] }))
            .collect();
        let truncated = [&self.trailer, &self.header]
            .iter()
            .find_map(|header| header["truncated"].as_str())
            .and_then(|truncated| truncated.parse::<bool>().ok());
        // Moved, since `json!` copies what it is given.
        let value = [
            ("header", self.header),
            ("trailer", self.trailer),
            ("truncated", truncated.into()),
            ("notes", notes.into()),
            ("edges", edges.into()),
            ("records", self.records.into()),
        ];
        let value = value.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        Parsed { value, problems: self.problems }
    }
}

/// Records by the id of their note.
type ById<'r> = HashMap<&'r str, &'r Value>;

/// The first record of each note.
fn by_id(records: Vec<&Value>) -> ById<'_> {
    // The last one that is put in stays.
    records.into_iter().rev().filter_map(|record| Some((record["id"].as_str()?, record))).collect()
}

/// The first summary of each note, with the lines without a prefix that follow it: that a summary is one line is advice.
fn texts(records: &[Value]) -> HashMap<&str, String> {
    let mut texts: HashMap<&str, String> = HashMap::new();
    let mut open: Option<(&str, u64)> = None;
    for record in records {
        let (text, line) = (record["text"].as_str().unwrap_or_default(), record["line"].as_u64().unwrap_or_default());
        open = match (record["kind"].as_str(), record["id"].as_str(), open) {
            (Some("S"), Some(id), _) if !texts.contains_key(id) => {
                texts.insert(id, text.to_owned());
                Some((id, line))
            }
            (Some("?"), _, Some((id, last))) if line == last + 1 => {
                texts.entry(id).or_default().extend([" ", text]);
                Some((id, line))
            }
            _ => None,
        };
    }
    texts
}

/// A note with what is free taken out: white space runs of the summary as one space, line breaks at the ends of the body
/// dropped and all of them LF. `null` where there is none.
fn view(note: &Value, summaries: &HashMap<&str, String>, bodies: &ById<'_>) -> Value {
    let id = note["id"].as_str().unwrap_or_default();
    let summary = summaries.get(id).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let body = bodies.get(id).and_then(|record| record["body"].as_str());
    let body = body.map(|body| free_ends(&body.replace("\r\n", "\n")).to_owned());
    json!({ "id": note["id"], "type": note["type"], "title": note["title"], "tags": note["tags"],
            "summary": summary.filter(|text| !text.is_empty()), "body": body })
}

/// A body without the line breaks at its ends; the last line of one that is printed with CR LF ends in CR.
fn free_ends(body: &str) -> &str {
    body.trim_start_matches('\n').trim_end_matches(['\r', '\n'])
}

fn record(line: usize, part: Part<'_>) -> Value {
    let rule = part.rule();
    let kind = &part.text()[..1];
    let (mut words, mut named) = (Vec::new(), Vec::new());
    for inner in part.within() {
        match inner.rule() {
            "field" => named.push(inner),
            "title" => words.push(unquote(inner.text())),
            "EOI" => {}
            _ => words.push(inner.text().trim_end().to_owned()),
        }
    }
    let named: Map<String, Value> = fields(named.into_iter());
    let mut record = json!({ "kind": kind, "line": line, "lines": 1 });
    let keys: &[&str] = match rule {
        "note" => &["id", "type", "title"],
        "moc" => &["id", "title"],
        "summary" => &["id", "text"],
        "edge" => &["from", "type", "to"],
        _ => &["text"],
    };
    for (at, key) in keys.iter().enumerate() {
        record[key] = Value::from(words.get(at).map_or("", String::as_str));
    }
    match rule {
        "note" | "moc" => record["tags"] = tags(&named),
        "edge" => record["source"] = words[3..].iter().map(String::as_str).collect(),
        _ => {}
    }
    if !named.is_empty() {
        record["fields"] = Value::Object(named);
    }
    record
}

/// The kind of problem of a line that no rule reads, by its prefix.
fn unreadable_code(text: &str) -> &'static str {
    match text.split(' ').next() {
        Some("") => "blank-line",
        Some("H") => "header-line",
        Some("N") => "note-line",
        Some("S") => "summary-line",
        Some("E") => "edge-line",
        Some("B") => "body-line",
        Some("M") => "moc-line",
        Some("D" | "W" | "C" | "L" | "A") => "empty-line",
        _ => "unknown-prefix",
    }
}

/// Undoes the escape of a body line that looks like the end mark.
fn unescape_line(line: &str) -> &str {
    let bare = line.trim_start_matches('\\');
    match bare.strip_suffix('\r').unwrap_or(bare) == BODY_END {
        true => line.strip_prefix('\\').unwrap_or(line),
        false => line,
    }
}

/// What the first line is, where a header was expected.
fn no_header(text: &str) -> String {
    format!("expected a header, as in \"H …\", received {:?}", inert::short(text, 60))
}
