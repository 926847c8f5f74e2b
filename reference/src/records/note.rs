//! One note: YAML front matter between two `---` lines, then a Markdown body.
//!
//! A value that is unquoted in a record (an id, the type of a note or link) must be one word, or one note could forge the
//! record of another; a note that breaks this is refused when it is read.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Deserialize;

/// A note as its file says it.
pub(crate) struct Note {
    /// The id, one word.
    pub(crate) id: String,
    pub(crate) title: String,
    /// The type, one word; `fleeting` where the front matter names none.
    pub(crate) kind: String,
    /// When the note was made.
    pub(crate) created: Option<DateTime<Utc>>,
    /// When it was last changed.
    pub(crate) updated: Option<DateTime<Utc>>,
    pub(crate) tags: Vec<String>,
    /// The summary of the front matter, which may be blank.
    pub(crate) summary: Option<String>,
    /// The sources of the note's content.
    pub(crate) sources: Vec<Source>,
    /// The typed links of the front matter, in the order of the file.
    pub(crate) links: Vec<TypedLink>,
    /// The body as written in the file, without the empty lines between it and the front matter.
    pub(crate) body: String,
}

/// A bibliographic reference.
#[derive(Deserialize)]
pub(crate) struct Source {
    /// Where it can be found.
    pub(crate) url: String,
    /// What it is called.
    pub(crate) title: Option<String>,
    /// When it was read, as the note writes it.
    pub(crate) accessed: Option<String>,
}

/// A link of the front matter.
#[derive(Deserialize)]
pub(crate) struct TypedLink {
    /// What the link means, one word.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The id of the note that it leads to.
    pub(crate) id: String,
}

/// The keys that matter here; qipu knows more, and lets a note carry its own.
#[derive(Deserialize)]
struct FrontMatter {
    id: String,
    title: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    created: Option<DateTime<Utc>>,
    updated: Option<DateTime<Utc>>,
    tags: Option<Vec<String>>,
    summary: Option<String>,
    sources: Option<Vec<Source>>,
    links: Option<Vec<TypedLink>>,
}

/// The type of a map of content.
const MAP: &str = "moc";

/// The type of a note that names none.
const DEFAULT_KIND: &str = "fleeting";

impl Note {
    /// Reads a note from the bytes of its file, or returns the problem in one line.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Note, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| format!("not UTF-8: {error}"))?;
        let (yaml, body) = split(text)?;
        let front: FrontMatter = serde_saphyr::from_str(yaml).map_err(|error| first_line(&error.to_string()))?;
        let note = Note {
            id: word("id", front.id)?,
            title: front.title,
            kind: word("type", front.kind.unwrap_or_else(|| DEFAULT_KIND.to_owned()))?,
            created: front.created,
            updated: front.updated,
            tags: front.tags.unwrap_or_default(),
            summary: front.summary,
            sources: front.sources.unwrap_or_default(),
            links: front.links.unwrap_or_default(),
            body: body.to_owned(),
        };
        if note.title.trim().is_empty() {
            return Err("the title is blank".to_owned());
        }
        for link in &note.links {
            word("type of a link", link.kind.clone())?;
        }
        Ok(note)
    }

    /// Whether the note is a map of content.
    pub(crate) fn is_map(&self) -> bool {
        self.kind == MAP
    }

    /// What notes are ordered by: creation time, then id, the undated last.
    pub(crate) fn age(&self) -> (bool, Option<DateTime<Utc>>, &str) {
        (self.created.is_none(), self.created, &self.id)
    }
}

/// A time as RFC 3339 in UTC, with as many digits of the second as it needs.
pub(crate) fn timestamp(time: &DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Parts front matter and body; lines may end in LF or CRLF.
///
/// The opening line stays with the front matter, where YAML allows it, so that problems name the line of the file.
fn split(text: &str) -> Result<(&str, &str), String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut lines = text.split_inclusive('\n');
    let opening = lines.next().unwrap_or_default();
    if opening.trim_end() != "---" {
        return Err("no front matter: the first line is not `---`".to_owned());
    }
    let mut end = opening.len();
    for line in lines {
        let after = end + line.len();
        if line.trim_end() == "---" {
            return Ok((&text[..end], text[after..].trim_start_matches(['\r', '\n'])));
        }
        end = after;
    }
    Err("the front matter is not closed by a line `---`".to_owned())
}

fn word(what: &str, text: String) -> Result<String, String> {
    let breaks_a_record = |c: char| c.is_whitespace() || c.is_control() || c == '"';
    if text.is_empty() || text.contains(breaks_a_record) {
        return Err(format!("the {what} {text:?} is not one word"));
    }
    Ok(text)
}

fn first_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or("unreadable front matter");
    line.trim_start_matches("error: ").to_owned()
}
