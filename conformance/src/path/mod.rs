//! Paths into evidence: `$[step][exchange]` and what follows, so that a missing answer is told from a wrong one.

mod functions;
mod pick;
mod places;
mod query;
mod top;
mod witness;

pub(crate) use pick::{PICKS, Picker, Picking, pick_in, picks};
pub(crate) use places::{Footprint, Key, Places, places};
pub(crate) use witness::{Part, field, part, rare_words, texts, words_of};

use crate::text::pointer;
use query::Query;
use serde_json::Value;

/// A JSONPath in two parts: which exchanges, and what inside each of them.
#[derive(Debug, Clone)]
pub(crate) struct EvidencePath {
    /// As it stands in the case.
    pub(crate) text: String,
    exchanges: Query,
    inside: Query,
    /// What an exchange must have for the path to make sense.
    pub(crate) reach: Reach,
    /// Whether the path ends at the exchanges themselves.
    pub(crate) whole_exchange: bool,
}

/// What an exchange must have for a path into it to make sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Nothing: `status`, `request`, `raw`.
    Exchange,
    /// A reply of the target, be it a refusal: `answer`.
    Reply,
    /// What a call owes, be it the words of a refusal that is expected: `answer.body`, `answer.result`.
    Due,
    /// The form of an accepted answer: `problems`.
    Form,
    /// What an accepted answer says: `items`, `lines`, `parsed`.
    Answer,
}

impl Reach {
    /// Whether it takes an answer that can be read.
    pub(crate) fn is_of_content(self) -> bool {
        matches!(self, Self::Due | Self::Answer)
    }
}

/// An exchange and where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExchangeAt<'e> {
    pub(crate) step: usize,
    pub(crate) index: usize,
    pub(crate) value: &'e Value,
}

/// A value and its JSON Pointer in the evidence.
#[derive(Debug, Clone)]
pub(crate) struct Located<'e> {
    pub(crate) pointer: String,
    pub(crate) value: &'e Value,
}

impl Located<'_> {
    /// Whether both are in the same exchange.
    pub(crate) fn is_beside(&self, other: &Located<'_>) -> bool {
        pointer::exchange(&self.pointer) == pointer::exchange(&other.pointer)
    }
}

/// Every exchange of evidence, step by step.
pub(crate) fn exchanges(evidence: &Value) -> impl Iterator<Item = ExchangeAt<'_>> {
    let steps = evidence.as_array().map_or(&[][..], Vec::as_slice);
    steps.iter().enumerate().flat_map(|(step, exchanges)| {
        let exchanges = exchanges.as_array().map_or(&[][..], Vec::as_slice);
        exchanges.iter().enumerate().map(move |(index, value)| ExchangeAt { step, index, value })
    })
}

impl ExchangeAt<'_> {
    pub(crate) fn pointer(&self) -> String {
        format!("/{}/{}", self.step, self.index)
    }

    pub(crate) fn status(&self) -> &str {
        self.value["status"].as_str().unwrap_or("failed")
    }
}

impl EvidencePath {
    /// Reads `$[step][exchange]…`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (head, rest) = split_at_exchange(text).ok_or_else(|| {
            format!("`{text}` does not begin with `$[step][exchange]`, as every path into evidence does")
        })?;
        Ok(Self {
            text: text.to_owned(),
            exchanges: Query::parse(head)?,
            inside: Query::parse(&format!("${rest}")).map_err(|why| format!("in `{text}`: {why}"))?,
            reach: reach(rest),
            whole_exchange: rest.is_empty(),
        })
    }

    /// The exchanges that the path speaks of.
    pub(crate) fn exchanges<'e>(&self, evidence: &'e Value) -> Vec<ExchangeAt<'e>> {
        let found = self.exchanges.find(evidence, "").into_iter().filter_map(|(pointer, value)| {
            let (step, index) = pointer::exchange(&pointer)?;
            Some(ExchangeAt { step, index, value })
        });
        found.collect()
    }

    /// The steps that it speaks of, in a case of so many, if each has one exchange.
    pub(crate) fn steps(&self, of: usize) -> Vec<usize> {
        let evidence = Value::Array(vec![serde_json::json!([{}]); of]);
        self.exchanges(&evidence).into_iter().map(|exchange| exchange.step).collect()
    }

    /// The values inside one exchange.
    pub(crate) fn inside<'e>(&self, exchange: ExchangeAt<'e>) -> Vec<Located<'e>> {
        located(&self.inside, exchange.value, &exchange.pointer())
    }
}

/// A JSONPath relative to a chosen node: `@…`.
#[derive(Debug, Clone)]
pub(crate) struct RelativePath {
    /// As it stands in the case.
    pub(crate) text: String,
    path: Query,
    /// Whether it reads what an answer says, where it begins at an exchange.
    pub(crate) reads_content: bool,
}

impl RelativePath {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix('@').ok_or_else(|| format!("`{text}` does not begin with `@`"))?;
        let reads_content = rest.is_empty() || reach(rest).is_of_content();
        Ok(Self { text: text.to_owned(), path: Query::parse(&format!("${rest}"))?, reads_content })
    }

    pub(crate) fn values<'e>(&self, node: &Located<'e>) -> Vec<Located<'e>> {
        located(&self.path, node.value, &node.pointer)
    }
}

/// A JSONPath into any value: `$…`.
#[derive(Debug, Clone)]
pub(crate) struct ValuePath(Query);

impl ValuePath {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        Query::parse(text).map(Self)
    }

    /// What it finds, in the order of the value.
    pub(crate) fn find<'v>(&self, value: &'v Value) -> Vec<Located<'v>> {
        located(&self.0, value, "")
    }
}

fn located<'e>(path: &Query, value: &'e Value, base: &str) -> Vec<Located<'e>> {
    let found = path.find(value, base).into_iter();
    found.map(|(pointer, value)| Located { pointer, value }).collect()
}

fn reach(rest: &str) -> Reach {
    let name: String = rest
        .trim_start_matches(['.', '[', '\'', '"'])
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    let of_answer = || {
        ["answer.body", "answer.result", "answer["].iter().any(|path| rest.trim_start_matches('.').starts_with(path))
    };
    match name.as_str() {
        "" | "status" | "request" | "raw" | "elapsed" | "sent_at" => Reach::Exchange,
        "answer" if of_answer() => Reach::Due,
        "answer" => Reach::Reply,
        "problems" => Reach::Form,
        _ => Reach::Answer,
    }
}

fn split_at_exchange(text: &str) -> Option<(&str, &str)> {
    let mut end = text.strip_prefix('$').map(|_| 1)?;
    for _ in 0..2 {
        let rest = &text[end..];
        end += rest.starts_with('[').then(|| rest.find(']'))?? + 1;
    }
    Some(text.split_at(end))
}
