//! The report in the Common Test Report Format (ctrf.io).

use super::{OwnProblem, calls, own_problems};
use crate::ledger::RunLog;
use crate::model::{Entry, Outcome};
use crate::text::inert;
use serde_json::{Value, json};

/// The version of the format.
const SPEC: &str = "0.0.0";

/// The report as text that is indented, ends with a line end, and is inert.
pub fn text(log: &RunLog) -> String {
    inert::json(&format!("{:#}\n", render(log)))
}

fn render(log: &RunLog) -> Value {
    let mut tests: Vec<Value> = log.ledger.entries.iter().map(|entry| test(log, entry)).collect();
    tests.extend(own_problems(log).into_iter().enumerate().map(|(at, own)| own_test(at, &own)));
    let count = |status: &str| tests.iter().filter(|test| test["status"] == status).count();
    // A run whose start cannot be read began at the beginning of time.
    let start = log.header.started.timestamp_millis();
    json!({
        "reportFormat": "CTRF",
        "specVersion": SPEC,
        "results": {
            "tool": { "name": "conformance", "version": log.header.suite },
            "summary": {
                "tests": tests.len(),
                "passed": count("passed"),
                "failed": count("failed"),
                "skipped": count("skipped"),
                "pending": count("pending"),
                "other": count("other"),
                "start": start,
                "stop": start + (log.totals.elapsed * 1000.0) as i64,
                "extra": {
                    "conclusion": log.totals.conclusion,
                    "exitCode": log.totals.exit_code,
                    "exercised": log.totals.exercised,
                    "numbers": super::numbers::told(log),
                    "notes": super::notes(log).iter().map(|note| inert::line(note)).collect::<Vec<_>>(),
                },
            },
            "tests": tests,
        },
    })
}

fn test(log: &RunLog, entry: &Entry) -> Value {
    let finding = &entry.finding;
    let status = match entry.outcome {
        Outcome::Verified => "passed",
        Outcome::Violated => "failed",
        Outcome::Incomplete | Outcome::Unsteady => "other",
        Outcome::Advice
        | Outcome::ClientAdvice
        | Outcome::KnownFailure
        | Outcome::NotExercised
        | Outcome::Unsupported => "skipped",
    };
    let elapsed = log.first_exchange(finding).and_then(|exchange| exchange["elapsed"].as_f64()).unwrap_or(0.0);
    let mut test = json!({
        "name": format!("{} in {} over {}", finding.requirement, finding.case, finding.transport),
        "status": status,
        "duration": (elapsed * 1000.0).round() as i64,
        "suite": [format!("{}.{}", finding.contract, finding.transport.word())],
        "rawStatus": entry.outcome.to_string(),
        "extra": { "requirement": finding.requirement, "case": finding.case },
    });
    if let Some(revision) = super::revision(log, &finding.place()) {
        test["extra"]["contractRevision"] = revision.into();
    }
    if let Some(revision) = log.header.revision_at(&finding.place()) {
        test["extra"]["mcpProtocolVersion"] = inert::line(revision).into();
    }
    let clients = super::clients(log, &finding.requirement);
    if !clients.is_empty() {
        test["extra"]["clients"] = json!(clients);
    }
    if let Some(retried) = super::retried(finding, log) {
        test["retries"] = Value::from(retried.times);
        test["flaky"] = Value::from(entry.outcome == Outcome::Verified);
        test["extra"]["askedAgain"] = Value::from(inert::line(&retried.why));
    }
    if finding.unsteady.is_some() {
        test["flaky"] = true.into();
    }
    let why = entry.reason.clone().or_else(|| calls::first(log, finding));
    if let Some(why) = why.filter(|_| entry.outcome != Outcome::Verified) {
        test["message"] = Value::from(inert::line(&why));
        if entry.outcome != Outcome::NotExercised {
            test["trace"] = Value::from(calls::text(log, finding).trim_end());
        }
    }
    test
}

/// What fails the run and belongs to no check.
fn own_test(at: usize, own: &OwnProblem) -> Value {
    let text = inert::line(&own.text);
    json!({
        "name": format!("{}. {}", at + 1, inert::short(&text, 120)),
        "status": if own.fails { "failed" } else { "other" },
        "duration": 0,
        "suite": ["run"],
        "message": text,
    })
}
