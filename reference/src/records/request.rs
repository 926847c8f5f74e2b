//! One call, read from its command line.

use super::graph::Direction;
use strum::{EnumString, VariantNames};

/// One call: what is asked, in which form the answer is wanted, and how long it may be.
pub(crate) struct Request {
    /// What is asked.
    pub(crate) question: Question,
    /// The form of the answer.
    pub(crate) format: Format,
    /// The budget, in Unicode scalar values of the whole answer.
    pub(crate) max_chars: Option<usize>,
}

/// What can be asked of a store; the document lists these commands under "Goals".
pub(crate) enum Question {
    /// The chosen notes, for reading.
    Context {
        /// Ids of notes; one named twice is printed once.
        notes: Vec<String>,
        /// Whether the raw bodies come along ("Body inclusion control").
        with_body: bool,
    },
    /// What a reader who knows nothing of the store needs first.
    Prime,
    /// What can be reached from a note.
    Tree {
        /// The note to start from.
        root: String,
        /// Which way links are followed.
        direction: Direction,
        /// How many links away a note may be.
        max_hops: usize,
    },
    /// A shortest way between two notes.
    Path {
        /// The note to start from.
        from: String,
        /// The note to arrive at.
        to: String,
        /// Which way links are followed.
        direction: Direction,
        /// How many links the way may have.
        max_hops: usize,
    },
    /// The links of one note.
    List {
        /// The note.
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
