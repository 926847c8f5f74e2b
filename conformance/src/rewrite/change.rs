//! What a legal answer says → an edit, or what is wrong with its words.

use super::lines::LineEdit;
use super::received::{Opened, Root};
use super::values::{Condition, Place, ValueEdit};
use super::{answer, lines, received, values};
use crate::contracts::{self, Function};
use crate::model::{AnswerStatus, At, Change, LinesAt, RawReply, Rewrite, SplitAt, When};
use crate::path::ValuePath;
use crate::text::suggest;
use crate::text::typed::Misread;
use jsonschema::{Draft, PatternOptions};
use regex::Regex;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// An edit of a reply.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    Values { place: Place, edit: ValueEdit },
    Lines { at: Regex, edit: LineEdit },
    Split(SplitAt),
    Answer { only: Option<Only>, status: AnswerStatus, body: Value },
    Reply(ReplyFunction),
}

/// What must be found in a reply before another answer is given.
#[derive(Debug, Clone)]
pub(super) enum Only {
    Values(Place),
    Lines(Regex),
}

#[derive(Clone, Copy)]
pub(super) struct ReplyFunction(fn(&mut RawReply));

impl fmt::Debug for ReplyFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReplyFunction")
    }
}

impl Edit {
    /// Reads a change.
    pub(super) fn read(rewrite: &Rewrite) -> Result<Self, Misread> {
        let when = rewrite.when.as_ref().map(condition).transpose()?;
        let (at, edit) = match &rewrite.change {
            Change::SplitText { at } => return Ok(Self::Split(*at)),
            Change::Answer { at, status, body } => {
                let only = match (at, when) {
                    (Some(At::Lines(lines)), _) => Some(Only::Lines(pattern(&lines.lines, "/at/lines")?)),
                    (Some(At::Path(path)), when) => Some(Only::Values(place(path, when)?)),
                    (None, Some(when)) => Some(Only::Values(place("$", Some(when))?)),
                    (None, None) => None,
                };
                return Ok(Self::Answer { only, status: *status, body: body.clone() });
            }
            Change::Map { at, with } => return Self::map(at, with, when),
            Change::Rename { at, from, to } => (
                at,
                Both::of(ValueEdit::rename(from, to), Some(LineEdit::Rename { from: from.clone(), to: to.clone() })),
            ),
            Change::Remove { at } => (at, Both::of(ValueEdit::Remove, Some(LineEdit::Remove))),
            Change::Replace { at, pattern: inner, value } => {
                let inner = inner.as_deref().map(|text| pattern(text, "/pattern")).transpose()?;
                let line =
                    value.as_str().map(|with| LineEdit::Replace { pattern: inner.clone(), with: with.to_owned() });
                (at, Both::of(ValueEdit::Replace { pattern: inner, value: value.clone() }, line))
            }
            Change::Wrap { at, under } => (at, Both::of(ValueEdit::Wrap(under.clone()), None)),
            Change::Unwrap { at, key } => (at, Both::of(ValueEdit::Unwrap(key.clone()), None)),
            Change::Add { at, key, value, first } => {
                let line = value.as_str().filter(|_| key.is_none());
                let line = line.map(|line| LineEdit::Add { line: line.to_owned(), first: *first });
                (at, Both::of(ValueEdit::Add { key: key.clone(), value: value.clone(), first: *first }, line))
            }
        };
        match (at, edit.line) {
            (At::Path(path), _) => Ok(Self::Values { place: place(path, when)?, edit: edit.value }),
            (At::Lines(_), _) if when.is_some() => Err(wrong("/when", "lines are chosen by `at` alone")),
            (At::Lines(at), Some(edit)) => Ok(Self::Lines { at: pattern(&at.lines, "/at/lines")?, edit }),
            (At::Lines(_), None) => {
                Err(wrong("/at", "this change takes values of JSON, not lines, or its value is not text"))
            }
        }
    }

    fn map(at: &At, with: &str, when: Option<Condition>) -> Result<Self, Misread> {
        let Some(function) = contracts::function(with) else {
            let hint = suggest::hint(with, contracts::function_names().collect::<Vec<_>>());
            return Err(wrong("/with", format!("unknown function `{with}`{hint}")));
        };
        match (at, function) {
            (At::Path(path), Function::Reply(function)) if path == "$reply" => Ok(Self::Reply(ReplyFunction(function))),
            (At::Path(path), Function::Value(function)) => {
                Ok(Self::Values { place: place(path, when)?, edit: ValueEdit::Map(function) })
            }
            (At::Lines(LinesAt { lines }), Function::Line(function)) => {
                Ok(Self::Lines { at: pattern(lines, "/at/lines")?, edit: LineEdit::Map(function) })
            }
            (At::Lines(LinesAt { lines }), Function::Lines(function)) => {
                Ok(Self::Lines { at: pattern(lines, "/at/lines")?, edit: LineEdit::MapAll(function) })
            }
            (_, Function::Reply(_)) => {
                Err(wrong("/at", format!("`{with}` changes a whole reply, whose place is `$reply`")))
            }
            (_, Function::Value(_)) => Err(wrong("/at", format!("`{with}` changes values of JSON, not lines"))),
            (_, Function::Line(_) | Function::Lines(_)) => {
                Err(wrong("/at", format!("`{with}` changes lines: {{\"lines\": \"…\"}}")))
            }
        }
    }

    /// Makes the edit in a reply.
    fn make(&self, reply: &mut RawReply, opened: &Opened) {
        match self {
            Self::Values { place, .. } => {
                received::each_value(&mut reply.received, opened, place.root, &mut |value| self.make_in(value));
            }
            Self::Lines { at, edit } => {
                received::each_text(&mut reply.received, &mut |all| lines::edit(all, at, edit));
            }
            Self::Split(at) => received::split(&mut reply.received, *at),
            Self::Answer { only, status, body } => {
                if only.as_ref().is_none_or(|only| only.is_in(reply, opened)) {
                    answer::give(reply, *status, body);
                }
            }
            Self::Reply(function) => (function.0)(reply),
        }
    }

    /// Makes the edit in a value, such as a list of tools that no reply holds; whether there is anything to edit.
    pub(super) fn make_in(&self, value: &mut Value) -> bool {
        match self {
            Self::Values { place, edit } => values::edit(value, place, edit),
            _ => false,
        }
    }

    /// Where the values are that it edits, if it edits values.
    fn root(&self) -> Option<Root> {
        match self {
            Self::Values { place, .. } => Some(place.root),
            _ => None,
        }
    }
}

/// Makes edits in a reply, in their order. It is opened once for those in a row that edit the same values; `opened` is the reply
/// before the first of them.
pub(super) fn make_all(edits: &[&Edit], reply: &mut RawReply, opened: &Opened) {
    let in_a_row = edits.chunk_by(|one, next| one.root().is_some() && one.root() == next.root());
    for (at, alike) in in_a_row.enumerate() {
        let fresh = Opened::default();
        let opened = if at == 0 { opened } else { &fresh };
        match alike {
            [Edit::Values { place, .. }, _, ..] => {
                received::each_value(&mut reply.received, opened, place.root, &mut |value| {
                    let mut is_there = false;
                    for edit in alike {
                        is_there |= edit.make_in(value);
                    }
                    is_there
                });
            }
            others => others.iter().for_each(|edit| edit.make(reply, opened)),
        }
    }
}

impl Only {
    fn is_in(&self, reply: &RawReply, opened: &Opened) -> bool {
        let (mut looked, mut found) = (reply.received.clone(), false);
        match self {
            Self::Values(place) => {
                received::each_value(&mut looked, opened, place.root, &mut |value| {
                    found |= !values::found(value, place).is_empty();
                    false
                });
            }
            Self::Lines(at) => {
                received::each_text(&mut looked, &mut |lines| found |= lines.iter().any(|line| at.is_match(line)));
            }
        }
        found
    }
}

/// The edits of values and of lines that one word stands for.
struct Both {
    value: ValueEdit,
    line: Option<LineEdit>,
}

impl Both {
    fn of(value: ValueEdit, line: Option<LineEdit>) -> Self {
        Self { value, line }
    }
}

fn place(path: &str, when: Option<Condition>) -> Result<Place, Misread> {
    let (root, path) = match path.strip_prefix("$result") {
        Some(rest) => (Root::Result, format!("${rest}")),
        None => (Root::Meant, path.to_owned()),
    };
    let path = ValuePath::parse(&path).map_err(|why| wrong("/at", why))?;
    Ok(Place { root, path, when })
}

fn condition(when: &When) -> Result<Condition, Misread> {
    Ok(match when {
        When::Equals(equal) => Condition::Equals(equal.equals.clone()),
        When::Value(value) => Condition::Equals(value.clone()),
        When::Matches(matching) => Condition::Matches(pattern(&matching.matches, "/when/matches")?),
        When::Valid(valid) => Condition::Valid(validator(&valid.valid, "/when/valid")?),
    })
}

fn pattern(text: &str, at: &str) -> Result<Regex, Misread> {
    Regex::new(text).map_err(|error| wrong(at, format!("is no regular expression: {error}")))
}

pub(super) fn validator(schema: &Value, at: &str) -> Result<Arc<jsonschema::Validator>, Misread> {
    let options = jsonschema::options().with_draft(Draft::Draft202012).offline();
    let built = options.with_pattern_options(PatternOptions::regex()).build(schema);
    built.map(Arc::new).map_err(|error| wrong(at, format!("the schema does not compile: {error}")))
}

fn wrong(at: &str, message: impl Into<String>) -> Misread {
    Misread { at: at.to_owned(), message: message.into() }
}
