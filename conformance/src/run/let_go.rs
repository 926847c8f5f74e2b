//! Evidence that nothing needs any more is not held until the run ends.

use crate::model::{Detail, Finding};
use serde_json::Value;
use std::collections::BTreeSet;

/// Takes out of evidence the exchanges that no finding points to: the rest is what a report needs.
pub(super) fn let_go(evidence: &mut Value, findings: &[Finding]) {
    if findings.iter().all(|finding| finding.details.is_empty()) {
        *evidence = Value::Null;
    }
    let places: BTreeSet<(usize, usize)> =
        findings.iter().flat_map(|finding| &finding.details).filter_map(Detail::exchange).collect();
    for (step, exchanges) in evidence.as_array_mut().into_iter().flatten().enumerate() {
        for (index, exchange) in exchanges.as_array_mut().into_iter().flatten().enumerate() {
            if index > 0 && !places.contains(&(step, index)) {
                *exchange = Value::Null;
            }
        }
    }
}
