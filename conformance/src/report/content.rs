//! Reports without the content of what was asked and answered: texts become fingerprints, equal ones the same.
//!
//! What stays: numbers, truth values, the names of fields that a contract speaks of, and the words of our own that say what
//! became of a call. The caller gives a random key for the fingerprints and keeps it nowhere,
//! so that nobody can try texts against them.

use crate::ledger::RunLog;
use crate::load::Suite;
use crate::model::{Finding, Outcome};
use crate::text::pointer::renamed;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::hash::BuildHasher;

/// The frame of evidence: names and words that are ours.
const OURS: &[&str] = &[
    "accepted",
    "answer",
    "body",
    "code",
    "column",
    "content",
    "elapsed",
    "error",
    "exit",
    "failed",
    "failure",
    "headers",
    "index",
    "initialize",
    "isError",
    "items",
    "line",
    "lines",
    "message",
    "operation",
    "over",
    "outputSchema",
    "parsed",
    "problems",
    "raw",
    "refused",
    "request",
    "result",
    "sent",
    "sent_at",
    "signal",
    "status",
    "stderr",
    "structuredContent",
    "text",
    "tools",
    "type",
    "with",
];

/// Takes the content out of a run. `key` makes the fingerprints.
pub fn hidden(mut log: RunLog, suite: &Suite, key: impl BuildHasher) -> RunLog {
    let fields = suite.contracts.iter().flat_map(|contract| &contract.fields).map(String::as_str);
    let operations = suite.contracts.iter().flat_map(|contract| contract.contract.operations.keys());
    let known = fields.chain(operations.map(String::as_str)).chain(OURS.iter().copied()).collect();
    let hider = Hider { known, key };
    for case in &mut log.cases {
        let evidence = std::mem::take(&mut case.evidence);
        case.evidence = hider.evidence(evidence);
    }
    for entry in &mut log.ledger.entries {
        hider.finding(&mut entry.finding);
    }
    for row in log.ledger.rows.iter_mut().filter(|row| row.outcome == Outcome::NotExercised) {
        row.reason = row.reason.take().map(|_| LEFT_OUT.to_owned());
    }
    // What a program says may quote what it was asked.
    log.header.said.clear();
    // An address may hold a name, a path or an argument of the user's own.
    log.header.addresses.clear();
    for problem in &mut log.totals.problems {
        *problem = LEFT_OUT.to_owned();
    }
    log
}

/// What stands for a message that may quote content.
const LEFT_OUT: &str = "the reason is left out, as it may quote content";

struct Hider<'h, K> {
    known: BTreeSet<&'h str>,
    key: K,
}

impl<K: BuildHasher> Hider<'_, K> {
    fn evidence(&self, evidence: Value) -> Value {
        match evidence {
            Value::Array(parts) => parts.into_iter().map(|part| self.evidence(part)).collect(),
            Value::Object(mut exchange) => {
                if let Some(request) = exchange.get_mut("request") {
                    // How it was sent repeats what was asked.
                    request["sent"] = Value::Null;
                }
                let kept = ["sent_at", "elapsed"].map(|name| (name, exchange.remove(name)));
                let mut hidden = self.value(Value::Object(exchange));
                for (name, value) in kept {
                    hidden[name] = value.unwrap_or_default();
                }
                hidden
            }
            other => other,
        }
    }

    fn finding(&self, finding: &mut Finding) {
        for detail in &mut finding.details {
            // Words that quote nothing can stay; those of rules may quote an answer anywhere.
            if !QUOTES_NOTHING.contains(&detail.message.as_str()) {
                detail.message = LEFT_OUT.to_owned();
            }
            detail.at = detail.at.take().map(|at| self.pointer(&at));
            detail.expected = detail.expected.take().map(|value| self.value(value));
            detail.found = detail.found.take().map(|value| self.value(value));
        }
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => json!(self.word(&text)),
            Value::Array(values) => values.into_iter().map(|value| self.value(value)).collect(),
            Value::Object(fields) => {
                let hidden: Map<String, Value> =
                    fields.into_iter().map(|(name, value)| (self.word(&name), self.value(value))).collect();
                Value::Object(hidden)
            }
            other => other,
        }
    }

    fn pointer(&self, at: &str) -> String {
        renamed(at, |name| if name.parse::<usize>().is_ok() { name.to_owned() } else { self.word(name) })
    }

    /// A word of ours as it is, and anything else as a fingerprint.
    fn word(&self, text: &str) -> String {
        if text.is_empty() || self.known.contains(text) {
            return text.to_owned();
        }
        let print = self.key.hash_one(text) >> 24;
        format!("[{} characters, {print:010x}]", text.chars().count())
    }
}

/// Messages of the judge's own that quote nothing.
const QUOTES_NOTHING: &[&str] = &["is not as it is due", "the call failed", "nothing is there"];
