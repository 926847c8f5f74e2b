//! How much of what binds was exercised, at which endpoint that is too little, and what it means for the run.

use super::{Setting, UNTOLD, finding, place};
use conformance::ledger::Ledger;
use conformance::model::TransportKind::Http;
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use conformance::model::{Channel, Conclusion, Exercised, Finding, Place, Unsupported};
use rstest::rstest;

/// Two requirements of `m` bind. Advice, what was decided and what belongs to a transport are not counted.
#[rstest]
#[case::passed("m.must", Pass, "1 of 2, 50 %")]
#[case::failed("m.must", Fail, "1 of 2, 50 %")]
#[case::skipped("m.must", Skip, "0 of 2, 0 %")]
#[case::incomplete("m.must", UNTOLD, "0 of 2, 0 %")]
#[case::derived("m.derived", Pass, "1 of 2, 50 %")]
#[case::advice("m.should", Pass, "0 of 2, 0 %")]
#[case::decided("m.decided", Pass, "0 of 2, 0 %")]
#[case::of_the_transport("cli.utf-8", Pass, "0 of 2, 0 %")]
fn what_counts(#[case] requirement: &str, #[case] verdict: Verdict, #[case] share: &str) {
    let ledger = Setting::default().read(vec![finding(requirement, verdict)]);
    assert_eq!(shares(&ledger), [share]);
}

#[test]
fn a_requirement_that_is_declared_unsupported_is_counted_and_not_exercised() {
    let unsupported =
        vec![Unsupported { requirement: "m.derived".into(), era: None, reason: "no such feature".into() }];
    let setting = Setting { unsupported, ..Setting::default() };
    let ledger = setting.read(vec![finding("m.must", Pass), finding("m.derived", Pass)]);
    assert_eq!(shares(&ledger), ["1 of 2, 50 %"]);
}

#[test]
fn shares_are_rounded_down() {
    let share = |exercised, binding| Exercised { place: place("m"), exercised, binding }.percent();
    assert_eq!((share(61, 64), share(999, 1000), share(1000, 1000), share(0, 0)), (95, 99, 100, 100));
}

#[test]
fn a_part_of_the_cases_has_no_share() {
    let part = Setting { whole: false, every_case: false, require_exercised: Some(100), ..Setting::default() };
    let ledger = part.read(vec![finding("m.must", Pass)]);
    assert_eq!(ledger.exercised, []);
    assert_eq!(ledger.conclusion(), Conclusion::Conforms);
}

#[rstest]
#[case::enough(Some(50), Pass, Conclusion::Conforms)]
#[case::too_little(Some(51), Pass, Conclusion::Incomplete)]
#[case::nothing_required(None, Pass, Conclusion::Conforms)]
#[case::a_violation_comes_first(Some(51), Fail, Conclusion::DoesNotConform)]
fn a_share_can_be_required(#[case] required: Option<u8>, #[case] verdict: Verdict, #[case] due: Conclusion) {
    let setting = Setting { require_exercised: required, ..Setting::default() };
    assert_eq!(setting.read(vec![finding("m.must", verdict)]).conclusion(), due);
}

#[test]
fn a_shard_is_not_asked_for_a_share() {
    let shard = Some("2/5".parse().unwrap());
    let setting = Setting { require_exercised: Some(100), shard, ..Setting::default() };
    let ledger = setting.read(vec![finding("m.must", Pass)]);
    assert_eq!((ledger.short.len(), ledger.conclusion()), (0, Conclusion::Conforms));
}

#[test]
fn an_endpoint_at_which_nothing_was_exercised_is_no_success_whatever_another_did() {
    let over_http = Place { transport: Channel::new(Http, None), ..place("m") };
    let setting = Setting { endpoints: vec![place("m"), over_http.clone()], ..Setting::default() };
    let of_http = Finding { transport: Channel::new(Http, None), ..finding("m.must", Skip) };
    let ledger = setting.read(vec![finding("m.must", Pass), finding("m.derived", Pass), of_http]);
    assert_eq!((ledger.idle.as_slice(), ledger.conclusion()), (&[over_http][..], Conclusion::Incomplete));
    assert_eq!(shares(&ledger), ["2 of 2, 100 %", "0 of 2, 0 %"]);
}

fn shares(ledger: &Ledger) -> Vec<String> {
    ledger.exercised.iter().map(ToString::to_string).collect()
}
