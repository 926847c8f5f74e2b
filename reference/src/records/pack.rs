//! The section "Dump/pack mode prefixes": the whole store as one text, from which it can be made again.
//!
//! A pack holds the notes (`N`, their sources `S`, their bodies `C`), the links (`L`) and the attachments (`A`, their
//! bytes `D`). A link that front matter and body both state is two lines, for they are two places in the note.

use super::graph::Graph;
use super::note::Note;
use super::record::{Answer, Field, Record};
use super::refusal::Refusal;
use super::store::Store;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Answers `dump`.
pub(crate) fn answer(store: &Store) -> Result<Answer, Refusal> {
    let mut records: Vec<Record> = store.notes.iter().flat_map(note).collect();
    let links = links(store);
    let attachments = store.attachments()?;
    let header = vec![
        ("pack", Field::Number(1)),
        ("version", Field::Number(1)),
        ("store", Field::Text(store.relative.clone())),
        ("notes", Field::Number(store.notes.len())),
        ("links", Field::Number(links.len())),
        ("attachments", Field::Number(attachments.len())),
    ];
    records.extend(links);
    records.extend(attachments.into_iter().map(|attachment| Record::A {
        content_type: content_type(&attachment.name).to_owned(),
        path: attachment.path,
        name: attachment.name,
        base64: STANDARD.encode(attachment.data),
    }));
    records.push(Record::End);
    Ok(Answer { header, records, is_pack: true })
}

fn note(note: &Note) -> Vec<Record> {
    let mut records = vec![Record::packed_note(note)];
    records.extend(note.sources.iter().map(|source| Record::Source {
        id: note.id.clone(),
        url: source.url.clone(),
        title: source.title.clone(),
        accessed: source.accessed.clone(),
    }));
    if !note.body.is_empty() {
        records.push(Record::Content { base64: STANDARD.encode(&note.body) });
    }
    records
}

fn links(store: &Store) -> Vec<Record> {
    let mut links = Vec::new();
    for edge in Graph::of(store).edges {
        let stated = [(edge.typed, false), (edge.inline, true)];
        links.extend(stated.into_iter().filter(|(stated, _)| *stated).map(|(_, inline)| Record::L {
            from: store.notes[edge.from].id.clone(),
            to: store.notes[edge.to].id.clone(),
            kind: edge.kind.clone(),
            inline,
        }));
    }
    links
}

/// The media type that a file's name suggests.
fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("txt") => "text/plain",
        Some("md") => "text/markdown",
        Some("csv") => "text/csv",
        Some("html" | "htm") => "text/html",
        Some("json") => "application/json",
        Some("pdf") => "application/pdf",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("svg") => "image/svg+xml",
        Some("webp") => "image/webp",
        Some("mp3") => "audio/mpeg",
        Some("mp4") => "video/mp4",
        _ => "application/octet-stream",
    }
}
