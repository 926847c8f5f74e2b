//! The exchanges in which a target was asked, and what tells whether a check that always applies speaks of them.

use super::obstacle::was_asked;
use crate::load::Case;
use crate::path::{ExchangeAt, exchanges};
use serde_json::Value;

/// An exchange in which the target was asked, and what tells whether a check applies to it.
pub(super) struct AskedExchange<'e> {
    pub(super) at: ExchangeAt<'e>,
    pub(super) is_accepted: bool,
    pub(super) operation: &'e str,
    pub(super) with: &'e Value,
    /// Whether it went to another endpoint than its case.
    pub(super) is_elsewhere: bool,
    /// Whether a refusal is expected, or as good as an answer.
    pub(super) may_be_refused: bool,
    /// Whether the answer may be a refusal: what a server says in its place has no form.
    pub(super) has_no_form: bool,
}

/// The exchanges of a case in which the target was asked.
pub(super) fn asked<'e>(case: &Case, evidence: &'e Value) -> Vec<AskedExchange<'e>> {
    let all = exchanges(evidence).filter(|exchange| was_asked(exchange.value));
    let asked = all.map(|exchange| {
        let (request, step) = (&exchange.value["request"], case.steps.get(exchange.step));
        let may_be_refused = step.is_some_and(|step| step.free || step.twin.is_some());
        AskedExchange {
            at: exchange,
            is_accepted: exchange.status() == "accepted",
            operation: request["operation"].as_str().unwrap_or_default(),
            with: &request["with"],
            is_elsewhere: request.get("over").is_some(),
            may_be_refused,
            has_no_form: may_be_refused && exchange.value["items"].is_null(),
        }
    });
    asked.collect()
}
