//! A check that does not say the same in every run is never success, and never a violation.

use super::{LAX, STRICT, Setting, UNTOLD, finding};
use conformance::model::Outcome::{self, Advice, NotExercised, Violated};
use conformance::model::Verdict::{self, Fail, Pass};
use conformance::model::{Finding, KnownFailure, Unsteady};
use rstest::rstest;

#[rstest]
#[case::fails_sometimes("m.must", Fail, LAX, Outcome::Unsteady, 3)]
#[case::cannot_be_told_sometimes("m.must", UNTOLD, LAX, Outcome::Unsteady, 3)]
#[case::advice("m.should", Fail, LAX, Advice, 0)]
#[case::advice_that_is_held_to("m.should", Fail, STRICT, Outcome::Unsteady, 3)]
#[case::untold_advice("m.should", UNTOLD, LAX, NotExercised, 0)]
fn one_finding(
    #[case] requirement: &str,
    #[case] verdict: Verdict,
    #[case] strict: bool,
    #[case] outcome: Outcome,
    #[case] code: u8,
) {
    let ledger =
        Setting { strict, ..Setting::default() }.read(vec![unsteady(requirement, verdict), finding("m.derived", Pass)]);
    assert_eq!(ledger.entries[0].outcome, outcome);
    assert_eq!(ledger.conclusion().exit_code(), code);
}

#[test]
fn what_fails_in_every_run_weighs_more() {
    let ledger = Setting::default().read(vec![unsteady("m.must", Fail), finding("m.must", Fail)]);
    assert_eq!(ledger.conclusion().exit_code(), 1);
    assert_eq!(ledger.rows.iter().find(|row| row.requirement.id == "m.must").map(|row| row.outcome), Some(Violated));
}

#[test]
fn a_known_failure_that_is_unsteady_is_excused_and_not_stale() {
    let known = KnownFailure {
        requirement: "m.must".into(),
        case: None,
        transport: None,
        era: None,
        revision: None,
        reason: "now and then".into(),
        until: None,
    };
    let ledger = Setting { known: vec![known], ..Setting::default() }.read(vec![unsteady("m.must", Fail)]);
    assert_eq!((ledger.entries[0].outcome, ledger.stale.len()), (Outcome::KnownFailure, 0));
    assert_eq!(ledger.conclusion().exit_code(), 0);
}

/// A check that passes in one of two runs, and says this in the other.
fn unsteady(requirement: &str, verdict: Verdict) -> Finding {
    let (fails, incomplete) = (usize::from(verdict == Fail), usize::from(verdict == UNTOLD));
    Finding { unsteady: Some(Unsteady { runs: 2, passes: 1, fails, incomplete }), ..finding(requirement, verdict) }
}
