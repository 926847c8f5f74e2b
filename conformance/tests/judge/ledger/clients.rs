//! What clients refuse is shown and never changes what a run comes to.

use super::{LAX, STRICT, Setting, UNTOLD, finding, today};
use conformance::model::Outcome::{self, ClientAdvice, NotExercised, Verified};
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use conformance::model::{Conclusion, KnownFailure, Unsupported};
use rstest::rstest;

#[rstest]
#[case::refused(Fail, ClientAdvice)]
#[case::taken(Pass, Verified)]
#[case::not_seen(Skip, NotExercised)]
#[case::untold(UNTOLD, NotExercised)]
fn it_changes_no_exit_code(#[case] verdict: Verdict, #[case] outcome: Outcome, #[values(LAX, STRICT)] strict: bool) {
    let ledger = Setting { strict, ..Setting::default() }
        .read(vec![finding("m.must", Pass), finding("client.refuses", verdict)]);
    let row = ledger.rows.iter().find(|row| row.requirement.id == "client.refuses").unwrap();
    assert_eq!((ledger.entries[1].outcome, row.outcome), (outcome, outcome));
    assert_eq!((ledger.conclusion(), ledger.lacks), (Conclusion::Conforms, false));
    assert_eq!((ledger.exercised[0].exercised, ledger.exercised[0].binding), (1, if strict { 1 } else { 2 }));
}

/// Where no tools are listed, nothing lacks.
#[test]
fn it_is_no_row_where_nothing_judges_it() {
    let ledger = Setting::default().read(vec![finding("m.must", Pass)]);
    assert!(!ledger.rows.iter().any(|row| row.requirement.id == "client.refuses"));
}

#[rstest]
#[case::fails(Fail, None, Outcome::KnownFailure)]
#[case::passes_now(Pass, None, Verified)]
#[case::not_exercised(Skip, None, NotExercised)]
#[case::its_time_is_over(Fail, today().pred_opt(), ClientAdvice)]
fn a_known_failure_of_it_is_never_stale(
    #[case] verdict: Verdict,
    #[case] until: Option<chrono::NaiveDate>,
    #[case] outcome: Outcome,
) {
    let requirement = "client.refuses".to_owned();
    let known = KnownFailure {
        requirement,
        case: None,
        transport: None,
        era: None,
        revision: None,
        reason: "no matter".into(),
        until,
    };
    let setting = Setting { known: vec![known], ..Setting::default() };
    let ledger = setting.read(vec![finding("m.must", Pass), finding("client.refuses", verdict)]);
    assert_eq!(ledger.entries[1].outcome, outcome);
    assert_eq!((ledger.stale.len(), ledger.conclusion()), (0, Conclusion::Conforms));
    assert_eq!(setting.read(vec![finding("m.must", Pass)]).stale.len(), 0, "it is left out");
}

#[test]
fn it_may_be_unsupported() {
    let requirement = "client.refuses".to_owned();
    let unsupported = vec![Unsupported { requirement, era: None, reason: "meant for one client".into() }];
    let ledger = Setting { unsupported, ..Setting::default() }
        .read(vec![finding("m.must", Pass), finding("client.refuses", Fail)]);
    assert_eq!(ledger.entries[1].outcome, Outcome::Unsupported);
    assert_eq!(ledger.conclusion(), Conclusion::Conforms);
}

#[test]
fn a_violation_outweighs_it() {
    let ledger = Setting::default().read(vec![finding("m.must", Fail), finding("client.refuses", Fail)]);
    assert_eq!(ledger.conclusion(), Conclusion::DoesNotConform);
}
