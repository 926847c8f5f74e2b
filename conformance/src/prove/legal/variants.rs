//! Legal answers that are variants: what a server that decides otherwise brought, beside what the reference did.

use super::compare::{Said, compare};
use super::{Tried, verdict};
use crate::ledger::RunLog;
use crate::load::{ContractSuite, Legal, Suite};
use crate::model::{CaseRun, Channel, Conclusion, ContractKey, Finding, Place, Proof, Protocol, Unproven};
use serde_json::Value;
use std::collections::BTreeMap;

/// The same cases, run against the reference and against a variant of it, both with all evidence.
pub struct Runs<'r> {
    /// What the target says of its data, as in "live".
    pub how: &'static str,
    /// The run of the reference.
    pub reference: &'r RunLog,
    /// The run of the variant.
    pub variant: &'r RunLog,
}

/// What is wrong with a legal answer that is a variant; nothing when it is accepted.
pub fn variant(legal: &Legal, contract: &ContractSuite, suite: &Suite, runs: &[Runs<'_>]) -> Vec<Unproven> {
    let tried = runs.iter().map(|runs| Trial { legal, suite, contract: &contract.contract.name, runs }.run()).collect();
    let places: Vec<Place> = runs.iter().flat_map(|runs| &runs.reference.cases).map(CaseRun::place).collect();
    verdict(legal, contract, tried, &places, true).1
}

/// A legal answer in one run.
struct Trial<'t> {
    legal: &'t Legal,
    suite: &'t Suite,
    contract: &'t str,
    runs: &'t Runs<'t>,
}

impl Trial<'_> {
    fn run(&self) -> Tried {
        let Runs { reference, variant, .. } = self.runs;
        let mut tried = Tried::default();
        let totals = &variant.totals;
        if totals.conclusion != Conclusion::Conforms {
            let why = format!("ends with exit {}, {}", totals.exit_code, totals.conclusion);
            let problems = totals.problems.iter().chain(&totals.stale).map(|problem| format!(": {problem}"));
            tried.problems.push(self.problem("the whole run", "", why + &problems.collect::<String>()));
        }
        for (before, after) in reference.cases.iter().zip(&variant.cases) {
            changed(&before.evidence, &after.evidence, before.transport.protocol(), &mut tried);
        }
        let (before, mut after) = (by_check(reference), by_check(variant));
        for (key, before) in before {
            let after = after.remove(&key);
            self.compare(key, Some(before), after, &mut tried);
        }
        after.into_iter().for_each(|(key, after)| self.compare(key, None, Some(after), &mut tried));
        tried
    }

    fn compare(&self, key: Key<'_>, before: Option<&Finding>, after: Option<&Finding>, tried: &mut Tried) {
        let (contract, transport, case, requirement) = key;
        let place = format!("{contract} {case} over {transport}");
        let said = (Said::found(before), Said::found(after));
        let due = self.suite.requirement_at(contract, requirement);
        let legal = (contract.name(), self.legal);
        compare(legal, due, requirement, said, tried, |why| self.problem(&place, requirement, why));
    }

    fn problem(&self, place: &str, requirement: &str, why: String) -> Unproven {
        Unproven {
            proof: Proof::LegalAnswer,
            case: format!("{place}, {}", self.runs.how),
            requirement: requirement.to_owned(),
            about: self.legal.answer.id.clone(),
            why,
            repeat: self
                .legal
                .answer
                .variant
                .as_ref()
                .map(|name| format!("variants {} --variant {name}", self.contract)),
        }
    }
}

/// A contract, a transport, a case and a requirement.
type Key<'k> = (&'k ContractKey, Channel, &'k str, &'k str);

fn by_check(log: &RunLog) -> BTreeMap<Key<'_>, &Finding> {
    let findings = log.ledger.entries.iter().map(|entry| &entry.finding);
    findings.map(|one| ((&one.contract, one.transport, &*one.case, &*one.requirement), one)).collect()
}

/// Notes the operations that answer the same call otherwise.
fn changed(before: &Value, after: &Value, home: Protocol, tried: &mut Tried) {
    let exchanges = |evidence: &Value| -> Vec<Vec<Value>> {
        let steps = evidence.as_array().into_iter().flatten();
        steps.map(|step| step.as_array().cloned().unwrap_or_default()).collect()
    };
    for (before, after) in exchanges(before).iter().zip(exchanges(after)) {
        for (one, other) in before.iter().zip(after) {
            let call = |exchange: &Value| ["operation", "with", "over"].map(|key| exchange["request"][key].clone());
            let is_other = ["status", "answer", "lines"].iter().any(|key| one[key] != other[key]);
            let [operation, _, over] = call(one);
            if call(one) == call(&other) && is_other {
                let over: Option<Channel> = serde_json::from_value(over).ok();
                let protocol = over.map_or(home, Channel::protocol);
                tried.changed.insert((operation.as_str().unwrap_or_default().to_owned(), protocol));
            }
        }
    }
}
