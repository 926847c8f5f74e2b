//! One rule, tried on evidence that a test writes down.

use crate::tea;
use conformance::model::Verdict;
use serde_json::{Value, json};

/// What a check says.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) verdict: Verdict,
    pub(crate) exercised: usize,
    /// Its reasons, in lines.
    pub(crate) why: String,
}

/// Judges values by a rule: each stands in the answer of one accepted exchange, under the name of its selection, where
/// `select` finds it.
pub(crate) fn try_rule(rule: &str, select: &Value, args: &Value, answer: &Value) -> Said {
    let check = json!({ "select": select, "rule": rule, "args": args });
    let evidence =
        json!([[{ "status": "accepted", "request": { "operation": "brew", "with": {} }, "answer": answer }]]);
    let judgement = tea::judged(&json!([{ "call": "brew" }]), check, &evidence);
    let why = judgement.details.iter().map(|detail| format!("{}\n", detail.message)).collect();
    Said { verdict: judgement.verdict, exercised: judgement.exercised, why }
}
