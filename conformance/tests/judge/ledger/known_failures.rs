//! A known failure must still fail, must match something, and is excused until its day.

use super::{Setting, UNTOLD, finding, today};
use conformance::model::Outcome::{self, NotExercised, Verified, Violated};
use conformance::model::TransportKind::{Cli, Http};
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use conformance::model::{Channel, Conclusion, Era, Finding, KnownFailure, Place, TransportKind};
use rstest::rstest;

#[rstest]
#[case::still_fails(known("m.must"), Fail, Outcome::KnownFailure, 0, "")]
#[case::advice_that_is_known(known("m.should"), Fail, Outcome::KnownFailure, 0, "")]
#[case::passes(known("m.must"), Pass, Verified, 1, "passes now")]
#[case::untold(known("m.must"), UNTOLD, Outcome::Incomplete, 3, "")]
#[case::not_exercised(known("m.must"), Skip, NotExercised, 3, "")]
#[case::other_requirement(KnownFailure { requirement: "m.derived".into(), ..known("m.must") }, Pass, Verified, 1,
    "m.derived matches no check")]
#[case::this_case(KnownFailure { case: Some("a/case".into()), ..known("m.must") }, Fail, Outcome::KnownFailure, 0, "")]
#[case::other_case(KnownFailure { case: Some("b/case".into()), ..known("m.must") }, Fail, Violated, 1, "in b/case matches no check")]
#[case::this_transport(KnownFailure { transport: Some(Cli), ..known("m.must") }, Fail, Outcome::KnownFailure, 0, "")]
#[case::other_transport(KnownFailure { transport: Some(Http), ..known("m.must") }, Fail, Violated, 1, "matches no check")]
#[case::last_day(KnownFailure { until: Some(today()), ..known("m.must") }, Fail, Outcome::KnownFailure, 0, "")]
#[case::expired(KnownFailure { until: today().pred_opt(), ..known("m.must") }, Fail, Violated, 1, "until 2027-02-28")]
#[case::expired_and_mended(KnownFailure { until: today().pred_opt(), ..known("m.must") }, Pass, Verified, 1, "until 2027-02-28")]
fn one_known_failure(
    #[case] known: KnownFailure,
    #[case] verdict: Verdict,
    #[case] outcome: Outcome,
    #[case] code: u8,
    #[case] stale: &str,
) {
    let judged = if known.requirement == "m.derived" { "m.must" } else { known.requirement.as_str() };
    let findings = vec![finding(judged, verdict)];
    let ledger = Setting { known: vec![known], ..Setting::default() }.read(findings);
    assert_eq!(ledger.entries[0].outcome, outcome);
    let is_excused = outcome == Outcome::KnownFailure;
    assert_eq!(ledger.entries[0].reason.as_deref(), is_excused.then_some("tracked in #12"));
    match &ledger.stale[..] {
        [] => assert_eq!(stale, ""),
        [one] => assert!(!stale.is_empty() && one.contains(stale), "{one}"),
        more => panic!("{more:?}"),
    }
    assert_eq!(ledger.conclusion().exit_code(), code);
}

#[test]
fn a_known_failure_that_fails_somewhere_is_not_stale() {
    let setting = Setting { known: vec![known("m.must")], ..Setting::default() };
    let ledger = setting.read(vec![finding("m.must", Fail), elsewhere(Pass)]);
    assert_eq!(ledger.stale, [""; 0]);
    assert_eq!(ledger.conclusion(), Conclusion::Conforms);
    assert_eq!(ledger.count(Outcome::KnownFailure), 1, "the worst check of a requirement counts");
}

#[rstest]
#[case::verified(vec![finding("m.must", Pass), elsewhere(Skip)], Some("passes now"))]
#[case::incomplete_elsewhere(vec![finding("m.must", Pass), elsewhere(UNTOLD)], None)]
#[case::fails_elsewhere(vec![finding("m.must", Pass), elsewhere(Fail)], None)]
#[case::never_exercised(vec![finding("m.must", Skip), elsewhere(Skip)], None)]
fn a_known_failure_is_stale_when_it_passes_wherever_it_is_exercised(
    #[case] findings: Vec<Finding>,
    #[case] stale: Option<&str>,
) {
    let ledger = Setting { known: vec![known("m.must")], ..Setting::default() }.read(findings);
    assert_eq!(ledger.stale.len(), usize::from(stale.is_some()), "{:?}", ledger.stale);
    assert!(stale.is_none_or(|words| ledger.stale[0].contains(words)), "{:?}", ledger.stale);
}

#[test]
fn a_failure_that_is_known_in_one_case_says_nothing_of_others() {
    let known = KnownFailure { case: Some("b/case".into()), ..known("m.must") };
    let ledger =
        Setting { known: vec![known], ..Setting::default() }.read(vec![finding("m.must", Pass), elsewhere(Skip)]);
    assert_eq!(ledger.stale, [""; 0]);
}

fn elsewhere(verdict: Verdict) -> Finding {
    Finding { case: "b/case".into(), ..finding("m.must", verdict) }
}

#[test]
fn part_of_a_run_says_nothing_of_known_failures_that_it_did_not_reach() {
    let part = Setting { known: vec![known("m.must"), known("m.derived")], whole: false, ..Setting::default() };
    let ledger = part.read(vec![finding("m.must", Pass)]);
    assert_eq!(ledger.stale, [""; 0]);
    assert_eq!(ledger.conclusion(), Conclusion::Conforms);
    let expired = KnownFailure { until: today().pred_opt(), ..known("m.derived") };
    let part = Setting { known: vec![expired], whole: false, ..Setting::default() };
    assert_eq!(part.read(vec![finding("m.must", Pass)]).stale.len(), 1, "an expired one is stale all the same");
}

/// A known failure of one era excuses nothing in the other, and is not stale where that one is not spoken.
#[rstest]
#[case::in_its_era(Era::Modern, Outcome::KnownFailure, false)]
#[case::in_the_other(Era::Legacy, Violated, false)]
fn a_known_failure_may_name_an_era(#[case] era: Era, #[case] expected: Outcome, #[case] is_stale: bool) {
    let transport = Channel::new(TransportKind::McpHttp, Some(era));
    let setting = Setting {
        known: vec![KnownFailure { era: Some(Era::Modern), ..known("m.must") }],
        endpoints: vec![Place { contract: "m".into(), transport }],
        ..Setting::default()
    };
    let ledger = setting.read(vec![Finding { transport, ..finding("m.must", Fail) }]);
    assert_eq!(ledger.entries[0].outcome, expected);
    assert_eq!(!ledger.stale.is_empty(), is_stale, "{:?}", ledger.stale);
}

#[rstest]
#[case::of_the_revision_that_is_spoken(2, Fail, Outcome::KnownFailure, false)]
#[case::of_it_and_mended(2, Pass, Verified, true)]
#[case::of_another_revision(1, Fail, Violated, false)]
#[case::of_another_one_and_mended(1, Pass, Verified, false)]
fn a_known_failure_of_a_revision(
    #[case] revision: u32,
    #[case] verdict: Verdict,
    #[case] expected: Outcome,
    #[case] is_stale: bool,
) {
    let here = Place { contract: "m@2".into(), ..super::place("m") };
    let setting = Setting {
        known: vec![KnownFailure { revision: Some(revision), ..known("m.must") }],
        endpoints: vec![here.clone()],
        ..Setting::default()
    };
    let ledger = setting.read(vec![Finding { contract: here.contract, ..finding("m.must", verdict) }]);
    assert_eq!(ledger.entries[0].outcome, expected);
    assert_eq!(!ledger.stale.is_empty(), is_stale, "{:?}", ledger.stale);
}

#[test]
fn a_known_failure_of_what_only_another_revision_has_is_idle() {
    let known = || KnownFailure { requirement: "m.gone".into(), ..known("m.must") };
    let setting = Setting { known: vec![known()], ..Setting::default() };
    assert_eq!(setting.read(vec![finding("m.must", Pass)]).stale, [""; 0]);
}

fn known(requirement: &str) -> KnownFailure {
    KnownFailure {
        requirement: requirement.into(),
        case: None,
        transport: None,
        era: None,
        revision: None,
        reason: "tracked in #12".into(),
        until: None,
    }
}
