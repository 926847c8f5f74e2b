//! What legal answers of outline do to lines and results.

use crate::contracts::{Function, NamedFunction};
use serde_json::{Map, Value, json};

pub(super) const FUNCTIONS: &[NamedFunction] = &[
    ("bold-titles", Function::Lines(bold_titles)),
    ("broken-summaries", Function::Lines(|lines| each_summary(lines, &broken))),
    ("closed-without-summaries", Function::Lines(closed_without_summaries)),
    ("collapsed", Function::Lines(collapsed)),
    ("cut-summaries", Function::Lines(|lines| each_summary(lines, &cut))),
    ("deeper-continuations", Function::Lines(|lines| each_summary(lines, &|summary| deeper(summary)))),
    ("first-summary-lines", Function::Lines(|lines| each_summary(lines, &first))),
    ("ids-without-hyphens", Function::Line(without_hyphens)),
    ("joined-summaries", Function::Lines(|lines| each_summary(lines, &joined))),
    ("long-states", Function::Line(long_states)),
    ("outline-as-references", Function::Value(as_references)),
    ("sections-reversed", Function::Lines(reversed)),
    ("summary-placeholders", Function::Lines(placeholders)),
    ("text-as-structure", Function::Value(text_as_structure)),
    ("three-texts", Function::Lines(three_texts)),
    ("two-blocks", Function::Value(two_blocks)),
    ("without-root", Function::Lines(without_root)),
];

/// What stands for a summary that is blank.
const PLACEHOLDER: &str = "(no summary)";

/// How much of a summary is left where it is cut.
const SHORT: usize = 30;

/// The state of a header as a word.
fn long_states(line: &str) -> String {
    let words = [("(O", "(OPEN"), ("(L", "(LATER"), ("(R", "(RESOLVED"), ("(D", "(DISCARDED")];
    let Some(at) = line.find("] (") else { return line.to_owned() };
    let (head, state) = line.split_at(at + 2);
    let word = words.iter().find_map(|(short, long)| Some(format!("{head}{long}{}", state.strip_prefix(short)?)));
    word.unwrap_or_else(|| line.to_owned())
}

/// An id of letters and digits alone.
fn without_hyphens(line: &str) -> String {
    match line.split_once(']') {
        Some((id, rest)) => format!("{}]{rest}", id.replace(['-', '_'], "")),
        None => line.to_owned(),
    }
}

/// A record: its header, and the lines that belong to it.
struct Block {
    header: String,
    summary: Vec<String>,
    /// Snippets and blank lines.
    rest: Vec<String>,
}

/// The lines in front of the first header, and the records. A heading belongs to the record above it.
fn blocks(lines: Vec<String>) -> (Vec<String>, Vec<Block>) {
    let (mut front, mut blocks): (Vec<String>, Vec<Block>) = (Vec::new(), Vec::new());
    for line in lines {
        let bare = line.trim_start();
        match blocks.last_mut() {
            _ if is_header(&line) => blocks.push(Block { header: line, summary: Vec::new(), rest: Vec::new() }),
            Some(block) if block.rest.is_empty() && bare.len() < line.len() && !bare.starts_with('>') => {
                block.summary.push(line);
            }
            Some(block) => block.rest.push(line),
            None => front.push(line),
        }
    }
    (front, blocks)
}

fn put_back(lines: &mut Vec<String>, front: Vec<String>, blocks: Vec<Block>) {
    lines.extend(front);
    for block in blocks {
        lines.push(block.header);
        lines.extend(block.summary);
        lines.extend(block.rest);
    }
}

/// Text that imitates a header has a backslash in front.
fn is_header(line: &str) -> bool {
    line.trim_start().starts_with('[')
}

fn each_summary(lines: &mut Vec<String>, change: &dyn Fn(&mut Vec<String>)) {
    let (front, mut blocks) = blocks(std::mem::take(lines));
    blocks.iter_mut().for_each(|block| change(&mut block.summary));
    put_back(lines, front, blocks);
}

/// The first line alone.
fn first(summary: &mut Vec<String>) {
    summary.truncate(1);
}

/// All lines as one.
fn joined(summary: &mut Vec<String>) {
    let Some((head, more)) = summary.split_first() else { return };
    let words = more.iter().map(|line| line.trim_start());
    *summary = vec![std::iter::once(head.as_str()).chain(words).collect::<Vec<_>>().join(" ")];
}

/// Every line behind the first one indented by three more spaces.
fn deeper(summary: &mut [String]) {
    summary.iter_mut().skip(1).for_each(|line| line.insert_str(0, "   "));
}

/// Every line broken in the middle of a word where it is long.
fn broken(summary: &mut Vec<String>) {
    let lines = std::mem::take(summary);
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        let letters: Vec<char> = line.chars().collect();
        let is_inside = |at: &usize| letters[at - 1..=*at].iter().all(|letter| letter.is_alphanumeric());
        match (indent + SHORT..letters.len()).find(is_inside) {
            Some(at) => {
                let (start, end): (String, String) = (letters[..at].iter().collect(), letters[at..].iter().collect());
                summary.extend([start, format!("{:indent$}{end}", "")]);
            }
            None => summary.push(line),
        }
    }
}

/// The beginning of the first line, with a mark that is one character.
fn cut(summary: &mut Vec<String>) {
    let Some(line) = summary.first() else { return };
    let indent = line.len() - line.trim_start().len();
    if line.chars().count() > indent + SHORT {
        let kept: String = line.chars().take(indent + SHORT).collect();
        *summary = vec![format!("{} …", kept.trim_end())];
    }
}

/// Words in place of a summary that is blank, and the blank line that follows a summary.
fn placeholders(lines: &mut Vec<String>) {
    let (front, mut blocks) = blocks(std::mem::take(lines));
    let last = blocks.len().saturating_sub(1);
    for (at, block) in blocks.iter_mut().enumerate().filter(|(_, block)| block.summary.is_empty()) {
        let indent = block.header.len() - block.header.trim_start().len() + 2;
        block.summary.push(format!("{:indent$}{PLACEHOLDER}", ""));
        if block.rest.is_empty() && at < last {
            block.rest.push(String::new());
        }
    }
    put_back(lines, front, blocks);
}

/// Records that are resolved or discarded without their summaries, and without the blank line behind them.
fn closed_without_summaries(lines: &mut Vec<String>) {
    let (front, mut blocks) = blocks(std::mem::take(lines));
    let last = blocks.len().saturating_sub(1);
    for (at, block) in blocks.iter_mut().enumerate() {
        let is_closed = ["] (R", "] (D"].iter().any(|state| block.header.contains(state));
        if is_closed && !block.summary.is_empty() {
            block.summary.clear();
            if block.rest == [""] && at < last {
                block.rest.clear();
            }
        }
    }
    put_back(lines, front, blocks);
}

/// The two upper levels alone. What has children below them says how many, and dots stand for its summary.
fn collapsed(lines: &mut Vec<String>) {
    let (front, all) = blocks(std::mem::take(lines));
    let depth = |block: &Block| (block.header.len() - block.header.trim_start().len()) / 2;
    let mut kept: Vec<(Block, usize)> = Vec::new();
    for block in all {
        match (depth(&block), kept.last_mut()) {
            (2, Some((_, hidden))) => *hidden += 1,
            (3.., _) => {}
            _ => kept.push((block, 0)),
        }
    }
    let last = kept.len().saturating_sub(1);
    let mut blocks = Vec::new();
    for (at, (mut block, hidden)) in kept.into_iter().enumerate() {
        if hidden > 0 {
            let indent = 2 * depth(&block) + 2;
            block.summary = vec![format!("{:indent$}...", ""), format!("{:indent$}[+{hidden} children]", "")];
        }
        if (hidden > 0 || at == last) && block.rest.is_empty() {
            block.rest.push(String::new());
        }
        blocks.push(block);
    }
    put_back(lines, front, blocks);
}

/// The match of a snippet in bold in the title too.
fn bold_titles(lines: &mut Vec<String>) {
    let (front, mut blocks) = blocks(std::mem::take(lines));
    for block in &mut blocks {
        let found = block.rest.iter().find_map(|line| line.split("**").nth(1).map(str::to_owned));
        if let (Some(found), Some((head, title))) = (found, block.header.split_once(") ")) {
            block.header = format!("{head}) {}", title.replace(&found, &format!("**{found}**")));
        }
    }
    put_back(lines, front, blocks);
}

/// The sections of an overview, each with its heading, and without the blank line that parts it from the next one.
fn sections(lines: Vec<String>) -> Vec<Vec<String>> {
    let mut sections: Vec<Vec<String>> = Vec::new();
    for line in lines {
        match sections.last_mut() {
            Some(section) if !line.starts_with('#') => section.push(line),
            _ => sections.push(vec![line]),
        }
    }
    for section in &mut sections {
        section.pop_if(|line| line.is_empty());
    }
    sections
}

/// Sections with one blank line between them, and a line end behind the last one.
fn in_one(sections: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    sections.flat_map(|section| section.into_iter().chain([String::new()])).collect()
}

/// The sections from the last one to the first.
fn reversed(lines: &mut Vec<String>) {
    *lines = in_one(sections(std::mem::take(lines)).into_iter().rev());
}

/// The sections but for the first one, which is that of the roots.
fn without_root(lines: &mut Vec<String>) {
    *lines = in_one(sections(std::mem::take(lines)).into_iter().skip(1));
}

/// An object with a text for each section, under the names of the document.
fn three_texts(lines: &mut Vec<String>) {
    let mut parts = Map::new();
    for section in sections(std::mem::take(lines)) {
        if let Some((heading, records)) = section.split_first() {
            let name = heading.trim_start_matches('#').trim_start().to_lowercase();
            let name = name.split(' ').next().unwrap_or_default();
            let records = &records[usize::from(records.first().is_some_and(String::is_empty))..];
            parts.insert(format!("{name}_records"), format!("{}\n", records.join("\n")).into());
        }
    }
    lines.push(Value::Object(parts).to_string());
}

/// An outline as objects with an id and a title.
fn as_references(outline: &mut Value) {
    let lines = outline.as_str().unwrap_or_default().lines().filter(|line| is_header(line));
    let parts = lines.filter_map(|line| line.trim_start().strip_prefix('[')?.split_once(']'));
    let title = |rest: &str| Some(rest.split_once(") ")?.1.trim_end_matches(" [+body]").to_owned());
    *outline = parts.map(|(id, rest)| json!({ "id": id, "title": title(rest) })).collect();
}

/// The text of a result in two blocks, parted behind the line in its middle.
fn two_blocks(result: &mut Value) {
    let Some(text) = result["content"][0]["text"].as_str() else { return };
    let middle = text.lines().count() / 2;
    let at: usize = text.split_inclusive('\n').take(middle).map(str::len).sum();
    let (first, second) = text.split_at(at);
    result["content"] = json!([{ "type": "text", "text": first }, { "type": "text", "text": second }]);
}

/// The text of a result again as structured content, as a library wraps it.
fn text_as_structure(result: &mut Value) {
    let text = result["content"][0]["text"].clone();
    if let (true, Some(result)) = (text.is_string(), result.as_object_mut()) {
        result.insert("structuredContent".to_owned(), json!({ "result": text }));
    }
}
