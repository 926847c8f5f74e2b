//! What a call may ask for: the table of arguments, read and refused.

use super::content::Limits;
use super::revision::Revision;
use crate::json::{self, JsonObject, shown};
use crate::quote::{quoted, shortened};
use serde_json::Value;
use std::fmt::Display;
use std::ops::RangeInclusive;
use strum::AsRefStr;

const LIMITS: RangeInclusive<usize> = 1..=150;
const DEPTHS: RangeInclusive<usize> = 0..=10;
const CHILD_LIMITS: RangeInclusive<usize> = 1..=500;
const CONTENT_LENGTHS: RangeInclusive<usize> = 100..=200_000;
/// How many results a search without a limit returns.
const DEFAULT_LIMIT: usize = 50;
/// How much of the subtree both searches render by default.
const SEARCH_DEFAULT: Rendering =
    Rendering { mode: Mode::None, limits: Limits { depth: 1, child_limit: 20, max_content_length: 3000 } };
/// How much of the subtree a read renders by default.
const READ_DEFAULT: Rendering =
    Rendering { mode: Mode::Markdown, limits: Limits { depth: 5, child_limit: 100, max_content_length: 100_000 } };
const RENDERING: [&str; 4] = ["includeContent", "depth", "childLimit", "maxContentLength"];

/// The arguments of `remnote_search`, all checked.
#[derive(Debug, PartialEq)]
pub(crate) struct Search {
    pub(crate) query: String,
    pub(crate) limit: usize,
    pub(crate) rendering: Rendering,
}

/// The arguments of `remnote_search_by_tag`, all checked.
#[derive(Debug, PartialEq)]
pub(crate) struct ByTag {
    /// Trimmed and without its `#`.
    pub(crate) tag: String,
    pub(crate) limit: usize,
    pub(crate) rendering: Rendering,
}

/// The arguments of `remnote_read_note`, all checked.
#[derive(Debug, PartialEq)]
pub(crate) struct Read {
    pub(crate) rem_id: String,
    pub(crate) rendering: Rendering,
}

/// Whether and how the subtree is rendered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rendering {
    pub(crate) mode: Mode,
    pub(crate) limits: Limits,
}

/// The values of `includeContent`.
#[derive(AsRefStr, Clone, Copy, Debug, PartialEq)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Mode {
    None,
    Markdown,
    Structured,
}

impl Mode {
    const ALL: [Self; 3] = [Self::None, Self::Markdown, Self::Structured];
}

/// What becomes of arguments that the document does not know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unknown {
    /// A misspelt argument must not change an answer unnoticed.
    Refused,
    /// A newer server may send a bridge more than this one knows.
    Ignored,
}

/// Why a call is refused: the argument and the problem, in plain words.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refusal(String);

impl Refusal {
    pub(crate) fn unknown_rem(id: &str) -> Self {
        Self::new("remId", format_args!("must be the id of a Rem; no Rem has the id {}", quoted(id)))
    }

    /// `message` is what follows the name of the argument: "must be …".
    fn new(argument: &str, message: impl Display) -> Self {
        Self(format!("{} {message}", shortened(argument)))
    }
}

impl Search {
    pub(crate) fn parse(arguments: &JsonObject, unknown: Unknown) -> Result<Self, Refusal> {
        let given = Given::new(arguments, &[["query", "limit"].as_slice(), &RENDERING], unknown)?;
        Ok(Self {
            query: given.string("query", "what to look for")?.to_owned(),
            limit: given.integer("limit", LIMITS, DEFAULT_LIMIT)?,
            rendering: given.search_rendering()?,
        })
    }
}

impl ByTag {
    pub(crate) fn parse(arguments: &JsonObject, unknown: Unknown) -> Result<Self, Refusal> {
        let given = Given::new(arguments, &[["tag", "limit"].as_slice(), &RENDERING], unknown)?;
        let tag = given.string("tag", "the tag to look for")?.trim();
        if tag.chars().all(|c| c == '#' || c.is_whitespace()) {
            return Err(Refusal::new("tag", format_args!("must name a tag, got {}", quoted(tag))));
        }
        Ok(Self {
            tag: tag.strip_prefix('#').unwrap_or(tag).to_owned(),
            limit: given.integer("limit", LIMITS, DEFAULT_LIMIT)?,
            rendering: given.search_rendering()?,
        })
    }
}

impl Read {
    pub(crate) fn parse(arguments: &JsonObject, revision: Revision, unknown: Unknown) -> Result<Self, Refusal> {
        let modes: &[Mode] = if revision.reads_nodes() { &Mode::ALL } else { &[Mode::None, Mode::Markdown] };
        let given = Given::new(arguments, &[["remId"].as_slice(), &RENDERING], unknown)?;
        Ok(Self {
            rem_id: given.string("remId", "the id of a Rem")?.to_owned(),
            rendering: given.rendering(modes, READ_DEFAULT)?,
        })
    }
}

/// The arguments as received, each with a known name unless others are ignored.
struct Given<'a>(&'a JsonObject);

impl<'a> Given<'a> {
    fn new(arguments: &'a JsonObject, known: &[&[&str]], unknown: Unknown) -> Result<Self, Refusal> {
        let stray = arguments.keys().find(|name| !known.iter().any(|names| names.contains(&name.as_str())));
        match stray {
            Some(name) if unknown == Unknown::Refused => {
                let message = format_args!("is no argument of this tool; it takes {}", known.concat().join(", "));
                Err(Refusal::new(&quoted(name), message))
            }
            _ => Ok(Self(arguments)),
        }
    }

    fn string(&self, name: &str, meaning: &str) -> Result<&'a str, Refusal> {
        match self.0.get(name) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(Refusal::new(name, format_args!("must be a string, got {}", shown(other)))),
            None => Err(Refusal::new(name, format_args!("is required: {meaning}"))),
        }
    }

    fn integer(&self, name: &str, range: RangeInclusive<usize>, default: usize) -> Result<usize, Refusal> {
        let Some(value) = self.0.get(name) else { return Ok(default) };
        let number = json::integer(value).and_then(|number| usize::try_from(number).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = range.into_inner();
            Refusal::new(name, format_args!("must be an integer from {least} to {most}, got {}", shown(value)))
        })
    }

    fn search_rendering(&self) -> Result<Rendering, Refusal> {
        self.rendering(&Mode::ALL, SEARCH_DEFAULT)
    }

    fn rendering(&self, modes: &[Mode], default: Rendering) -> Result<Rendering, Refusal> {
        let limits = default.limits;
        Ok(Rendering {
            mode: self.mode(modes)?.unwrap_or(default.mode),
            limits: Limits {
                depth: self.integer("depth", DEPTHS, limits.depth)?,
                child_limit: self.integer("childLimit", CHILD_LIMITS, limits.child_limit)?,
                max_content_length: self.integer("maxContentLength", CONTENT_LENGTHS, limits.max_content_length)?,
            },
        })
    }

    fn mode(&self, modes: &[Mode]) -> Result<Option<Mode>, Refusal> {
        let Some(value) = self.0.get("includeContent") else { return Ok(None) };
        let known = modes.iter().find(|mode| value == mode.as_ref());
        known.map(|mode| Some(*mode)).ok_or_else(|| {
            let names: Vec<_> = modes.iter().map(|mode| quoted(mode.as_ref())).collect();
            Refusal::new("includeContent", format_args!("must be one of {}, got {}", names.join(", "), shown(value)))
        })
    }
}
