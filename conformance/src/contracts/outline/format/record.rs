//! A header line, and the record that it begins.

use super::form::Indent;
use super::style::Style;
use crate::format::{Grammar, Part};
use serde_json::{Value, json};

/// The mark of a record that has a body.
pub(crate) const BODY_MARK: &str = "[+body]";

/// A record, with what stands below its header.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) id: String,
    kind: Option<String>,
    state: &'static str,
    open: Option<u64>,
    title: String,
    has_body: bool,
    /// The lines of the summary.
    pub(super) summary: Vec<String>,
    pub(super) snippets: Vec<String>,
    /// How many children it says not to show.
    pub(super) hidden: Option<u64>,
    depth: usize,
    /// How far its header is indented, in spaces.
    pub(super) width: usize,
    parent: Option<String>,
    section: Option<String>,
    pub(super) line: usize,
}

impl Record {
    /// What is known of it. By the second version, it may hide children, and nothing says whether it has a body.
    pub(super) fn into_json(self, is_second: bool) -> Value {
        let summary = (!self.summary.is_empty()).then(|| self.summary.join("\n"));
        let mut value = json!({
            "id": self.id, "type": self.kind, "state": self.state, "open": self.open, "title": self.title,
            "summary": summary, "snippets": self.snippets, "depth": self.depth,
            "indent": self.width, "parent": self.parent, "section": self.section, "line": self.line,
        });
        match is_second {
            true => value["hidden"] = self.hidden.into(),
            false => value["has_body"] = self.has_body.into(),
        }
        value
    }
}

/// The parts of a header line as they came.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) indent: Indent,
    id: String,
    kind: Option<String>,
    state: String,
    count: Option<String>,
    title: String,
    /// The gaps between the parts, each with its column.
    gaps: Vec<(usize, String)>,
    /// The columns of id, state and title.
    columns: [usize; 3],
}

impl Header {
    /// A header that can be read but for white space within its brackets: how such an id is written is not said.
    pub(super) fn with_spaces_in_its_id(grammar: &Grammar, line: &str) -> Option<Self> {
        let (before, rest) = line.split_once('[')?;
        let (id, behind) = rest.split_once(']')?;
        let mended = format!("{before}[{}]{behind}", id.replace([' ', '\t'], "_"));
        let read = grammar.line(&mended).ok()?;
        let header = read.part().filter(|part| part.rule() == "header")?;
        Some(Self { id: id.to_owned(), ..Self::read(header) })
    }

    pub(super) fn read(line: Part<'_>) -> Self {
        let mut header = Self {
            indent: Indent::of(""),
            id: String::new(),
            kind: None,
            state: String::new(),
            count: None,
            title: String::new(),
            gaps: Vec::new(),
            columns: [1; 3],
        };
        for part in line.within() {
            let (text, column) = (part.text(), part.column());
            match part.rule() {
                "indent" => header.indent = Indent::of(text),
                "id" => (header.id, header.columns[0]) = (text.to_owned(), column),
                "kind" => header.kind = Some(text.to_owned()),
                "state" => (header.state, header.columns[1]) = (text.to_owned(), column),
                "count" => header.count = Some(text.to_owned()),
                "title" => (header.title, header.columns[2]) = (text.to_owned(), column),
                "gap" => header.gaps.push((column, text.to_owned())),
                _ => {}
            }
        }
        header
    }

    /// How the line departs from the exact form: code, column and message.
    pub(super) fn departures(&self) -> Vec<(&'static str, usize, String)> {
        let [id, state, title] = self.columns;
        let mut departures = Vec::new();
        // Where the title is missing, so is the space before it.
        let gaps = &self.gaps[..self.gaps.len() - usize::from(self.title.is_empty() && !self.gaps.is_empty())];
        for (column, gap) in gaps.iter().filter(|(_, gap)| gap != " ") {
            departures.push(("spacing", *column, format!("expected one space, came {gap:?}")));
        }
        if !is_plain(&self.id) {
            let message = format!("expected letters, digits, `-` and `_` in an id, came {:?}", self.id);
            departures.push(("id-characters", id, message));
        }
        if let Some(kind) = &self.kind {
            departures.push(("type-word", id + self.id.chars().count(), format!("expected a state, came {kind:?}")));
        }
        if self.state.len() > 1 {
            departures.push(("long-state", state, format!("expected O, L, R or D, came {}", self.state)));
        }
        match self.count.as_deref() {
            Some(count) if !count.starts_with('+') => {
                departures.push(("count-spelling", state, format!("expected `+` and a number, came {count:?}")));
            }
            Some(count) if self.open() == Some(0) => {
                departures.push((
                    "zero-count",
                    state,
                    format!("expected no count where nothing is open, came {count:?}"),
                ));
            }
            Some(count) if self.open().is_none() || count.starts_with("+0") => {
                departures.push(("count-spelling", state, format!("expected a number of children, came {count:?}")));
            }
            _ => {}
        }
        if self.title.is_empty() {
            departures.push(("no-title", title, "expected a title, the line ends".to_owned()));
        }
        departures
    }

    fn open(&self) -> Option<u64> {
        let digits = self.count.as_deref()?.trim_matches(|character: char| !character.is_ascii_digit());
        digits.parse().ok()
    }

    pub(super) fn into_record(
        self,
        style: &Style,
        depth: usize,
        width: usize,
        parent: Option<String>,
        section: Option<String>,
        line: usize,
    ) -> Record {
        let (title, has_body) = match style.is_second {
            true => (self.title.clone(), false),
            false => title(&self.title),
        };
        Record {
            open: self.open(),
            state: match self.state.as_bytes().first() {
                Some(b'O') => "OPEN",
                Some(b'L') => "LATER",
                Some(b'R') => "RESOLVED",
                _ => "DISCARDED",
            },
            id: self.id,
            kind: self.kind,
            title,
            has_body,
            summary: Vec::new(),
            snippets: Vec::new(),
            hidden: None,
            depth,
            width,
            parent,
            section,
            line,
        }
    }
}

/// Letters, digits, `-` and `_`, the first a letter or a digit.
fn is_plain(id: &str) -> bool {
    id.starts_with(|first: char| first.is_ascii_alphanumeric())
        && id.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_'))
}

/// A title without the mark of a body, and whether the mark was there. Behind a backslash a mark is part of the title.
fn title(text: &str) -> (String, bool) {
    let marked = text.strip_suffix(BODY_MARK).filter(|before| before.ends_with([' ', '\t'])).map(str::trim_end);
    let title = marked.unwrap_or(text);
    match title.strip_suffix(BODY_MARK).and_then(|before| before.strip_suffix('\\')) {
        Some(before) => (format!("{before}{BODY_MARK}"), marked.is_some()),
        None => (title.to_owned(), marked.is_some()),
    }
}
