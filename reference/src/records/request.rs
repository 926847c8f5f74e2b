//! One call, read from its command line.

use super::graph::Direction;
use super::variant::Variant;
use strum::{EnumString, VariantNames};

/// One call: the question, the form of the answer, and its longest length.
pub(crate) struct Request {
    /// What is asked.
    pub(crate) question: Question,
    /// The form of the answer.
    pub(crate) format: Format,
    /// The budget, in Unicode scalar values of the whole answer.
    pub(crate) max_chars: Option<usize>,
    /// How the answer differs from ours and is legal all the same.
    pub(crate) variant: Option<Variant>,
}

/// What can be asked of a store; the document lists these commands under "Goals".
pub(crate) enum Question {
    /// The chosen notes, for reading.
    Context {
        /// Ids of notes; one named twice is printed once.
        notes: Vec<String>,
        /// Whether the answer includes the raw bodies ("Body inclusion control").
        with_body: bool,
    },
    /// An introduction for a reader who knows nothing about the store.
    Prime,
    /// The chosen notes with their raw bodies, for a document.
    Export {
        /// Ids of notes; one named twice is printed once.
        notes: Vec<String>,
    },
    /// The notes that hold every word of a query.
    Search {
        /// Words, parted by white space.
        query: String,
    },
    /// What can be reached from a note.
    Tree { root: String, direction: Direction, max_hops: usize },
    /// A shortest way between two notes.
    Path { from: String, to: String, direction: Direction, max_hops: usize },
    /// The links of one note.
    List {
        id: String,
        /// Which links: those that start at the note, those that end there, or both.
        direction: Direction,
    },
    /// The whole store as one text.
    Dump,
}

/// The three forms of an answer ("Concept: output formats").
#[derive(Clone, Copy, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Format {
    /// For a person.
    Human,
    /// For a program.
    Json,
    /// For a context window.
    Records,
}
