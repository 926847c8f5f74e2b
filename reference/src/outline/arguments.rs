//! What a call may ask for: the arguments, read and refused.

use super::store::Store;
use super::variant::Variant;
use super::version::Version;
use crate::json::{JsonObject, integer, shown};
use crate::quote::quoted;
use serde_json::Value;
use std::fmt::Display;
use std::ops::RangeInclusive;
use strum::EnumString;

/// The limits that a caller may set; a summary that is cut ends in three dots.
const SUMMARY_LIMITS: RangeInclusive<i64> = 4..=1000;
const LISTING: [&str; 3] = ["format", "session_id", "summary_limit"];
const LISTING_2: [&str; 3] = ["format", "session_id", "tick"];
const LISTING_2_WITHOUT_FORMAT: [&str; 2] = ["session_id", "tick"];

/// The values of `format`, by the names of revision 1.
#[derive(Clone, Copy, Debug, EnumString, PartialEq)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Format {
    /// The JSON of the document, which revision 2 calls `json`.
    Full,
    /// An outline with summaries, which revision 2 calls `outline`.
    Compact,
    /// An outline of ids, states and titles.
    Minimal,
}

/// What all listings take.
#[derive(Debug, PartialEq)]
pub(crate) struct Listing {
    pub(crate) format: Format,
    /// Repeated in the first line of an outline.
    pub(crate) session_id: Option<String>,
    /// Printed behind the session, from revision 2 on.
    pub(crate) tick: Option<i64>,
    /// Of revision 1 alone.
    pub(crate) summary_limit: Option<usize>,
}

/// What listings take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Takes {
    pub(crate) version: Version,
    pub(crate) format: bool,
}

impl Takes {
    /// What the listings of a store take.
    pub(crate) fn of(store: &Store) -> Self {
        let is_without = store.version == Version::Second && store.variant == Some(Variant::NoFormat);
        Self { version: store.version, format: !is_without }
    }

    /// The names of the arguments.
    fn names(self) -> &'static [&'static str] {
        match (self.version, self.format) {
            (Version::First, _) => &LISTING,
            (Version::Second, true) => &LISTING_2,
            (Version::Second, false) => &LISTING_2_WITHOUT_FORMAT,
        }
    }

    fn format(self, value: &Value) -> Result<Format, Refusal> {
        let name = value.as_str().unwrap_or_default();
        let known = match self.version {
            Version::First => name.parse().ok(),
            Version::Second => [("json", Format::Full), ("outline", Format::Compact)]
                .into_iter()
                .find_map(|(known, format)| (known == name).then_some(format)),
        };
        let names = match self.version {
            Version::First => "\"full\", \"compact\" or \"minimal\"",
            Version::Second => "\"json\" or \"outline\"",
        };
        known.ok_or_else(|| Refusal(format!("format must be {names}, got {}", shown(value))))
    }
}

/// The arguments of `search_records`.
#[derive(Debug, PartialEq)]
pub(crate) struct Search {
    /// ASCII in lower case, each once; at least one.
    pub(crate) words: Vec<String>,
    pub(crate) listing: Listing,
}

/// Why a call is refused: the argument and the problem, in plain words.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refusal(String);

impl Refusal {
    pub(crate) fn unknown_record(id: &str) -> Self {
        Self(format!("id must be the id of a record; no record has the id {}", quoted(id)))
    }

    pub(crate) fn unreadable(problem: impl Display) -> Self {
        Self(format!("query could not be searched for: {problem}"))
    }
}

impl Listing {
    pub(crate) fn parse(arguments: &JsonObject, takes: Takes) -> Result<Self, Refusal> {
        known(arguments, takes.names())?;
        Self::read(arguments, takes)
    }

    fn read(arguments: &JsonObject, takes: Takes) -> Result<Self, Refusal> {
        let format = match arguments.get("format") {
            None => Format::Compact,
            Some(value) => takes.format(value)?,
        };
        let session_id = match arguments.get("session_id") {
            None => None,
            Some(Value::String(id)) if is_one_line(id) => Some(id.clone()),
            Some(other) => {
                return Err(Refusal(format!(
                    "session_id must be a string of one line, not blank, got {}",
                    shown(other)
                )));
            }
        };
        let tick = match arguments.get("tick") {
            None => None,
            Some(value) => Some(
                integer(value)
                    .filter(|tick| *tick >= 0)
                    .ok_or_else(|| Refusal(format!("tick must be an integer from 0, got {}", shown(value))))?,
            ),
        };
        if tick.is_some() && session_id.is_none() {
            return Err(Refusal("tick stands behind a session, so it needs session_id".to_owned()));
        }
        let summary_limit = match arguments.get("summary_limit") {
            None => None,
            Some(value) => Some(integer(value).filter(|limit| SUMMARY_LIMITS.contains(limit)).ok_or_else(|| {
                let (least, most) = SUMMARY_LIMITS.into_inner();
                Refusal(format!("summary_limit must be an integer from {least} to {most}, got {}", shown(value)))
            })?),
        };
        let summary_limit = summary_limit.and_then(|limit| usize::try_from(limit).ok());
        Ok(Self { format, session_id, tick, summary_limit })
    }
}

impl Search {
    pub(crate) fn parse(arguments: &JsonObject, takes: Takes) -> Result<Self, Refusal> {
        known(arguments, &[["query"].as_slice(), takes.names()].concat())?;
        let query = string(arguments, "query", "what to look for")?;
        if query.contains('\0') {
            return Err(Refusal("query must not contain a NUL character".to_owned()));
        }
        let words = crate::words::words(query);
        if words.is_empty() {
            return Err(Refusal(format!("query must have a word, got {}", quoted(query))));
        }
        Ok(Self { words, listing: Listing::read(arguments, takes)? })
    }
}

/// The argument of `activate`.
pub(crate) fn activated(arguments: &JsonObject) -> Result<&str, Refusal> {
    known(arguments, &["id"])?;
    string(arguments, "id", "the id of a record")
}

/// A misspelt argument must not change an answer unnoticed.
fn known(arguments: &JsonObject, names: &[&str]) -> Result<(), Refusal> {
    match arguments.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => {
            Err(Refusal(format!("{} is no argument of this tool; it takes {}", quoted(name), names.join(", "))))
        }
        None => Ok(()),
    }
}

fn string<'a>(arguments: &'a JsonObject, name: &str, meaning: &str) -> Result<&'a str, Refusal> {
    match arguments.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(Refusal(format!("{name} must be a string, got {}", shown(other)))),
        None => Err(Refusal(format!("{name} is required: {meaning}"))),
    }
}

/// A session id is in the first line of an outline, which it must not break.
fn is_one_line(text: &str) -> bool {
    text.trim() == text
        && !text.is_empty()
        && !text.contains(|one: char| one.is_control() || matches!(one, '\u{2028}' | '\u{2029}'))
}
