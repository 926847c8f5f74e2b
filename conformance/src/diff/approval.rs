//! `schemas/<contract>/changes.md`: which changes somebody has looked at and wants.
//!
//! ```text
//! ## Revision 2
//!
//! - `0123456789ab` why this change is made
//! ```

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A change that somebody wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The revision of the contract that it makes.
    pub revision: u32,
    /// What it approves: the fingerprint of a change.
    pub fingerprint: String,
    /// Why.
    pub reason: String,
}

/// What became of a breaking change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It breaks nobody, so nobody has to approve it.
    Free,
    /// Approved, for this reason.
    Approved {
        /// Why it is made.
        reason: String,
    },
    /// Nobody has named it, or the revision stayed.
    Unapproved {
        /// What is missing.
        missing: String,
    },
}

/// Reads a list of approvals. What is neither a heading of a revision nor an item with a fingerprint is for people.
pub(super) fn read(text: &str) -> Vec<Approval> {
    let mut approvals: Vec<Approval> = Vec::new();
    let mut revision = None;
    let (mut heading, mut item): (Option<String>, Option<Approval>) = (None, None);
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(HeadingLevel::H2)) => {
                let words = heading.take().unwrap_or_default();
                let number = words.trim().strip_prefix("Revision").map(str::trim_start);
                let digits =
                    number.map(|rest| rest.split(|one: char| !one.is_ascii_digit()).next().unwrap_or_default());
                revision = digits.and_then(|digits| digits.parse().ok());
            }
            Event::Start(Tag::Item) => {
                item =
                    revision.map(|revision| Approval { revision, fingerprint: String::new(), reason: String::new() });
            }
            Event::End(TagEnd::Item) => {
                let named = item.take().filter(|item| !item.fingerprint.is_empty());
                approvals.extend(named.map(|item| Approval { reason: item.reason.trim().to_owned(), ..item }));
            }
            Event::Code(code) => match (&mut item, &mut heading) {
                (Some(item), _) if item.fingerprint.is_empty() && item.reason.trim().is_empty() => {
                    item.fingerprint = code.into_string();
                }
                (Some(item), _) => item.reason.push_str(&format!("`{code}`")),
                (_, Some(heading)) => heading.push_str(&code),
                _ => {}
            },
            Event::Text(text) => match (&mut item, &mut heading) {
                (Some(item), _) => item.reason.push_str(&text),
                (_, Some(heading)) => heading.push_str(&text),
                _ => {}
            },
            Event::SoftBreak | Event::HardBreak => {
                if let Some(item) = &mut item {
                    item.reason.push(' ');
                }
            }
            _ => {}
        }
    }
    approvals
}

/// Whether a change that breaks somebody is approved, between two revisions of its contract.
pub(super) fn standing(fingerprint: &str, approvals: &[Approval], (before, now): (u32, u32)) -> Standing {
    let missing = |missing: String| Standing::Unapproved { missing };
    let named: Vec<&Approval> = approvals.iter().filter(|approval| approval.fingerprint == fingerprint).collect();
    match named.iter().find(|approval| approval.revision == now) {
        _ if now <= before && named.is_empty() => missing(format!("it is not named, and the revision stayed {now}")),
        _ if now <= before => missing(format!("it is named, but the revision stayed {now}")),
        None if named.is_empty() => missing(format!("it is not named under \"Revision {now}\"")),
        None => missing(format!("it is named under another revision than {now}")),
        Some(approval) if approval.reason.is_empty() => missing("it is named without a reason".to_owned()),
        Some(approval) => Standing::Approved { reason: approval.reason.clone() },
    }
}
