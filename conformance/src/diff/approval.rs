//! What was approved: `schemas/<contract>/changes.md`.
//!
//! ```text
//! ## Erratum of revision 1, 2026-11-28
//!
//! - `0123456789ab` why revision 1 is not as it was
//!
//! ## Revision 2
//!
//! - `ba9876543210`, `0123456789ab`: why revision 2 departs from the one before it
//! ```

use crate::text::listed;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A change that somebody wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// What the change is a part of.
    pub of: Heading,
    /// What it approves: the fingerprint of a change.
    pub fingerprint: String,
    /// Why.
    pub reason: String,
}

/// What approvals stand under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heading {
    /// `## Revision 2`: how it departs from the revision before it.
    Revision(u32),
    /// `## Erratum of revision 1`: what was wrong with revisions that are there already; with every one where none is named.
    Erratum(Vec<u32>),
}

/// What is compared of a contract: the revision before and the one now. The same one twice is a view that is compared with itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// The revision before.
    pub before: u32,
    /// The revision now.
    pub now: u32,
}

/// What became of a change that needs a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It needs no reason.
    Free,
    /// Approved, for this reason.
    Approved {
        /// Why it is made.
        reason: String,
    },
    /// Nobody has named it where it belongs.
    Unapproved {
        /// What is missing.
        missing: String,
    },
}

impl Heading {
    /// Reads a heading; nothing where it is for people alone.
    fn read(words: &str) -> Option<Self> {
        let words = words.trim();
        let numbers = |text: &str| -> Vec<u32> {
            let all = text.split(|one: char| !one.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
            all.collect()
        };
        if let Some(rest) = words.strip_prefix("Revision") {
            return numbers(rest).first().map(|number| Self::Revision(*number));
        }
        let rest = words.strip_prefix("Erratum").or_else(|| words.strip_prefix("Errata"))?;
        // What follows a comma, a colon or a bracket is for people: a day, a reason.
        let named = rest.split_once("revision").map(|(_, named)| named.split(['(', ':']).next().unwrap_or_default());
        let named = named.map_or(Vec::new(), |named| {
            let parts =
                named.split([',', ' ']).map(|part| part.trim_start_matches('s')).filter(|part| !part.is_empty());
            let parts = parts.take_while(|part| *part == "and" || part.chars().all(|one| one.is_ascii_digit()));
            parts.filter_map(|part| part.parse().ok()).collect()
        });
        Some(Self::Erratum(named))
    }

    /// Whether a change between these revisions belongs under it.
    fn holds(&self, pair: Pair, is_frozen: bool) -> bool {
        match self {
            Self::Revision(number) if pair.is_of_one() => !is_frozen && *number == pair.now,
            Self::Revision(number) => (pair.before + 1..=pair.now).contains(number),
            Self::Erratum(revisions) => pair.is_of_one() && (revisions.is_empty() || revisions.contains(&pair.now)),
        }
    }

    /// Where a change between these revisions belongs, in the words of a heading.
    pub(super) fn of(pairs: &[Pair]) -> String {
        let of_one: Vec<String> =
            pairs.iter().filter(|pair| pair.is_of_one()).map(|pair| pair.now.to_string()).collect();
        match (pairs.iter().find(|pair| !pair.is_of_one()), of_one.as_slice()) {
            (Some(pair), _) => format!("Revision {}", pair.now),
            (None, []) => "Erratum".to_owned(),
            (None, [one]) => format!("Erratum of revision {one}"),
            (None, some) => format!("Erratum of revisions {}", listed(some, some.len())),
        }
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revision(number) => write!(f, "Revision {number}"),
            Self::Erratum(revisions) => {
                let pairs: Vec<Pair> = revisions.iter().map(|revision| Pair::of_one(*revision)).collect();
                f.write_str(&Self::of(&pairs))
            }
        }
    }
}

impl Pair {
    /// A view and itself, of two days.
    pub(super) fn of_one(revision: u32) -> Self {
        Self { before: revision, now: revision }
    }

    /// Whether it is one revision on both sides.
    pub fn is_of_one(self) -> bool {
        self.before == self.now
    }
}

/// Reads a list of approvals. What is neither a heading of a revision nor an item with a fingerprint is for people.
pub(super) fn read(text: &str) -> Vec<Approval> {
    let mut approvals: Vec<Approval> = Vec::new();
    let mut of: Option<Heading> = None;
    let (mut heading, mut item): (Option<String>, Option<Item>) = (None, None);
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(HeadingLevel::H2)) => of = Heading::read(&heading.take().unwrap_or_default()),
            Event::Start(Tag::Item) => item = of.as_ref().map(|_| Item::default()),
            Event::End(TagEnd::Item) => {
                if let (Some(item), Some(of)) = (item.take(), &of) {
                    approvals.extend(item.approvals(of));
                }
            }
            Event::Code(code) => match (&mut item, &mut heading) {
                (Some(item), _) => item.code(&code),
                (_, Some(heading)) => heading.push_str(&code),
                _ => {}
            },
            Event::Text(text) => match (&mut item, &mut heading) {
                (Some(item), _) => item.words.push_str(&text),
                (_, Some(heading)) => heading.push_str(&text),
                _ => {}
            },
            Event::SoftBreak | Event::HardBreak => {
                if let Some(item) = &mut item {
                    item.words.push(' ');
                }
            }
            _ => {}
        }
    }
    approvals
}

/// A line of a list: fingerprints, and one reason for all of them.
#[derive(Default)]
struct Item {
    fingerprints: Vec<String>,
    words: String,
}

impl Item {
    fn code(&mut self, code: &str) {
        let is_fingerprint = code.len() == 12 && code.chars().all(|one| matches!(one, '0'..='9' | 'a'..='f'));
        let between = self.words.trim();
        let is_next =
            if self.fingerprints.is_empty() { between.is_empty() } else { [",", "and", ", and"].contains(&between) };
        if is_fingerprint && is_next {
            self.fingerprints.push(code.to_owned());
            self.words.clear();
        } else {
            self.words.push_str(&format!("`{code}`"));
        }
    }

    fn approvals(self, of: &Heading) -> impl Iterator<Item = Approval> {
        let reason = self.words.trim().trim_start_matches([':', ',']).trim().to_owned();
        let approval = move |fingerprint| Approval { of: of.clone(), fingerprint, reason: reason.clone() };
        self.fingerprints.into_iter().map(approval)
    }
}

/// The reasons of revisions that were approved as a whole, where all are that lie between the two of a pair.
pub(super) fn whole(reasons: &BTreeMap<u32, String>, pair: Pair) -> Option<String> {
    let all: Option<Vec<&str>> =
        (pair.before + 1..=pair.now).map(|one| reasons.get(&one).map(String::as_str)).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.join("; "))
}

/// Whether a change that needs a reason has one. `is_frozen` says that the revision has shipped.
pub(super) fn standing(fingerprint: &str, approvals: &[Approval], pair: Pair, is_frozen: bool) -> Standing {
    let missing = |missing: String| Standing::Unapproved { missing };
    let named = || approvals.iter().filter(|approval| approval.fingerprint == fingerprint);
    let due = Heading::of(&[pair]);
    match (named().find(|approval| approval.of.holds(pair, is_frozen)), named().next()) {
        (Some(approval), _) if approval.reason.is_empty() => missing("it is named without a reason".to_owned()),
        (Some(approval), _) => Standing::Approved { reason: approval.reason.clone() },
        (None, Some(other)) => missing(format!("it is named under \"{}\", and belongs under \"{due}\"", other.of)),
        (None, None) => missing(format!("it is not named under \"{due}\"")),
    }
}
