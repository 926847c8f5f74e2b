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
const ANCESTOR_DEPTHS: RangeInclusive<usize> = 0..=20;

/// The arguments of `remnote_search`, all checked.
#[derive(Debug, PartialEq)]
pub(crate) struct Search {
    pub(crate) query: String,
    /// Only what is below this Rem is looked at.
    pub(crate) below: Option<String>,
    pub(crate) page: Page,
    pub(crate) shown: Shown,
}

/// The arguments of `remnote_search_by_tag`, all checked.
#[derive(Debug, PartialEq)]
pub(crate) struct ByTag {
    /// The name, trimmed and without its `#`; where tags are Rems, the id as it was given.
    pub(crate) tag: String,
    /// Whether the tagged Rems themselves are the results, and not what they stand for.
    pub(crate) tagged: bool,
    pub(crate) page: Page,
    pub(crate) shown: Shown,
}

/// The arguments of `remnote_read_note`, all checked.
#[derive(Debug, PartialEq)]
pub(crate) struct Read {
    pub(crate) rem_id: String,
    pub(crate) shown: Shown,
}

/// Which results come.
#[derive(Debug, PartialEq)]
pub(crate) struct Page {
    pub(crate) limit: usize,
    /// What an earlier page gave for the next one.
    pub(crate) cursor: Option<String>,
}

/// What is shown of a Rem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shown {
    pub(crate) rendering: Rendering,
    /// Whether the fields that identify a Rem are all that is shown of it.
    pub(crate) compact: bool,
    /// How many of the Rems above it are shown.
    pub(crate) ancestors: usize,
}

/// Whether and how the subtree is rendered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rendering {
    pub(crate) mode: Mode,
    pub(crate) limits: Limits,
}

/// The values of `includeContent`, later `contentMode`.
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
    pub(crate) fn unknown_cursor(cursor: &str) -> Self {
        Self::new("cursor", format_args!("must be one that this search gave, got {}", quoted(cursor)))
    }

    pub(crate) fn unknown_rem(id: &str) -> Self {
        Self::new("remId", format_args!("must be the id of a Rem; no Rem has the id {}", quoted(id)))
    }

    /// `message` is what follows the name of the argument: "must be …".
    fn new(argument: &str, message: impl Display) -> Self {
        Self(format!("{} {message}", shortened(argument)))
    }
}

impl Search {
    pub(crate) fn parse(arguments: &JsonObject, revision: Revision, unknown: Unknown) -> Result<Self, Refusal> {
        let own: &[&str] = if revision.has_scopes() { &["query", "parentRemId"] } else { &["query"] };
        let given = Given::new(arguments, revision, &[own, paging(revision)], unknown)?;
        Ok(Self {
            query: given.string("query", "what to look for")?.to_owned(),
            below: if revision.has_scopes() { given.below()? } else { None },
            page: given.page()?,
            shown: given.shown(&Mode::ALL, SEARCH_DEFAULT)?,
        })
    }
}

impl ByTag {
    pub(crate) fn parse(arguments: &JsonObject, revision: Revision, unknown: Unknown) -> Result<Self, Refusal> {
        let mode: &[&str] = if revision.has_pages() { &["resultMode"] } else { &[] };
        let name = revision.tag();
        let given = Given::new(arguments, revision, &[&[name], mode, paging(revision)], unknown)?;
        let tag = given.string(name, "the tag to look for")?;
        let tag = if revision.tags_are_rems() { tag } else { named(tag)? };
        Ok(Self {
            tag: tag.to_owned(),
            tagged: revision.has_pages() && given.one_of("resultMode", &["context", "tagged"])? == Some("tagged"),
            page: given.page()?,
            shown: given.shown(&Mode::ALL, SEARCH_DEFAULT)?,
        })
    }
}

/// The name of a tag, with or without `#`.
fn named(tag: &str) -> Result<&str, Refusal> {
    let tag = tag.trim();
    if tag.chars().all(|c| c == '#' || c.is_whitespace()) {
        return Err(Refusal::new("tag", format_args!("must name a tag, got {}", quoted(tag))));
    }
    Ok(tag.strip_prefix('#').unwrap_or(tag))
}

impl Read {
    pub(crate) fn parse(arguments: &JsonObject, revision: Revision, unknown: Unknown) -> Result<Self, Refusal> {
        let modes: &[Mode] = if revision.reads_nodes() { &Mode::ALL } else { &[Mode::None, Mode::Markdown] };
        let given = Given::new(arguments, revision, &[&["remId"]], unknown)?;
        Ok(Self {
            rem_id: given.string("remId", "the id of a Rem")?.to_owned(),
            shown: given.shown(modes, READ_DEFAULT)?,
        })
    }
}

/// The arguments that say which results come.
fn paging(revision: Revision) -> &'static [&'static str] {
    if revision.has_pages() { &["limit", "cursor"] } else { &["limit"] }
}

/// The arguments that say what is shown of a Rem.
fn showing(revision: Revision) -> Vec<&'static str> {
    let more: &[&str] = if revision.has_pages() { &["view", "ancestorDepth"] } else { &[] };
    [&[revision.mode()], more, &["depth", "childLimit", "maxContentLength"]].concat()
}

/// The arguments as received, each with a known name unless others are ignored.
struct Given<'a>(&'a JsonObject, Revision);

impl<'a> Given<'a> {
    fn new(arguments: &'a JsonObject, revision: Revision, own: &[&[&str]], unknown: Unknown) -> Result<Self, Refusal> {
        let known = [own.concat(), showing(revision)].concat();
        match arguments.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) if unknown == Unknown::Refused => {
                let message = format_args!("is no argument of this tool; it takes {}", known.join(", "));
                Err(Refusal::new(&quoted(name), message))
            }
            _ => Ok(Self(arguments, revision)),
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

    fn page(&self) -> Result<Page, Refusal> {
        let has_cursor = self.1.has_pages() && self.0.contains_key("cursor");
        let cursor = has_cursor.then(|| self.string("cursor", "what an earlier page gave")).transpose()?;
        Ok(Page { limit: self.integer("limit", LIMITS, DEFAULT_LIMIT)?, cursor: cursor.map(str::to_owned) })
    }

    fn below(&self) -> Result<Option<String>, Refusal> {
        if !self.0.contains_key("parentRemId") {
            return Ok(None);
        }
        match self.string("parentRemId", "the id of a Rem")? {
            "" => Err(Refusal::new("parentRemId", "must not be empty")),
            id => Ok(Some(id.to_owned())),
        }
    }

    fn shown(&self, modes: &[Mode], default: Rendering) -> Result<Shown, Refusal> {
        let rendering = self.rendering(modes, default)?;
        if !self.1.has_pages() {
            return Ok(Shown { rendering, compact: false, ancestors: 0 });
        }
        let view = self.one_of("view", &["compact", "standard", "full"])?;
        let ancestors = self.integer("ancestorDepth", ANCESTOR_DEPTHS, 0)?;
        Ok(Shown { rendering, compact: view == Some("compact"), ancestors })
    }

    fn rendering(&self, modes: &[Mode], default: Rendering) -> Result<Rendering, Refusal> {
        let limits = default.limits;
        let names: Vec<&str> = modes.iter().map(AsRef::as_ref).collect();
        let mode = self.one_of(self.1.mode(), &names)?;
        Ok(Rendering {
            mode: modes.iter().copied().find(|one| mode == Some(one.as_ref())).unwrap_or(default.mode),
            limits: Limits {
                depth: self.integer("depth", DEPTHS, limits.depth)?,
                child_limit: self.integer("childLimit", CHILD_LIMITS, limits.child_limit)?,
                max_content_length: self.integer("maxContentLength", CONTENT_LENGTHS, limits.max_content_length)?,
            },
        })
    }

    fn one_of<'n>(&self, name: &str, known: &[&'n str]) -> Result<Option<&'n str>, Refusal> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        known.iter().find(|one| value == **one).map(|one| Some(*one)).ok_or_else(|| {
            let names: Vec<_> = known.iter().map(|one| quoted(one)).collect();
            Refusal::new(name, format_args!("must be one of {}, got {}", names.join(", "), shown(value)))
        })
    }
}
