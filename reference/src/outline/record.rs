//! A record, and its state in the workflow.

use serde::{Deserialize, Serialize};

/// A record as a line of the corpus gives it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) state: State,
    pub(crate) parent_id: Option<String>,
    /// Empty where there is none.
    #[serde(default)]
    pub(crate) body: String,
}

/// The workflow state of a record.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum State {
    Open,
    Later,
    Resolved,
    Discarded,
}

impl State {
    /// Its letter in an outline.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::Open => 'O',
            Self::Later => 'L',
            Self::Resolved => 'R',
            Self::Discarded => 'D',
        }
    }
}
