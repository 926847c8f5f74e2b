//! Verdicts that stay as they were recorded, since their checks read what a log does not hold: secrets, and other runs of a case.

use crate::judge::Judgement;
use crate::model::{Detail, Entry, Finding, Header, Verdict};
use std::collections::BTreeSet;

/// The end of the warning about verdicts that are repeated.
const ARE_REPEATED: &str = "from the log: their checks read what was redacted when it was written";

/// Puts the recorded verdicts in place of those that read what was redacted; returns how many.
pub(super) fn repeat(judgements: &mut Vec<Judgement>, unreadable: &BTreeSet<String>, entries: &[Entry]) -> usize {
    let mut repeated = 0;
    for requirement in unreadable {
        let judged = judgements.len();
        judgements.retain(|judgement| judgement.requirement != *requirement);
        let is_judged = judgements.len() < judged;
        let recorded = entries.iter().map(|entry| &entry.finding).find(|finding| finding.requirement == *requirement);
        let (verdict, details, more_calls, exercised) = match recorded {
            Some(finding) => (finding.verdict, finding.details.clone(), finding.more_calls, finding.exercised),
            // It said nothing then, and says nothing now.
            None if !is_judged => continue,
            None => {
                let why = "its check reads what was redacted when the log was written: it needs a new run";
                (Verdict::Incomplete, vec![Detail::new(why)], 0, 0)
            }
        };
        judgements.push(Judgement { requirement: requirement.clone(), verdict, details, more_calls, exercised });
        repeated += 1;
    }
    repeated
}

/// With what was recorded of checks that do not say the same in every run: the log holds one run of a case.
pub(super) fn with_unsteady(mut findings: Vec<Finding>, then: &[Entry]) -> Vec<Finding> {
    for recorded in then.iter().map(|entry| &entry.finding).filter(|finding| finding.unsteady.is_some()) {
        if let Some(finding) = findings.iter_mut().find(|finding| finding.requirement == recorded.requirement) {
            *finding = recorded.clone();
        }
    }
    findings
}

/// Says in a header how many verdicts are repeated.
pub(super) fn tell(header: &mut Header, repeated: usize) {
    header.warnings.retain(|warning| !warning.ends_with(ARE_REPEATED));
    match repeated {
        0 => {}
        1 => header.warnings.push(format!("1 verdict is repeated {ARE_REPEATED}")),
        more => header.warnings.push(format!("{more} verdicts are repeated {ARE_REPEATED}")),
    }
}
