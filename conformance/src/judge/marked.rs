//! What can no longer be judged of evidence that was written: checks that read what was taken out of it.

use super::{Applying, AskedExchange, applying, asked, select};
use crate::load::{Always, Case, Check, ContractSuite, Selector};
use crate::path::{Located, exchanges};
use serde_json::Value;
use std::collections::BTreeSet;

/// How a request went holds secrets by its nature, and a check of the whole exchange is not about it.
const SENT: &str = "/request/sent";

/// The requirements of checks that read a marked value of the evidence of a case.
pub(crate) fn unreadable(
    case: &Case,
    suite: &ContractSuite,
    transports: &[&Always],
    evidence: &Value,
) -> BTreeSet<String> {
    let Some(marks) = Marks::of(evidence) else { return BTreeSet::new() };
    let mut unreadable = marks.readers(case, evidence);
    let asked = asked(case, evidence);
    for always in transports.iter().copied().chain(&suite.always) {
        if marks.is_read_by_always(always, case, evidence, &asked) {
            unreadable.insert(always.check.requirement.clone());
        }
    }
    unreadable
}

/// The same of the checks of the case alone.
pub(crate) fn unreadable_cases(case: &Case, evidence: &Value) -> BTreeSet<String> {
    Marks::of(evidence).map(|marks| marks.readers(case, evidence)).unwrap_or_default()
}

struct Marks {
    /// Pointers into evidence.
    at: Vec<String>,
    /// Whether keys were taken out too, so that a path may find nothing where there was something.
    has_keys: bool,
}

impl Marks {
    fn of(evidence: &Value) -> Option<Self> {
        let mut marks = Self { at: Vec::new(), has_keys: false };
        for exchange in exchanges(evidence) {
            for at in exchange.value["redacted"].as_object().into_iter().flat_map(|marks| marks.keys()) {
                marks.has_keys |= !at.starts_with(SENT) && exchange.value.pointer(at).is_some_and(Value::is_object);
                marks.at.push(format!("{}{at}", exchange.pointer()));
            }
        }
        (!marks.at.is_empty()).then_some(marks)
    }

    /// The requirements of the checks of a case that read a mark.
    fn readers(&self, case: &Case, evidence: &Value) -> BTreeSet<String> {
        let read = case.checks.iter().filter(|check| self.is_read_by(check, case, evidence));
        read.map(|check| check.requirement.clone()).collect()
    }

    fn is_read_by(&self, check: &Check, case: &Case, evidence: &Value) -> bool {
        match &check.each {
            Some(Selector::Evidence(path)) => {
                let nodes = path.exchanges(evidence).into_iter().flat_map(|exchange| path.inside(exchange));
                nodes.collect::<Vec<_>>().iter().any(|node| self.is_selected_by(check, case, evidence, Some(node)))
            }
            _ => self.is_selected_by(check, case, evidence, None),
        }
    }

    fn is_read_by_always(&self, always: &Always, case: &Case, evidence: &Value, asked: &[AskedExchange<'_>]) -> bool {
        let Some(Applying { nodes, free, .. }) = applying(always, case, asked.iter()) else { return false };
        nodes.iter().chain(&free).any(|node| self.is_selected_by(&always.check, case, evidence, Some(node)))
    }

    fn is_selected_by<'e>(
        &self,
        check: &'e Check,
        case: &Case,
        evidence: &'e Value,
        node: Option<&Located<'e>>,
    ) -> bool {
        let (Ok(selections) | Err((selections, _))) = select(check, case, evidence, node);
        selections.iter().any(|(_, values)| {
            self.has_keys && values.is_empty() || values.iter().any(|value| self.touches(&value.pointer))
        })
    }

    /// Whether a place holds a mark, or is within one.
    fn touches(&self, place: &str) -> bool {
        self.at.iter().any(|mark| {
            let is_of_sending = mark.contains(SENT) && !place.contains(SENT);
            is_within(mark, place) && !is_of_sending || is_within(place, mark)
        })
    }
}

/// Whether a pointer leads to a place or into it.
fn is_within(pointer: &str, place: &str) -> bool {
    pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
