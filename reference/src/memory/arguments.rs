//! The arguments of a search, read or refused: "Request Structure".

use super::ranges::Ranges;
use super::variant::Variant;
use crate::json::{self, JsonObject, shown};
use crate::quote::shortened;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;

const DEFAULT_ENTRIES: i64 = 5;
const DEFAULT_CONTEXTS: i64 = 2;
/// Names from before this decision, with their replacements. They are refused with a message that names those.
const RETIRED: [(&str, &str); 3] =
    [("topK", "top_ke for entries and top_kc for contexts"), ("ke", "top_ke"), ("kc", "top_kc")];

/// The arguments of one search, all checked.
#[derive(Debug, PartialEq)]
pub(crate) struct Search {
    pub(crate) memory_id: String,
    pub(crate) query: String,
    /// How many entries at most.
    pub(crate) top_ke: i64,
    /// How many contexts at most.
    pub(crate) top_kc: i64,
}

/// Why a request is refused: the argument and the problem, in plain words.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refusal(String);

impl Refusal {
    /// A problem of the request as a whole.
    pub(crate) fn of_request(message: impl Display) -> Self {
        Self(format!("the request {message}"))
    }

    /// `message` is what follows the name of the argument: "must be …".
    fn new(argument: &str, message: impl Display) -> Self {
        Self(format!("{} {message}", shortened(argument)))
    }
}

impl Search {
    /// Reads the arguments. `memory_id` is what the transport calls the memory: `memoryId`, or `memory_id` over MCP.
    pub(crate) fn parse(
        arguments: &JsonObject,
        memory_id: &str,
        ranges: &Ranges,
        variant: Option<Variant>,
    ) -> Result<Self, Refusal> {
        let known = [memory_id, "query", "top_ke", "top_kc"];
        let arguments = &*variant.map_or(Cow::Borrowed(arguments), |variant| variant.read(arguments, ranges, known));
        if let Some(name) = arguments.keys().find(|name| !known.contains(&name.as_str())) {
            let retired = RETIRED.iter().find(|(retired, _)| retired == name);
            return Err(match retired {
                Some((_, now)) => Refusal::new(name, format_args!("is gone; use {now}")),
                None => Refusal::new(name, format_args!("is no argument of a search; it takes {}", known.join(", "))),
            });
        }
        let text = |name, meaning| text(arguments, name, meaning);
        Ok(Self {
            memory_id: text(memory_id, "the memory to search")?,
            query: text("query", "what to look for")?,
            top_ke: integer(arguments, "top_ke", &ranges.entries, DEFAULT_ENTRIES)?,
            top_kc: integer(arguments, "top_kc", &ranges.contexts, DEFAULT_CONTEXTS)?,
        })
    }
}

fn text(arguments: &JsonObject, name: &str, meaning: &str) -> Result<String, Refusal> {
    match arguments.get(name) {
        Some(Value::String(text)) if text.trim().is_empty() => Err(Refusal::new(name, "must not be empty")),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => Err(Refusal::new(name, format_args!("must be a string, got {}", shown(other)))),
        None => Err(Refusal::new(name, format_args!("is required: {meaning}"))),
    }
}

fn integer(arguments: &JsonObject, name: &str, range: &RangeInclusive<i64>, default: i64) -> Result<i64, Refusal> {
    let Some(value) = arguments.get(name) else { return Ok(default) };
    let (least, most) = (range.start(), range.end());
    match json::integer(value) {
        Some(number) if range.contains(&number) => Ok(number),
        Some(_) => Err(Refusal::new(name, format_args!("must be between {least} and {most}"))),
        None => {
            let message = format_args!("must be a whole number between {least} and {most}, got {}", shown(value));
            Err(Refusal::new(name, message))
        }
    }
}
