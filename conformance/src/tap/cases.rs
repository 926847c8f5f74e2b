//! Cases that a session happens to ask: calls that stand in a case in full, and that somebody made.

use crate::load::{Case, ContractSuite, Suite};
use crate::model::{Channel, Operation, size};
use crate::rejudge::{Judging, bound};
use crate::rules::equal;
use crate::transport::plain;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// So many calls are remembered for each step.
const MOST_REMEMBERED: usize = 4;

/// So many bytes of calls are remembered, as they lie in memory.
const MOST_BYTES: usize = 64 << 20;

/// The cases of every contract at every transport that something was heard of.
#[derive(Debug, Default)]
pub(super) struct Cases {
    sought: BTreeMap<(usize, Channel), Vec<Sought>>,
    /// The calls that are remembered for any step, the oldest first, with their bytes.
    remembered: VecDeque<(Arc<Value>, usize)>,
    bytes: usize,
}

/// A case that may be asked, with what was heard of its steps.
#[derive(Debug)]
struct Sought {
    /// The case, by position.
    case: usize,
    steps: Vec<VecDeque<Candidate>>,
}

/// A call that is what a step asks.
#[derive(Debug, Clone)]
struct Candidate {
    exchange: Arc<Value>,
    /// What the client chose for what the case leaves open.
    given: Map<String, Value>,
}

impl Cases {
    /// The cases that are asked to their end by a call, with their evidence.
    pub(super) fn heard(
        &mut self,
        suite: &Suite,
        judging: &Judging,
        (contract, kind): (usize, Channel),
        exchange: &Arc<Value>,
    ) -> Vec<(usize, Vec<Arc<Value>>)> {
        let Some(of_contract) = suite.nth(contract) else { return Vec::new() };
        let sought = self.sought.entry((contract, kind)).or_insert_with(|| sought(of_contract, judging, kind));
        let request = &exchange["request"];
        let name = request["operation"].as_str().unwrap_or_default();
        let (Some(operation), Some(with)) = (of_contract.contract.operations.get(name), request["with"].as_object())
        else {
            return Vec::new();
        };
        let (mut asked, mut is_remembered) = (Vec::new(), false);
        for sought in sought {
            let case = &of_contract.cases[sought.case];
            let mut is_new = false;
            for (step, remembered) in case.steps.iter().zip(&mut sought.steps) {
                let is_same = |wanted: &Value, value: &Value| same(wanted, value, operation, kind);
                let given = (step.call == name).then(|| bound(&step.with, with, is_same)).flatten();
                let Some(given) = given.filter(|given| is_due(given, case, operation)) else { continue };
                (is_new, is_remembered) = (true, true);
                remembered.truncate(MOST_REMEMBERED - 1);
                remembered.push_front(Candidate { exchange: Arc::clone(exchange), given });
            }
            if is_new && let Some(evidence) = sought.evidence(exchange) {
                asked.push((sought.case, evidence));
            }
        }
        if is_remembered {
            let bytes = size::of(exchange);
            self.bytes += bytes;
            self.remembered.push_back((Arc::clone(exchange), bytes));
        }
        asked
    }

    /// Forgets the oldest calls, once all of them take too much memory. Returns how many were still of use.
    pub(super) fn forget(&mut self) -> usize {
        let mut of_use = 0;
        while let Some((exchange, bytes)) =
            self.remembered.pop_front_if(|(exchange, _)| self.bytes > MOST_BYTES || Arc::strong_count(exchange) == 1)
        {
            self.bytes -= bytes;
            of_use += usize::from(Arc::strong_count(&exchange) > 1);
            let steps = self.sought.values_mut().flatten().flat_map(|sought| &mut sought.steps);
            steps.for_each(|step| step.retain(|candidate| !Arc::ptr_eq(&candidate.exchange, &exchange)));
        }
        of_use
    }
}

fn sought(suite: &ContractSuite, judging: &Judging, kind: Channel) -> Vec<Sought> {
    let cases = suite.cases.iter().enumerate().filter(|(_, case)| judging.can_be_heard(case, suite, kind));
    cases.map(|(at, case)| Sought { case: at, steps: vec![VecDeque::new(); case.steps.len()] }).collect()
}

impl Sought {
    /// One call for each step, this one among them, all with the same values for what the case leaves open. One of them
    /// has to be accepted, so that it is known that such values make sense.
    fn evidence(&self, newest: &Arc<Value>) -> Option<Vec<Arc<Value>>> {
        let first =
            |steps: &VecDeque<Candidate>| steps.front().filter(|one| Arc::ptr_eq(&one.exchange, newest)).cloned();
        let newest = self.steps.iter().find_map(first)?;
        let (mut given, mut evidence) = (newest.given.clone(), Vec::new());
        for steps in &self.steps {
            let fits = |candidate: &&Candidate| {
                let mut all = candidate.given.iter();
                let is_used = evidence.iter().any(|used| Arc::ptr_eq(used, &candidate.exchange));
                !is_used && all.all(|(name, value)| given.get(name).is_none_or(|other| other == value))
            };
            let chosen = steps.iter().find(fits)?;
            given.extend(chosen.given.clone());
            evidence.push(Arc::clone(&chosen.exchange));
        }
        let makes_sense = given.is_empty() || evidence.iter().any(|exchange| exchange["status"] == "accepted");
        (makes_sense && evidence.iter().any(|used| Arc::ptr_eq(used, &newest.exchange))).then_some(evidence)
    }
}

/// Whether the values that the client chose are those of the corpus, where the case speaks of it.
fn is_due(given: &Map<String, Value>, case: &Case, operation: &Operation) -> bool {
    case.corpus_part().is_none() || given.iter().all(|(name, value)| operation.example.get(name) == Some(value))
}

/// Whether two values are the same on the wire.
fn same(wanted: &Value, value: &Value, operation: &Operation, kind: Channel) -> bool {
    if operation.carries_json_over(kind.protocol()) {
        return equal(wanted, value);
    }
    let parts = |value: &Value| -> Vec<String> {
        let parts = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        parts.iter().map(plain).collect()
    };
    parts(wanted) == parts(value)
}
