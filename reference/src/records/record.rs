//! The section "Record types": everything that an answer can say, as values.
//!
//! The three forms of an answer are three ways to write these values down; JSON is the plainest, so it stands here.

use super::note::{Note, timestamp};
use super::summary::summary;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A whole answer before the budget.
pub(crate) struct Answer {
    /// The keys of the header line, in order.
    pub(crate) header: Vec<(&'static str, Field)>,
    /// Everything after the header line, in order.
    pub(crate) records: Vec<Record>,
    /// Whether this is a pack, which has a header of its own.
    pub(crate) is_pack: bool,
}

/// A value in the header.
pub(crate) enum Field {
    Text(String),
    Number(usize),
    Flag(bool),
    /// How many notes are printed, which the budget decides.
    NotesPrinted,
    /// Whether the budget left something out.
    Truncated,
}

/// One record; the letter that it is printed with stands first.
#[derive(Clone, Serialize)]
#[serde(tag = "record")]
pub(crate) enum Record {
    /// A note's metadata.
    N(NoteLine),
    /// A note's summary.
    S {
        /// The note.
        id: String,
        /// One line.
        text: String,
    },
    /// A note's body, with its end marker.
    B {
        /// The note.
        id: String,
        /// The raw Markdown.
        text: String,
    },
    /// A link between notes.
    E {
        /// Where it starts.
        from: String,
        /// What it means.
        #[serde(rename = "type")]
        kind: String,
        /// Where it leads.
        to: String,
        /// Whether the front matter states it.
        typed: bool,
        /// Whether the body states it.
        inline: bool,
    },
    /// A warning to the reader.
    W {
        /// One line.
        text: String,
    },
    /// A detail, in free words.
    D {
        /// One line.
        text: String,
    },
    /// A command that the reader can give.
    C {
        /// The name, with dots for spaces.
        name: String,
        /// What it does.
        about: String,
    },
    /// A map of content.
    M { id: String, title: String, tags: Vec<String> },
    /// Pack: a bibliographic reference of a note, printed as `S`.
    Source {
        /// The note.
        id: String,
        /// Where it can be found.
        url: String,
        /// What it is called.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// When it was read.
        #[serde(skip_serializing_if = "Option::is_none")]
        accessed: Option<String>,
    },
    /// Pack: the body of the note before it, printed as `C` and `C-END`.
    Content {
        /// The raw Markdown.
        base64: String,
    },
    /// Pack: a link by one of its two sources.
    L {
        /// Where it starts.
        from: String,
        /// Where it leads.
        to: String,
        /// What it means.
        #[serde(rename = "type")]
        kind: String,
        /// Whether the body states it; otherwise the front matter does.
        inline: bool,
    },
    /// Pack: an attachment and its bytes, printed as `A`, `D` and `D-END`.
    A {
        /// The path from the store's parent.
        path: String,
        name: String,
        content_type: String,
        /// Its bytes.
        base64: String,
    },
    /// Pack: nothing follows.
    #[serde(rename = "END")]
    End,
}

/// What an `N` line says.
#[derive(Clone, Serialize)]
pub(crate) struct NoteLine {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) tags: Vec<String>,
    /// When the note was made; only in a pack, like the fields after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created: Option<String>,
    /// When it was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated: Option<String>,
    /// The summary of the front matter, as it stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<String>,
}

impl Record {
    /// The `N` line of a note.
    pub(crate) fn note(note: &Note) -> Record {
        Record::N(note_line(note))
    }

    /// The `N` line of a note in a pack, which holds what no other line of the pack does.
    pub(crate) fn packed_note(note: &Note) -> Record {
        Record::N(NoteLine {
            created: note.created.as_ref().map(timestamp),
            updated: note.updated.as_ref().map(timestamp),
            summary: note.summary.clone(),
            ..note_line(note)
        })
    }

    /// The `S` line of a note, unless it has no summary.
    pub(crate) fn summary(note: &Note) -> Option<Record> {
        let text = summary(note);
        (!text.is_empty()).then(|| Record::S { id: note.id.clone(), text })
    }
}

/// The first keys of every header but a pack's.
pub(crate) fn header(store: &str, mode: &str) -> Vec<(&'static str, Field)> {
    vec![
        ("qipu", Field::Number(1)),
        ("records", Field::Number(1)),
        ("store", Field::Text(store.to_owned())),
        ("mode", Field::Text(mode.to_owned())),
    ]
}

/// The header of an answer of which only `printed` is printed.
pub(crate) fn resolve(answer: &Answer, printed: &[Record]) -> Map<String, Value> {
    let value = |field: &Field| match field {
        Field::Text(text) => json!(text),
        Field::Number(number) => json!(number),
        Field::Flag(flag) => json!(flag),
        Field::NotesPrinted => json!(printed.iter().filter(|record| matches!(record, Record::N(_))).count()),
        Field::Truncated => json!(printed.len() < answer.records.len()),
    };
    answer.header.iter().map(|(key, field)| ((*key).to_owned(), value(field))).collect()
}

/// The JSON form of the first `count` records, on one line.
pub(crate) fn json(answer: &Answer, count: usize) -> String {
    let printed = &answer.records[..count];
    format!("{}\n", json!({ "header": resolve(answer, printed), "records": printed }))
}

fn note_line(note: &Note) -> NoteLine {
    NoteLine {
        id: note.id.clone(),
        kind: note.kind.clone(),
        title: note.title.clone(),
        tags: note.tags.clone(),
        created: None,
        updated: None,
        summary: None,
    }
}
