//! What an endpoint holds of the corpus.

use super::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is found of a corpus at an endpoint that does not hold all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Presence {
    /// The endpoint.
    pub place: Place,
    /// How many documents were looked for.
    pub documents: usize,
    /// How many of them are not found.
    pub missing: usize,
    /// The first of those that are not found.
    pub named: Vec<String>,
    /// How many could not be looked for, since a call failed.
    pub untold: usize,
}

impl Presence {
    /// Whether there is nothing of the corpus.
    pub fn is_absent(&self) -> bool {
        self.missing == self.documents
    }
}

impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place: Place { contract, transport }, documents, missing, named, .. } = self;
        if self.is_absent() {
            return write!(
                f,
                "the corpus is not there: {contract} over {transport} shows none of its {documents} documents; load \
                 fixtures/{contract}/corpus"
            );
        }
        let more = missing - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        write!(
            f,
            "the corpus is there in part: {contract} over {transport} does not show {missing} of its {documents} \
             documents, so that what needs them may fail: {}{more}",
            named.join(", ")
        )
    }
}
