//! What an endpoint holds of the corpus.

use super::Place;
use crate::text::listed;
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
    /// Whether a seed had put all of them in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seeded: bool,
}

/// How long the corpus was waited for at an endpoint after it was seeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Settled {
    /// The endpoint.
    pub place: Place,
    /// The seconds from the end of the seed to the last look.
    pub seconds: f64,
    /// Whether all of the corpus was there then.
    pub whole: bool,
}

impl fmt::Display for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place: Place { contract, transport }, seconds, whole } = self;
        let what = if *whole { "all of the corpus was there" } else { "not all of the corpus was there" };
        write!(f, "{contract} over {transport}: {what} {seconds:.1} s after the seed had ended")
    }
}

impl Presence {
    /// Whether there is nothing of the corpus.
    pub fn is_absent(&self) -> bool {
        self.missing == self.documents
    }
}

impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place: Place { contract, transport }, documents, missing, named, seeded, .. } = self;
        let name = contract.name();
        if self.is_absent() {
            return write!(
                f,
                "the corpus is not there: {contract} over {transport} shows none of its {documents} documents; load \
                 fixtures/{name}/corpus"
            );
        }
        let seeded = if *seeded { ", which a seed had put in" } else { "" };
        write!(
            f,
            "the corpus is there in part: {contract} over {transport} does not show {missing} of its {documents} \
             documents{seeded}, so that what needs them may fail: {}",
            listed(named, *missing)
        )
    }
}
