//! The log of a tap that was killed, or that is still listening: it has no end, and what was heard so far is all there.

use super::PART;
use super::case::StoredCase;
use crate::model::{CaseRun, Conclusion, Header, Totals};
use std::collections::BTreeSet;

/// What the reader of its report has to know.
const WHY: &str = "the log has no end, as its tap was killed or still listens: what it had heard until then is judged";

/// What such a log holds, with an end; nothing where it is not of a tap, and so was cut off.
pub(super) fn ended(mut header: Header, mut cases: Vec<StoredCase>) -> Option<(Header, Totals, Vec<StoredCase>)> {
    let heard = header.tap.as_mut()?;
    // A case is written again when it was asked again and something worse came of it.
    let mut known = BTreeSet::new();
    let mut is_latest = |case: &StoredCase| {
        let CaseRun { contract, transport, case, .. } = &case.run;
        known.insert((contract.clone(), *transport, case.clone()))
    };
    cases.reverse();
    cases.retain(|case| is_part(case) || is_whole(case) && is_latest(case));
    cases.reverse();
    cases.sort_by(|a, b| (&a.run.contract, a.run.transport).cmp(&(&b.run.contract, b.run.transport)));
    heard.judged = cases.iter().filter(|case| is_part(case)).flat_map(|case| &case.exchanges).sum();
    header.endpoints = cases.iter().map(|case| case.run.place()).collect();
    header.endpoints.dedup();
    header.warnings.push(WHY.to_owned());
    let conclusion = if cases.is_empty() { Conclusion::NothingSelected } else { Conclusion::Incomplete };
    Some((header, Totals::of(conclusion, 0.0), cases))
}

/// Whether it is a part of the session, which may end anywhere.
fn is_part(case: &StoredCase) -> bool {
    case.run.case.starts_with(PART)
}

/// Whether each step of a case that the session happened to ask has its exchange.
fn is_whole(case: &StoredCase) -> bool {
    case.exchanges.iter().all(|count| *count > 0)
}
