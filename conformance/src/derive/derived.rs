//! What a kind of transport makes of what arrived.

use crate::model::{Failure, Problem, Status};
use serde_json::Value;

/// What is made of what arrived.
pub(super) struct Derived {
    pub(super) status: Status,
    /// Why nothing could be made of it.
    pub(super) failure: Option<Failure>,
    pub(super) answer: Value,
    pub(super) text: Option<String>,
    pub(super) problems: Vec<Problem>,
}

impl Derived {
    /// No answer, for this reason.
    pub(super) fn failed(failure: Option<Failure>) -> Self {
        let answer = Value::Null;
        Self { status: Status::Failed, failure, answer, text: None, problems: Vec::new() }
    }
}
