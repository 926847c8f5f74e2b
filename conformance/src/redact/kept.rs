//! What is kept of a case once it is judged: evidence and findings, without secrets.

use super::Redactor;
use super::redactor::{Marks, below};
use super::secrets::Secrets;
use crate::model::{Detail, Finding, KEPT_OF_STDERR};
use crate::path::exchanges;
use crate::text::pointer::renamed;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;

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
        let own: Vec<((usize, usize), Secrets)> =
            exchanges(evidence).map(|one| ((one.step, one.index), Secrets::of_exchange(one.value))).collect();
        let by = self.knowing(&own, findings);
        for finding in findings {
            finding.details.iter_mut().for_each(|detail| by.detail(detail));
        }
        retried.iter_mut().for_each(|why| by.message(why));
        for ((step, index), own) in own {
            // There may be more secrets than are known everywhere; an exchange shows none of its own.
            by.with(&own).exchange(&mut evidence[step][index]);
        }
    }

    /// The same redactor with the secrets of exchanges, by their places: first of those that findings speak of.
    fn knowing(&self, own: &[((usize, usize), Secrets)], findings: &[Finding]) -> Cow<'_, Self> {
        let pointed: BTreeSet<(usize, usize)> =
            findings.iter().flat_map(|finding| &finding.details).filter_map(Detail::exchange).collect();
        let (first, then): (Vec<_>, Vec<_>) = own.iter().partition(|(at, _)| pointed.contains(at));
        let mut more = Secrets::default();
        for (_, own) in first.into_iter().chain(then) {
            if more.is_full() {
                break;
            }
            more.extend(own);
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
    fn exchange(&self, exchange: &mut Value) {
        let is_cut = matches!(exchange["raw"]["failure"]["kind"].as_str(), Some("too-large" | "too-many"));
        let mut marks = Marks::new();
        for at in OF_OTHERS {
            let Some(part) = exchange.pointer_mut(at) else { continue };
            let found = match at {
                "/lines" => self.lines(part),
                _ => self.value(part, is_cut),
            };
            below(&mut marks, at, found);
        }
        // The beginning is kept of what a program says on standard error.
        if let Some(Value::String(stderr)) = exchange.pointer_mut("/answer/stderr")
            && stderr.len() + 3 >= KEPT_OF_STDERR
        {
            let labels = self.text(stderr, true);
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
