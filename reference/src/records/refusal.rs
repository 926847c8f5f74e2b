//! Why a call is refused: one line each, with the problem and what to do.

use std::io;
use std::path::PathBuf;

/// A call that gets no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// No directory from here upwards holds a store.
    #[error("no store found: neither {} nor a directory above it holds a `.qipu` folder", .0.display())]
    NoStore(PathBuf),
    /// A folder or file of the store cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Notes of the store break its layout; all of them are named at once.
    #[error("the store holds notes that cannot be read: {}", .0.join("; "))]
    BrokenNotes(Vec<String>),
    /// An id that no note has.
    #[error("no note has the id {0:?}; `prime` lists ids")]
    UnknownNote(String),
    /// `context` without a note.
    #[error("nothing is selected: name at least one note with --note ID")]
    NothingSelected,
    /// A budget that the header alone exceeds.
    #[error("--max-chars {budget} is too small: the header alone takes {needed} characters")]
    BudgetTooSmall {
        /// What was allowed.
        budget: usize,
        /// What the shortest answer takes.
        needed: usize,
    },
}
