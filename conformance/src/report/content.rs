//! Reports without the content of what was asked and answered: texts become fingerprints, equal ones the same.
//!
//! What stays: numbers, truth values, the names of fields that a contract speaks of, the words of our own that say what became of a
//! call, and texts that are in our own public files: what cases ask and expect, and the corpora where the target holds them. The command
//! that repeats a request stays where all its arguments are of that kind. The caller gives a random key for the fingerprints and keeps it
//! nowhere, so that nobody can try texts against them.

use super::wording;
use crate::ledger::RunLog;
use crate::load::{OwnTexts, Suite};
use crate::model::{CaseRun, Finding, Outcome};
use crate::text::pointer::renamed;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::hash::BuildHasher;

/// The frame of evidence: names and words that are ours.
const OURS: &[&str] = &[
    "accepted",
    "answer",
    "array",
    "body",
    "boolean",
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
    "integer",
    "isError",
    "items",
    "line",
    "lines",
    "message",
    "null",
    "number",
    "object",
    "operation",
    "outputSchema",
    "over",
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
    "string",
    "structuredContent",
    "text",
    "tools",
    "type",
    "with",
];

/// Takes the content out of a run. `own` are the texts of our files, and `key` makes the fingerprints.
pub fn hidden(mut log: RunLog, suite: &Suite, own: OwnTexts, key: impl BuildHasher) -> RunLog {
    let fields = suite.contracts.iter().flat_map(|contract| &contract.fields).map(String::as_str);
    let operations = suite.contracts.iter().flat_map(|contract| contract.contract.operations.keys());
    let known = fields.chain(operations.map(String::as_str)).chain(OURS.iter().copied()).collect();
    let OwnTexts { asked: mut own, mut corpora } = own;
    // Of a target that does not hold our corpus, an equal text is its own.
    if holds_corpus(&log, suite) {
        own.append(&mut corpora);
    }
    let hider = Hider { known, own, key };
    let seed = log.header.seed;
    for case in &mut log.cases {
        let again = again(case, seed);
        let evidence = std::mem::take(&mut case.evidence);
        case.evidence = hider.evidence(evidence, &again);
    }
    for entry in &mut log.ledger.entries {
        hider.finding(&mut entry.finding);
    }
    for row in log.ledger.rows.iter_mut().filter(|row| row.outcome == Outcome::NotExercised) {
        row.reason = row.reason.take().map(|reason| hider.message(&reason));
    }
    // What a program says may quote what it was asked.
    log.header.said.clear();
    for problem in &mut log.totals.problems {
        *problem = LEFT_OUT.to_owned();
    }
    log
}

/// Whether a case was judged that only runs where our corpus is.
fn holds_corpus(log: &RunLog, suite: &Suite) -> bool {
    let needs_corpus = suite.contracts.iter().flat_map(|one| &one.cases).filter(|case| case.corpus_part().is_some());
    let names: BTreeSet<&str> = needs_corpus.map(|case| case.name.as_str()).collect();
    log.header.corpora.is_empty()
        && log
            .ledger
            .entries
            .iter()
            .any(|entry| entry.finding.exercised > 0 && names.contains(entry.finding.case.as_str()))
}

/// What repeats a case where its requests cannot be shown.
fn again(case: &CaseRun, seed: u64) -> String {
    format!("verify {} --case {} --seed {seed}", case.contract.words(), case.case)
}

/// What stands for a message that may quote content.
const LEFT_OUT: &str = "the reason is left out, as it may quote content";

struct Hider<'h, K> {
    known: BTreeSet<&'h str>,
    /// Texts of our own files.
    own: BTreeSet<String>,
    key: K,
}

impl<K: BuildHasher> Hider<'_, K> {
    fn evidence(&self, evidence: Value, again: &str) -> Value {
        match evidence {
            Value::Array(parts) => parts.into_iter().map(|part| self.evidence(part, again)).collect(),
            Value::Object(mut exchange) => {
                let mut sent = Value::Null;
                if let Some(request) = exchange.get_mut("request") {
                    // How it was sent repeats what was asked.
                    sent = request["sent"].take();
                    if !self.is_own(&request["with"]) {
                        sent = json!({ "again": again });
                    }
                }
                let kept = ["sent_at", "elapsed"].map(|name| (name, exchange.remove(name)));
                let redacted = exchange.remove("redacted");
                let mut hidden = self.value(Value::Object(exchange));
                for (name, value) in kept {
                    hidden[name] = value.unwrap_or_default();
                }
                if let Some(redacted) = redacted {
                    hidden["redacted"] = redacted;
                }
                hidden["request"]["sent"] = sent;
                hidden
            }
            other => other,
        }
    }

    /// Whether every text in a value is of our files.
    fn is_own(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.own.contains(text),
            Value::Array(values) => values.iter().all(|value| self.is_own(value)),
            Value::Object(fields) => fields.iter().all(|(name, value)| self.is_known(name) && self.is_own(value)),
            _ => true,
        }
    }

    fn finding(&self, finding: &mut Finding) {
        for detail in &mut finding.details {
            detail.message = self.message(&detail.message);
            detail.at = detail.at.take().map(|at| self.pointer(&at));
            detail.expected = detail.expected.take().map(|value| self.value(value));
            detail.found = detail.found.take().map(|value| self.value(value));
        }
    }

    /// A message without its quotes.
    fn message(&self, message: &str) -> String {
        let shown = wording::without_quotes(message, |word| self.known.contains(word), |quote| self.word(quote));
        shown.unwrap_or_else(|| LEFT_OUT.to_owned())
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

    fn is_known(&self, text: &str) -> bool {
        text.is_empty() || self.known.contains(text) || self.own.contains(text)
    }

    /// A text of ours unchanged, and anything else as a fingerprint.
    fn word(&self, text: &str) -> String {
        if self.is_known(text) {
            return text.to_owned();
        }
        let print = self.key.hash_one(text) >> 24;
        format!("[{} characters, {print:010x}]", text.chars().count())
    }
}
