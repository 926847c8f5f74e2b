//! A store of notes, read naively: by lines, with no YAML and no Markdown library.
//!
//! It knows only what the corpus uses, and is simple enough to be believed beside the goldens.

use std::collections::BTreeMap;
use std::fs;

/// A note as far as goldens speak of it.
#[derive(Debug, Default)]
pub(crate) struct Note {
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) tags: Vec<String>,
    /// The summary of the front matter, as it is written there.
    pub(crate) summary: String,
    /// The text behind the front matter, its line ends made LF, without line breaks at its ends.
    pub(crate) body: String,
    /// The notes that it links to, from the front matter and from the text.
    pub(crate) links: Vec<String>,
    /// The types of the links of the front matter, which are the first ones.
    pub(crate) types: Vec<String>,
}

/// Notes by id.
pub(crate) type Store = BTreeMap<String, Note>;

/// Reads `notes/` and `mocs/` of a part of the corpus.
pub(crate) fn read(part: &str) -> Store {
    let folder = testing::corpus("records").join(part).join(".qipu");
    let files = ["notes", "mocs"].iter().flat_map(|name| fs::read_dir(folder.join(name)).unwrap());
    let files = files.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "md"));
    files.map(|file| note(&fs::read_to_string(file).unwrap())).collect()
}

/// The id and the note of a file.
fn note(text: &str) -> (String, Note) {
    let text = text.replace("\r\n", "\n");
    let front_and_body = text.strip_prefix("---\n").unwrap();
    let (front, body) = front_and_body.split_once("\n---\n").unwrap();
    let mut note = Note { body: body.trim_matches('\n').to_owned(), ..Note::default() };
    let (mut id, mut key) = (String::new(), "");
    for line in front.lines() {
        if !line.starts_with(' ') {
            let (name, value) = line.split_once(':').unwrap();
            key = name;
            match key {
                "id" => id = scalar(value),
                "title" => note.title = scalar(value),
                "type" => note.kind = scalar(value),
                "summary" => note.summary = scalar(value),
                _ => {}
            }
        } else if key == "tags" {
            note.tags.push(scalar(line.trim().strip_prefix("- ").unwrap()));
        } else if let ("links", Some(target)) = (key, line.trim().strip_prefix("id: ")) {
            note.links.push(scalar(target));
        } else if let ("links", Some(kind)) = (key, line.trim().strip_prefix("- type: ")) {
            note.types.push(scalar(kind));
        }
    }
    let inline = note.body.split("[[").skip(1).filter_map(|rest| rest.split_once("]]"));
    note.links.extend(inline.map(|(target, _)| target.split('|').next().unwrap().to_owned()));
    (id, note)
}

/// A plain scalar, or one in double quotes: YAML's escapes are JSON's and `\x`, which is JSON's `\u00`.
fn scalar(written: &str) -> String {
    let written = written.trim();
    if !written.starts_with('"') {
        return written.to_owned();
    }
    let pairs: Vec<&str> = written.split(r"\\").collect();
    let json = pairs.iter().map(|part| part.replace(r"\x", r"\u00")).collect::<Vec<_>>().join(r"\\");
    serde_json::from_str(&json).unwrap()
}

impl Note {
    /// The first there is of: front matter, the first paragraph under `## Summary`, the first paragraph; white space as
    /// single spaces.
    pub(crate) fn summary(&self) -> Option<String> {
        let blocks = blocks(&self.body);
        let in_section = blocks.iter().position(|block| block == "## Summary");
        let in_section = in_section.and_then(|at| blocks.get(at + 1)).filter(|block| is_paragraph(block));
        let candidates = [Some(&self.summary), in_section, blocks.iter().find(|block| is_paragraph(block))];
        let words = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        candidates.into_iter().flatten().map(words).find(|text| !text.is_empty())
    }
}

fn is_paragraph(block: &str) -> bool {
    !block.starts_with('#') && !block.trim().is_empty()
}

/// The headings and paragraphs of a text, in order; what stands between fences is left out.
fn blocks(body: &str) -> Vec<String> {
    let (mut blocks, mut open, mut fence) = (Vec::new(), false, "");
    for line in body.lines() {
        let mark = ["````", "```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        if !fence.is_empty() {
            fence = if mark == Some(fence) { "" } else { fence };
        } else if let Some(mark) = mark {
            (fence, open) = (mark, false);
        } else if line.starts_with('#') {
            blocks.push(line.to_owned());
            open = false;
        } else if line.trim().is_empty() {
            open = false;
        } else if let Some(last) = blocks.last_mut().filter(|_| open) {
            last.push('\n');
            last.push_str(line);
        } else {
            blocks.push(line.to_owned());
            open = true;
        }
    }
    blocks
}
