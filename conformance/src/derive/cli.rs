//! What a process printed → its answer.

use super::derived::Derived;
use crate::model::{Body, Failure, Status};
use serde_json::json;

/// `{exit, signal, stderr}`, and its standard output as text.
pub(super) fn answer(
    (exit, signal): (Option<i32>, Option<i32>),
    (stdout, stderr): (&Body, &Body),
    failure: Option<Failure>,
) -> Derived {
    let failure = signal.map(Failure::Signal).or(failure);
    let status = match (&failure, exit) {
        (None, Some(0)) => Status::Accepted,
        (None, Some(_)) => Status::Refused,
        _ => Status::Failed,
    };
    Derived {
        status,
        failure,
        answer: json!({ "exit": exit, "signal": signal, "stderr": stderr.text() }),
        text: Some(stdout.text().into_owned()),
        problems: Vec::new(),
    }
}
