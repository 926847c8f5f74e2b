//! Edits of the lines of a text.

use regex::Regex;

/// What is done to each line that matches.
#[derive(Debug, Clone)]
pub(super) enum LineEdit {
    Rename {
        from: String,
        to: String,
    },
    Remove,
    /// Without a pattern, what the place of the edit matches is replaced.
    Replace {
        pattern: Option<Regex>,
        with: String,
    },
    Add {
        line: String,
        first: bool,
    },
    Map(fn(&str) -> String),
    /// All lines at once, where one of them matches.
    MapAll(fn(&mut Vec<String>)),
}

/// Edits the lines that match.
pub(super) fn edit(lines: &mut Vec<String>, at: &Regex, edit: &LineEdit) {
    if let LineEdit::MapAll(function) = edit {
        if lines.iter().any(|line| at.is_match(line)) {
            function(lines);
        }
        return;
    }
    let mut fresh = Vec::with_capacity(lines.len());
    for line in std::mem::take(lines) {
        if !at.is_match(&line) {
            fresh.push(line);
            continue;
        }
        match edit {
            LineEdit::Rename { from, to } => fresh.push(line.replace(from, to)),
            LineEdit::Remove => {}
            LineEdit::Replace { pattern, with } => {
                fresh.push(pattern.as_ref().unwrap_or(at).replace_all(&line, with.as_str()).into_owned());
            }
            LineEdit::Add { line: added, first } => {
                let mut expanded = String::new();
                if let Some(groups) = at.captures(&line) {
                    groups.expand(added, &mut expanded);
                }
                let pair = if *first { [expanded, line] } else { [line, expanded] };
                fresh.extend(pair);
            }
            LineEdit::Map(function) => fresh.push(function(&line)),
            LineEdit::MapAll(_) => fresh.push(line),
        }
    }
    *lines = fresh;
}
