//! Pages of what was found. The knowledge base does not change while it is served, so a snapshot need not be kept: the same search
//! finds it again, and a cursor is a place in it.

use super::arguments::{Page, Refusal};
use super::rem::Rem;
use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many hits a snapshot has at most.
pub(super) const SNAPSHOT: usize = 1000;

/// What is said beside the results.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Paging {
    has_more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncation_reason: Option<&'static str>,
}

/// The page that is asked for of all that was found. A cursor is good for the search that gave it, which is what `bound` says.
pub(super) fn page<'f, 'r>(
    found: &'f [&'r Rem],
    asked: &Page,
    bound: &[&str],
    is_cut: bool,
) -> Result<(&'f [&'r Rem], Paging), Refusal> {
    let first = match &asked.cursor {
        None => 0,
        Some(cursor) => {
            place(cursor, bound).filter(|at| *at < found.len()).ok_or_else(|| Refusal::unknown_cursor(cursor))?
        }
    };
    let next = found.len().min(first + asked.limit);
    let has_more = next < found.len();
    let paging = Paging {
        has_more,
        next_cursor: has_more.then(|| cursor(next, bound)),
        truncated: is_cut,
        truncation_reason: is_cut.then_some("cursor_snapshot_limit"),
    };
    Ok((&found[first..next], paging))
}

fn cursor(at: usize, bound: &[&str]) -> String {
    let mut hasher = DefaultHasher::new();
    bound.hash(&mut hasher);
    format!("{at}-{:016x}", hasher.finish())
}

/// The place that a cursor of this search means.
fn place(given: &str, bound: &[&str]) -> Option<usize> {
    let at = given.split_once('-')?.0.parse().ok()?;
    (cursor(at, bound) == given).then_some(at)
}
