//! What legal answers of records do to lines.

use crate::contracts::{Function, NamedFunction};
use crate::model::{RawReply, Received};

pub(super) const FUNCTIONS: &[NamedFunction] = &[
    ("ascii-titles", Function::Line(ascii_titles)),
    ("break-titles", Function::Line(break_titles)),
    ("chatter", Function::Reply(chatter)),
    ("cr-lf", Function::Lines(cr_lf)),
    ("edges-last", Function::Lines(edges_last)),
    ("edges-where-seen", Function::Lines(edges_where_seen)),
    ("fold-base64", Function::Line(fold_base64)),
    ("links-first", Function::Lines(links_first)),
    ("raw-titles", Function::Line(raw_titles)),
    ("reverse-notes", Function::Lines(reverse_notes)),
    ("reverse-tags", Function::Line(reverse_tags)),
    ("summary-lines", Function::Line(summary_lines)),
];

/// A summary on several lines, three words on each.
fn summary_lines(line: &str) -> String {
    let words: Vec<&str> = line.splitn(3, ' ').collect();
    let [kind, id, text] = words[..] else { return line.to_owned() };
    let words: Vec<&str> = text.split(' ').collect();
    let lines: Vec<String> = words.chunks(3).map(|words| words.join(" ")).collect();
    format!("{kind} {id} {}", lines.join("\n"))
}

/// The tags of a note in another order.
fn reverse_tags(line: &str) -> String {
    let turned = |field: &str| match field.strip_prefix("tags=") {
        Some(tags) => format!("tags={}", tags.split(',').rev().collect::<Vec<_>>().join(",")),
        None => field.to_owned(),
    };
    line.split(' ').map(turned).collect::<Vec<_>>().join(" ")
}

/// A title of ASCII alone: other letters as JSON escapes them.
fn ascii_titles(line: &str) -> String {
    let escaped = |letter: char| match letter.is_ascii() {
        true => letter.to_string(),
        false => letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    let end = line.rfind("\" tags=").unwrap_or(line.len());
    line[..end].chars().map(escaped).collect::<String>() + &line[end..]
}

/// A title without any escape, its line breaks and control characters as spaces.
fn raw_titles(line: &str) -> String {
    in_title(line, " ")
}

/// A title without any escape, its line breaks and control characters as line feeds.
fn break_titles(line: &str) -> String {
    in_title(line, "\n")
}

/// Undoes the escapes of a title, with `breaks` for line breaks and control characters.
fn in_title(line: &str, breaks: &str) -> String {
    let Some((head, rest)) = line.split_once('"') else { return line.to_owned() };
    let Some((title, tail)) = rest.rsplit_once("\" tags=") else { return line.to_owned() };
    let mut raw = String::new();
    let mut characters = title.chars();
    while let Some(character) = characters.next() {
        match (character, if character == '\\' { characters.next() } else { None }) {
            ('\\', Some('n' | 'r' | 't')) => raw.push_str(breaks),
            ('\\', Some('u')) => {
                raw.push_str(breaks);
                characters.find(|character| *character == '}');
            }
            ('\\', Some(escaped)) => raw.push(escaped),
            _ => raw.push(character),
        }
    }
    format!("{head}\"{raw}\" tags={tail}")
}

/// Every line with CR LF, those of bodies and blank ones too.
fn cr_lf(lines: &mut Vec<String>) {
    let end = lines.pop_if(|line| line.is_empty());
    lines.iter_mut().for_each(|line| line.push('\r'));
    lines.extend(end);
}

/// All edges behind all notes, and the end of the text where it was.
fn edges_last(lines: &mut Vec<String>) {
    let (edges, mut others) = without_edges(lines);
    let end = others.pop_if(|line| line.is_empty());
    others.extend(edges);
    others.extend(end);
    *lines = others;
}

/// Each edge below the first of its two notes that is printed.
fn edges_where_seen(lines: &mut Vec<String>) {
    let (mut edges, mut others) = without_edges(lines);
    let end = others.pop_if(|line| line.is_empty());
    for block in blocks(others) {
        let id = block.first().and_then(|line| line.strip_prefix("N ")?.split(' ').next()).map(str::to_owned);
        lines.extend(block);
        let touches = |edge: &mut String| {
            let words: Vec<&str> = edge.split(' ').collect();
            id.as_deref().is_some_and(|id| [1, 3].iter().any(|at| words.get(*at) == Some(&id)))
        };
        lines.extend(edges.extract_if(.., touches));
    }
    lines.extend(end);
}

/// The notes from the last one to the first, each with the lines that follow it.
fn reverse_notes(lines: &mut Vec<String>) {
    let end = lines.pop_if(|line| line.is_empty());
    let (notes, others): (Vec<_>, Vec<_>) =
        blocks(std::mem::take(lines)).into_iter().partition(|block| block[0].starts_with("N "));
    lines.extend(others.into_iter().chain(notes.into_iter().rev()).flatten().chain(end));
}

/// The links and sources of a pack in front of its notes.
fn links_first(lines: &mut Vec<String>) {
    let (mut first, others): (Vec<String>, Vec<String>) = std::mem::take(lines)
        .into_iter()
        .partition(|line| line.starts_with("L ") || line.starts_with("S ") || line.starts_with("H "));
    first.extend(others);
    *lines = first;
}

/// Base64 on several lines of at most 76 characters.
fn fold_base64(line: &str) -> String {
    let (prefix, data) = line.split_at(2.min(line.len()));
    let parts: Vec<&str> =
        data.as_bytes().chunks(76).map(|part| std::str::from_utf8(part).unwrap_or_default()).collect();
    format!("{prefix}{}", parts.join("\n"))
}

/// A line on standard error, in an old encoding.
fn chatter(reply: &mut RawReply) {
    if let Received::Process { stderr, .. } = &mut reply.received {
        stderr.0.extend_from_slice(b"caf\xe9: 15 notes read\n");
    }
}

/// The edges, and the other lines.
fn without_edges(lines: &mut Vec<String>) -> (Vec<String>, Vec<String>) {
    std::mem::take(lines).into_iter().partition(|line| line.starts_with("E "))
}

/// The lines in front of the first note, and each note with the lines that follow it. Bodies are no records.
fn blocks(lines: Vec<String>) -> Vec<Vec<String>> {
    let (mut blocks, mut in_body): (Vec<Vec<String>>, bool) = (Vec::new(), false);
    for line in lines {
        let begins = !in_body && line.starts_with("N ");
        in_body = if in_body { line != "B-END" } else { line.starts_with("B ") };
        match blocks.last_mut() {
            Some(block) if !begins => block.push(line),
            _ => blocks.push(vec![line]),
        }
    }
    blocks
}
