//! An outline → JSON.
//!
//! What the document's examples and regular expressions agree on is read strictly; where programs may differ, the reader
//! is lenient and each departure from the exact form is a problem with a code of its own.

mod form;
mod reader;
mod record;
mod style;

use crate::format::{Parsed, problem};
use crate::text::inert;
use reader::{Reader, Section};
pub(super) use record::BODY_MARK;
use serde::de::IgnoredAny;
use serde_json::Value;
use style::{FIRST, SECOND, Style};

/// Reads an outline of the document's first version: `{json, session, sections, records}`, the records in order with their depth and
/// the id of the record that they stand below.
pub(super) fn parse(lines: &[&str]) -> Parsed {
    parse_as(&FIRST, lines)
}

/// Reads an outline of the document's second version, which also tells the tick, the counts of headings and the children that a record
/// hides, and knows no mark of a body.
pub(super) fn parse_second(lines: &[&str]) -> Parsed {
    parse_as(&SECOND, lines)
}

fn parse_as(style: &'static Style, lines: &[&str]) -> Parsed {
    if let Some(came) = json_instead(lines) {
        let message = format!("expected an outline as plain text, came JSON: {came}");
        let none = || {
            let mut parsed = Reader::of(style).finish();
            parsed.value["json"] = true.into();
            parsed
        };
        let mut parsed = parts(style, lines).unwrap_or_else(none);
        parsed.problems.insert(0, problem("json-instead", 1, 1, message));
        return parsed;
    }
    Reader::of(style).read(lines).finish()
}

/// A JSON object with an outline for each part of an overview, as if each were a section. Lines are counted in each part.
fn parts(style: &'static Style, lines: &[&str]) -> Option<Parsed> {
    let object: serde_json::Map<String, Value> = serde_json::from_str(&lines.join("\n")).ok()?;
    let mut whole = Reader::of(style);
    for (key, text) in &object {
        let Some(text) = text.as_str() else { continue };
        let name = key.strip_suffix("_records").unwrap_or(key).to_uppercase();
        let mut part = Reader::of(style);
        part.sections.push(Section { name, line: 1, count: None });
        let part = part.read(&text.split('\n').collect::<Vec<_>>());
        whole.sections.extend(part.sections);
        whole.records.extend(part.records);
        whole.problems.extend(part.problems.into_iter().map(|one| {
            let message = format!("line {}, column {} of `{key}`: {}", one.line, one.column, one.message);
            problem(&one.code, 1, 1, message)
        }));
    }
    (!whole.records.is_empty()).then(|| whole.finish())
}

/// The start of the text, when the whole of it is JSON.
fn json_instead(lines: &[&str]) -> Option<String> {
    let first = lines.iter().map(|line| line.trim_start()).find(|line| !line.is_empty())?;
    if !first.starts_with(['{', '[', '"']) {
        return None;
    }
    let text = lines.join("\n");
    serde_json::from_str::<IgnoredAny>(&text).ok().map(|_| inert::short(text.trim_start(), 60))
}
