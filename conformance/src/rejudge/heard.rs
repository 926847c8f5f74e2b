//! What can be told of an exchange that somebody else asked for, and of the cases that a session happens to ask.

use crate::judge::{Judgement, allowed, judge_check, judge_one_always, merged, unreadable};
use crate::load::{Always, Case, Check, Comparison, ContractSuite, Selector, given, validator};
use crate::model::{Channel, ContractKey, Detail, Finding, Verdict};
use crate::path::EvidencePath;
use jsonschema::Validator;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What the parts of a session are called, with their number: they stand in a log as cases do.
pub(crate) const PART: &str = "session/";

/// By contract and operation, what judges arguments; nothing where that is no schema that can be used.
type Takes = BTreeMap<(ContractKey, String), Option<Arc<Validator>>>;

/// Judges what was heard: with one that listens, and with a log of it that is read again.
#[derive(Debug)]
pub(crate) struct Judging {
    /// By contract and operation: what arguments it takes, as far as it was asked for.
    takes: Mutex<Takes>,
    /// Whether the data of the server is known not to change.
    fixed: bool,
    any: Case,
}

impl Judging {
    pub(crate) fn new(fixed: bool) -> Self {
        let needs = if fixed { vec!["corpus".to_owned()] } else { Vec::new() };
        let any = Case { name: PART.to_owned(), needs, ..Case::default() };
        Self { takes: Mutex::default(), fixed, any }
    }

    /// What arguments an operation takes; nothing where the contract has no such operation.
    fn takes(&self, suite: &ContractSuite, operation: &str) -> Option<Arc<Validator>> {
        let made = || validator(&suite.contract.operations.get(operation)?.takes).map(Arc::new);
        let mut known = self.takes.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((suite.contract.key(), operation.to_owned())).or_insert_with(made).clone()
    }

    /// Judges one exchange, which stands at this step of a part of a session.
    ///
    /// Of an answer to arguments that the contract does not know, it says nothing: a server may have more to offer. What
    /// belongs to the transport is judged all the same.
    pub(crate) fn exchange(
        &self,
        suite: &ContractSuite,
        transports: &[&Always],
        step: usize,
        exchange: &Value,
    ) -> Vec<Judgement> {
        let request = &exchange["request"];
        let name = request["operation"].as_str().unwrap_or_default();
        let is_known = self.takes(suite, name).is_none_or(|takes| takes.is_valid(&request["with"]));
        let of_contract = suite.always.iter().filter(|_| is_known);
        let evidence = Value::Array(vec![Value::Array(vec![exchange.clone()])]);
        let all = transports.iter().copied().chain(of_contract);
        let mut judgements: Vec<Judgement> =
            all.filter_map(|always| judge_one_always(always, &self.any, &evidence)).collect();
        let details = judgements.iter_mut().flat_map(|judgement| &mut judgement.details);
        for at in details.filter_map(|detail| detail.at.as_mut()) {
            if let Some(rest) = at.strip_prefix("/0/0") {
                *at = format!("/{step}/0{rest}");
            }
        }
        judgements
    }

    /// The requirements of checks that read what was redacted of a part of a session.
    pub(crate) fn unreadable(&self, suite: &ContractSuite, transports: &[&Always], part: &Value) -> BTreeSet<String> {
        unreadable(&self.any, suite, transports, part)
    }

    /// Whether a session can ask what a case asks: calls that stand there in full, over one transport.
    pub(crate) fn can_be_heard(&self, case: &Case, suite: &ContractSuite, kind: Channel) -> bool {
        let is_plain = case.steps.iter().all(|step| {
            let is_pick = |value: &Value| value.get("$pick").is_some();
            step.sweep.is_none() && step.walk.is_none() && !step.with.values().any(is_pick)
        });
        let is_here = case.steps.iter().all(|step| step.over.is_none_or(|over| over.covers(kind.kind())));
        let is_plain = is_plain && !case.names_eras() && !case.asks_otherwise() && kind.is_in(case.era);
        let has_data = case.corpus_part().is_none() || self.fixed;
        is_plain && is_here && has_data && case.is_spoken_over(&suite.contract, kind.kind())
    }

    /// What a case says of exchanges of a session, where it can be told: checks that compare answers of different times
    /// are left out where the data may have changed between them, and so is what stays incomplete.
    pub(crate) fn case(&self, case: &Case, evidence: &Value) -> Vec<Judgement> {
        let told = case.checks.iter().filter(|check| self.fixed || !compares_times(check, evidence));
        let allowed = allowed(case, evidence).map(|(_, judgement)| judgement);
        let judgements = told.map(|check| judge_check(check, case, evidence)).chain(allowed);
        merged(judgements.filter(|judgement| self.stands(judgement, case, evidence)).collect())
    }

    /// Whether a judgement says something of the server, and nothing of what was asked of it.
    fn stands(&self, judgement: &Judgement, case: &Case, evidence: &Value) -> bool {
        match judgement.verdict {
            Verdict::Incomplete => false,
            // Where the client chose the values, a refusal may be due to them.
            Verdict::Fail if !self.fixed && case.given().next().is_some() => {
                let is_accepted = |(step, index): (usize, usize)| evidence[step][index]["status"] == "accepted";
                let steps = case.steps.iter().enumerate();
                let as_due = steps.filter(|(_, step)| step.twin.is_none()).all(|(at, _)| is_accepted((at, 0)));
                let mut places = judgement.details.iter().map(Detail::exchange);
                as_due && places.all(|place| place.is_some_and(is_accepted))
            }
            _ => true,
        }
    }
}

/// Findings, by requirement: of two judgements of one requirement the worse counts.
#[derive(Debug, Default)]
pub(crate) struct Findings(BTreeMap<String, Finding>);

impl Findings {
    pub(crate) fn add(&mut self, finding: Finding) {
        match self.0.get_mut(&finding.requirement) {
            None => _ = self.0.insert(finding.requirement.clone(), finding),
            Some(old) => {
                old.exercised += finding.exercised;
                if finding.verdict.severity() > old.verdict.severity() {
                    (old.verdict, old.details) = (finding.verdict, finding.details);
                }
            }
        }
    }

    /// Whether a finding says something worse than what is known of its requirement.
    pub(crate) fn is_news(&self, finding: &Finding) -> bool {
        let known = self.0.get(&finding.requirement).map_or(0, |known| known.verdict.severity());
        !finding.details.is_empty() && finding.verdict.severity() > known
    }

    pub(crate) fn into_all(self) -> Vec<Finding> {
        self.0.into_values().collect()
    }
}

/// Whether a check sets answers beside each other that were given at different times. What became of calls does not change
/// with the data that a case without a corpus asks for.
fn compares_times(check: &Check, evidence: &Value) -> bool {
    let each_by_itself = matches!(check.comparison, Comparison::Equals(_) | Comparison::Schema { .. });
    let of_evidence = |selector: &'_ Selector| match selector {
        Selector::Evidence(path) => Some(path.clone()),
        Selector::Relative(_) => None,
    };
    let selected: Vec<EvidencePath> = check.select.values().filter_map(of_evidence).collect();
    let is_of_status = |path: &EvidencePath| path.text.ends_with("].status");
    if each_by_itself && selected.len() == check.select.len() && selected.len() < 2 || selected.iter().all(is_of_status)
    {
        // One of each, or one each node by itself.
        return false;
    }
    let each = check.each.as_ref().and_then(of_evidence);
    let paths = selected.iter().chain(&each);
    let steps: BTreeSet<usize> =
        paths.flat_map(|path| path.exchanges(evidence)).map(|exchange| exchange.step).collect();
    steps.len() > 1
}

/// Whether the call of a step is what was asked, and the values that the client chose for what the case leaves open.
pub(crate) fn bound(
    wanted: &Map<String, Value>,
    with: &Map<String, Value>,
    is_same: impl Fn(&Value, &Value) -> bool,
) -> Option<Map<String, Value>> {
    if wanted.len() != with.len() {
        return None;
    }
    let mut bound = Map::new();
    for (name, wanted) in wanted {
        let value = with.get(name)?;
        match given(wanted) {
            Some(open) => match bound.get(open) {
                Some(other) if other != value => return None,
                _ => _ = bound.insert(open.to_owned(), value.clone()),
            },
            None if is_same(wanted, value) => {}
            None => return None,
        }
    }
    Some(bound)
}
