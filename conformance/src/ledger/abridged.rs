//! A run without most of its evidence: what a comparison of many runs keeps in memory of each.

use super::RunLog;
use crate::model::{CaseRun, Channel, ContractKey, Detail, Entry, Place, cut};
use serde_json::Value;
use std::collections::BTreeMap;

/// So many characters of the values of a finding, and of an exchange's answer, are kept.
const MOST_OF_VALUES: usize = 4000;

/// Values by their position, where most positions have none.
type Sparse<T> = BTreeMap<usize, T>;

impl RunLog {
    /// Drops everything but the ledger's rows and, for each requirement at each endpoint that is not verified, the first of its worst
    /// findings with the exchange that it is about. Long values are cut.
    pub fn abridge(&mut self) {
        let mut worst: BTreeMap<(ContractKey, Channel, String), Entry> = BTreeMap::new();
        for entry in std::mem::take(&mut self.ledger.entries) {
            // Why nothing was exercised is in the row.
            if !entry.outcome.has_findings() {
                continue;
            }
            let finding = &entry.finding;
            let key = (finding.contract.clone(), finding.transport, finding.requirement.clone());
            if worst.get(&key).is_none_or(|kept| entry.outcome > kept.outcome) {
                worst.insert(key, entry);
            }
        }
        let mut kept: BTreeMap<(ContractKey, Channel, String), Sparse<Sparse<Value>>> = BTreeMap::new();
        for entry in worst.values_mut() {
            let finding = &mut entry.finding;
            // The reason that says which exchange it is about.
            let told = finding.details.iter().position(|detail| detail.exchange().is_some()).unwrap_or(0);
            finding.details.truncate(told + 1);
            finding.details.drain(..told);
            cut::details(&mut finding.details, MOST_OF_VALUES);
            let (step, index) = finding.details.first().and_then(Detail::exchange).unwrap_or((0, 0));
            if let Some(exchange) = self.exchange(finding) {
                let case = (finding.contract.clone(), finding.transport, finding.case.clone());
                let exchange = cut::exchange(exchange, MOST_OF_VALUES);
                kept.entry(case).or_default().entry(step).or_default().insert(index, exchange);
            }
        }
        let cases = kept.into_iter().map(|((contract, transport, case), steps)| CaseRun {
            evidence: filled(steps.into_iter().map(|(step, exchanges)| (step, filled(exchanges))).collect()),
            ..CaseRun::of(&Place { contract, transport }, &case, Vec::new())
        });
        self.cases = cases.collect();
        self.ledger.entries = worst.into_values().collect();
    }
}

/// An array with `null` at the positions that have no value.
fn filled(mut values: Sparse<Value>) -> Value {
    let length = values.last_key_value().map_or(0, |(last, _)| last + 1);
    (0..length).map(|at| values.remove(&at).unwrap_or_default()).collect()
}
