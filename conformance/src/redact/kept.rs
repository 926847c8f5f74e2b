//! What is kept of a case once it is judged: evidence and findings, without secrets.

use super::Redactor;
use super::redactor::{Marks, below};
use super::secrets::Secrets;
use crate::model::{Detail, Finding, KEPT_OF_STDERR};
use crate::path::exchanges;
use crate::text::pointer::renamed;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The parts of an exchange that hold what somebody else wrote.
const OF_OTHERS: [&str; 9] = [
    "/request/with",
    "/request/sent",
    "/answer",
    "/items",
    "/lines",
    "/parsed",
    "/problems",
    "/raw/failure/detail",
    "/raw/retried",
];

impl Redactor {
    /// Takes secrets out of all that is kept of a case: those that are known, and those that its exchanges show by themselves.
    pub(crate) fn case(&self, evidence: &mut Value, findings: &mut [Finding], retried: &mut [String]) {
        let by = self.knowing(evidence, findings);
        for finding in findings {
            finding.details.iter_mut().for_each(|detail| by.detail(detail));
        }
        retried.iter_mut().for_each(|why| by.message(why));
        let steps = evidence.as_array_mut().into_iter().flatten();
        for exchange in steps.flat_map(|step| step.as_array_mut().into_iter().flatten()) {
            by.exchange(exchange);
        }
    }

    /// The same redactor with the secrets of evidence: first of the exchanges that findings speak of.
    fn knowing(&self, evidence: &Value, findings: &[Finding]) -> Cow<'_, Self> {
        let pointed = findings.iter().flat_map(|finding| &finding.details).filter_map(Detail::exchange);
        let pointed = pointed.filter_map(|(step, index)| evidence.get(step)?.get(index));
        let mut more = Secrets::default();
        for exchange in pointed.chain(exchanges(evidence).map(|one| one.value)) {
            if more.is_full() {
                break;
            }
            more.exchange(exchange);
        }
        self.with(&more)
    }

    /// Takes in more secrets. Once there are too many, all are forgotten but those of a base: they pass with every request.
    pub(crate) fn knowing_also(self, base: &Secrets, more: &Secrets) -> Self {
        if self.secrets.knows(more) {
            return self;
        }
        let mut secrets = if self.secrets.is_full() { base.clone() } else { self.secrets };
        secrets.extend(more);
        Self::new(secrets)
    }

    fn with(&self, more: &Secrets) -> Cow<'_, Self> {
        if self.secrets.knows(more) {
            return Cow::Borrowed(self);
        }
        let mut secrets = self.secrets.clone();
        secrets.extend(more);
        Cow::Owned(Self::new(secrets))
    }

    /// Takes secrets out of an exchange, and marks in it where that was.
    pub(crate) fn exchange(&self, exchange: &mut Value) {
        let mut own = Secrets::default();
        own.exchange(exchange);
        let by = self.with(&own);
        let is_cut = matches!(exchange["raw"]["failure"]["kind"].as_str(), Some("too-large" | "too-many"));
        let mut marks = Marks::new();
        for at in OF_OTHERS {
            let Some(part) = exchange.pointer_mut(at) else { continue };
            let found = match at {
                "/lines" => by.lines(part),
                _ => by.value(part, is_cut),
            };
            below(&mut marks, at, found);
        }
        // The beginning is kept of what a program says on standard error.
        if let Some(Value::String(stderr)) = exchange.pointer_mut("/answer/stderr")
            && stderr.len() + 3 >= KEPT_OF_STDERR
        {
            let labels = by.text(stderr, true);
            marks.entry("/answer/stderr".to_owned()).or_default().extend(labels);
        }
        marks.retain(|_, labels| !labels.is_empty());
        if !marks.is_empty() {
            exchange["redacted"] = json!(marks);
        }
    }

    /// A secret may be several lines long.
    fn lines(&self, lines: &mut Value) -> Marks {
        if self.knows_nothing() {
            return Marks::new();
        }
        let whole = lines.as_array().map(|lines| lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"));
        let Some(mut text) = whole else { return Marks::new() };
        let labels = self.text(&mut text, false);
        if labels.is_empty() {
            return Marks::new();
        }
        let redacted: Value = text.split('\n').collect();
        let pairs = redacted.as_array().into_iter().flatten().zip(lines.as_array().into_iter().flatten()).enumerate();
        let is_same_count = redacted.as_array().map(Vec::len) == lines.as_array().map(Vec::len);
        let marks = match is_same_count {
            true => pairs
                .filter(|(_, (new, old))| new != old)
                .map(|(at, (new, _))| {
                    (format!("/{at}"), labels.iter().filter(|one| holds(new, one)).cloned().collect())
                })
                .collect(),
            false => Marks::from([(String::new(), labels)]),
        };
        *lines = redacted;
        marks
    }

    fn detail(&self, detail: &mut Detail) {
        self.message(&mut detail.message);
        detail.at = detail.at.take().map(|at| renamed(&at, |name| self.redacted(name)));
        for value in [&mut detail.expected, &mut detail.found].into_iter().flatten() {
            self.value(value, false);
        }
    }
}

fn holds(line: &Value, label: &str) -> bool {
    line.as_str().is_some_and(|line| line.contains(label))
}
