//! The report for programs.

use super::inert;
use crate::ledger::Outcome;
use crate::log::RunLog;
use serde_json::{Value, json};

/// The version of the form of this report.
pub const FORMAT: &str = "conformance-report/1";

/// The report as text that is indented, ends with a line end, and is inert.
pub fn text(log: &RunLog) -> String {
    inert::json(&format!("{:#}\n", render(log)))
}

/// The ledger and the failures of a run, as JSON.
pub fn render(log: &RunLog) -> Value {
    let rows: Vec<Value> = log
        .ledger
        .rows
        .iter()
        .map(|row| {
            json!({ "contract": row.contract, "transport": row.transport, "requirement": row.requirement.id,
                    "level": row.requirement.level, "origin": row.requirement.origin, "section": row.requirement.section,
                    "text": row.requirement.text, "outcome": row.outcome, "checks": row.checks, "exercised": row.exercised,
                    "reason": row.reason })
        })
        .collect();
    let findings: Vec<Value> = log
        .ledger
        .entries
        .iter()
        .filter(|entry| entry.outcome != Outcome::Verified)
        .map(|entry| {
            let finding = &entry.finding;
            let exchange = log.exchange(finding);
            json!({ "finding": finding, "outcome": entry.outcome, "reason": entry.reason,
                    "repeat": exchange.and_then(super::repeat::command) })
        })
        .collect();
    json!({ "format": FORMAT, "run": log.header, "totals": log.totals, "requirements": rows, "findings": findings,
            "stale": log.ledger.stale, "idle": log.ledger.idle, "excluded": log.excluded })
}
