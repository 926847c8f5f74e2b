//! What findings come to: outcomes, stale known failures, and the exit code.

mod clients;
mod exercised;
mod known_failures;
mod unsteady;

use chrono::NaiveDate;
use conformance::ledger::{Ledger, Reading, Requirements};
use conformance::model::Outcome::{self, Advice, NotExercised, Verified, Violated};
use conformance::model::TransportKind::{Cli, Http};
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use conformance::model::{
    Channel, Conclusion, Detail, Finding, KnownFailure, Level, Origin, Place, Requirement, Shard, Unsupported,
};
use rstest::rstest;
use std::collections::{BTreeMap, BTreeSet};

/// Could not be told: the verdict and the outcome have the same name.
const UNTOLD: Verdict = Verdict::Incomplete;
const LAX: bool = false;
const STRICT: bool = true;

#[rstest]
// What binds.
#[case::pass("m.must", Pass, LAX, Verified, 0)]
#[case::must_fails("m.must", Fail, LAX, Violated, 1)]
#[case::derived_must_fails("m.derived", Fail, LAX, Violated, 1)]
#[case::untold("m.must", UNTOLD, LAX, Outcome::Incomplete, 3)]
// What is advice: nothing but advice was exercised, and it never changes the exit code.
#[case::should_fails("m.should", Fail, LAX, Advice, 0)]
#[case::may_fails("m.may", Fail, LAX, Advice, 0)]
#[case::decided_must_fails("m.decided", Fail, LAX, Advice, 0)]
// Held to everything.
#[case::should_fails_strictly("m.should", Fail, STRICT, Violated, 1)]
#[case::may_fails_strictly("m.may", Fail, STRICT, Violated, 1)]
#[case::decided_fails_strictly("m.decided", Fail, STRICT, Violated, 1)]
#[case::pass_strictly("m.must", Pass, STRICT, Verified, 0)]
// What was not exercised: alone, it leaves its contract idle.
#[case::skip("m.must", Skip, LAX, NotExercised, 3)]
#[case::skip_strictly("m.must", Skip, STRICT, Outcome::Incomplete, 3)]
fn one_finding(
    #[case] requirement: &str,
    #[case] verdict: Verdict,
    #[case] strict: bool,
    #[case] outcome: Outcome,
    #[case] code: u8,
) {
    let ledger = Setting { strict, ..Setting::default() }.read(vec![finding(requirement, verdict)]);
    assert_eq!(ledger.entries[0].outcome, outcome);
    assert_eq!(ledger.conclusion().exit_code(), code);
}

#[test]
fn untold_advice_leaves_the_run_incomplete_only_when_it_is_held_to() {
    let findings = || vec![finding("m.must", Pass), finding("m.should", Skip)];
    assert_eq!(Setting::default().read(findings()).conclusion(), Conclusion::Conforms);
    let strict = Setting { strict: true, ..Setting::default() };
    assert_eq!(strict.read(findings()).conclusion(), Conclusion::Incomplete);
}

#[rstest]
#[case(Pass)]
#[case(Fail)]
#[case(Skip)]
#[case(UNTOLD)]
fn what_is_unsupported_is_shown_and_changes_nothing(#[case] verdict: Verdict) {
    let unsupported = Unsupported { requirement: "m.derived".into(), era: None, reason: "no such feature".into() };
    let ledger = Setting { unsupported: vec![unsupported], ..Setting::default() }
        .read(vec![finding("m.must", Pass), finding("m.derived", verdict)]);
    assert_eq!(ledger.entries[1].outcome, Outcome::Unsupported);
    assert_eq!(ledger.entries[1].reason.as_deref(), Some("no such feature"));
    assert_eq!(ledger.conclusion(), Conclusion::Conforms);
}

#[test]
fn a_contract_of_which_nothing_was_exercised_is_no_success() {
    let setting = Setting { endpoints: vec![place("m"), place("other")], ..Setting::default() };
    let ledger = setting.read(vec![finding("m.must", Pass)]);
    assert_eq!(ledger.idle, [place("other")]);
    assert_eq!(ledger.conclusion(), Conclusion::Incomplete);
}

#[test]
fn nothing_selected_is_no_success() {
    let part = Setting { whole: false, every_case: false, endpoints: Vec::new(), ..Setting::default() };
    assert_eq!(part.read(Vec::new()).conclusion(), Conclusion::NothingSelected);
    assert_eq!(Conclusion::NothingSelected.exit_code(), 5);
}

#[test]
fn requirements_that_nothing_touched_are_rows_of_a_whole_run() {
    let ledger = Setting::default().read(vec![finding("m.must", Pass)]);
    let row = |id: &str| ledger.rows.iter().find(|row| row.requirement.id == id).unwrap();
    assert_eq!((row("m.may").outcome, row("m.may").checks), (NotExercised, 0));
    assert_eq!((row("cli.utf-8").outcome, row("cli.utf-8").checks), (NotExercised, 0));
    assert!(!ledger.rows.iter().any(|row| row.requirement.id.starts_with("other.")), "another contract's");
}

#[test]
fn the_denominator_is_whole_where_every_case_of_some_contracts_is_run() {
    let part = Setting { whole: false, ..Setting::default() };
    let ids = |ledger: Ledger| ledger.rows.into_iter().map(|row| row.requirement.id).collect::<Vec<_>>();
    let due = ids(Setting::default().read(vec![finding("m.must", Pass)]));
    assert_eq!(ids(part.read(vec![finding("m.must", Pass)])), due);
    let few = Setting { whole: false, every_case: false, ..Setting::default() };
    assert_eq!(ids(few.read(vec![finding("m.must", Pass)])), ["m.must"]);
}

#[test]
fn what_was_not_exercised_says_why() {
    let skipped = Finding { details: vec![Detail::new("needs the corpus")], ..finding("m.derived", Skip) };
    let ledger = Setting::default().read(vec![finding("m.must", Pass), skipped]);
    let reason = |id: &str| ledger.rows.iter().find(|row| row.requirement.id == id).unwrap().reason.as_deref();
    assert_eq!(reason("m.derived"), Some("needs the corpus"));
    assert_eq!(reason("m.may"), Some("no answer holds anything that it speaks of"));
    assert_eq!(reason("m.must"), None);
}

#[test]
fn a_transport_that_works_says_nothing_of_its_contract() {
    let ledger = Setting::default().read(vec![finding("m.must", Skip), finding("cli.utf-8", Pass)]);
    assert_eq!((ledger.idle.as_slice(), ledger.conclusion()), (&[place("m")][..], Conclusion::Incomplete));
    let part = Setting { whole: false, every_case: false, ..Setting::default() };
    let alone = part.read(vec![finding("cli.utf-8", Pass)]);
    assert_eq!(alone.conclusion(), Conclusion::Conforms, "it was asked for alone");
}

#[test]
fn a_contract_of_which_everything_is_unsupported_is_no_success() {
    let unsupported = |id: &str| Unsupported { requirement: id.into(), era: None, reason: "no such feature".into() };
    let setting = Setting { unsupported: vec![unsupported("m.must")], ..Setting::default() };
    let ledger = setting.read(vec![finding("m.must", Fail), finding("cli.utf-8", Pass)]);
    assert_eq!((ledger.idle.as_slice(), ledger.conclusion()), (&[place("m")][..], Conclusion::Incomplete));
}

#[test]
fn what_is_called_at_another_endpoint_alone_is_no_row() {
    let elsewhere = BTreeSet::from([(place("m"), "m.may".to_owned())]);
    let ledger = Setting { elsewhere, ..Setting::default() }.read(vec![finding("m.must", Pass)]);
    assert!(!ledger.rows.iter().any(|row| row.requirement.id == "m.may"));
    assert!(ledger.rows.iter().any(|row| row.requirement.id == "m.derived"));
}

#[test]
fn transports_are_rows_of_their_own() {
    let over_http = Finding { transport: Channel::new(Http, None), ..finding("m.must", Fail) };
    let ledger = Setting::default().read(vec![finding("m.must", Pass), over_http]);
    let outcomes: Vec<_> =
        ledger.rows.iter().filter(|row| row.requirement.id == "m.must").map(|row| row.outcome).collect();
    assert_eq!(outcomes, [Verified, Violated]);
}

/// The first that applies: a violation, then what could not be told, then that nothing was selected.
#[rstest]
#[case(&[("m.must", Fail), ("m.derived", UNTOLD)], Conclusion::DoesNotConform)]
#[case(&[("m.should", Fail), ("m.derived", UNTOLD)], Conclusion::Incomplete)]
#[case(&[("m.should", Fail), ("m.must", Pass)], Conclusion::Conforms)]
#[case(&[("m.must", Skip), ("m.derived", Skip)], Conclusion::Incomplete)]
fn precedence(#[case] findings: &[(&str, Verdict)], #[case] due: Conclusion) {
    let findings = findings.iter().map(|(requirement, verdict)| finding(requirement, *verdict)).collect();
    assert_eq!(Setting::default().read(findings).conclusion(), due);
}

/// What a shard does not exercise is no lack of it, not even where everything has to be exercised: another shard may.
#[rstest]
#[case::lax(LAX)]
#[case::strict(STRICT)]
fn a_shard_lacks_nothing_that_another_may_have(#[case] strict: bool) {
    let other_shards = BTreeSet::from([(place("m"), "m.derived".to_owned())]);
    let elsewhere = other_shards.clone();
    let shard = Some("2/5".parse().unwrap());
    let setting = Setting { strict, shard, other_shards, elsewhere, whole: false, ..Setting::default() };
    let ledger = setting.read_all(vec![finding("m.must", Pass)]);
    let row = ledger.rows.iter().find(|row| row.requirement.id == "m.derived").unwrap();
    assert_eq!(row.outcome, NotExercised);
    assert_eq!(row.reason.as_deref(), Some("nothing of shard 2/5 exercises it; another shard may"));
    assert_eq!(ledger.conclusion(), Conclusion::Conforms);
    assert_eq!(setting.read_all(vec![finding("m.should", Pass)]).idle, Vec::<Place>::new());
    assert_eq!(setting.read_all(vec![finding("m.must", Fail)]).conclusion(), Conclusion::DoesNotConform);
    assert_eq!(setting.read_all(Vec::new()).conclusion(), Conclusion::NothingSelected);
}

#[rstest]
#[case(Conclusion::Conforms, 0)]
#[case(Conclusion::DoesNotConform, 1)]
#[case(Conclusion::SuiteBroken, 2)]
#[case(Conclusion::Incomplete, 3)]
#[case(Conclusion::NotReachable, 4)]
#[case(Conclusion::NothingSelected, 5)]
#[case(Conclusion::Interrupted, 130)]
fn exit_codes_are_those_of_the_design(#[case] conclusion: Conclusion, #[case] code: u8) {
    assert_eq!(conclusion.exit_code(), code);
}

/// A contract on a command line.
fn place(contract: &str) -> Place {
    Place { contract: contract.into(), transport: Channel::new(Cli, None) }
}

/// How findings are read: a whole run of the contract `m` over a command line, unless a test says otherwise.
struct Setting {
    known: Vec<KnownFailure>,
    unsupported: Vec<Unsupported>,
    strict: bool,
    require_exercised: Option<u8>,
    whole: bool,
    every_case: bool,
    shard: Option<Shard>,
    other_shards: BTreeSet<(Place, String)>,
    endpoints: Vec<Place>,
    beside: Vec<Place>,
    elsewhere: BTreeSet<(Place, String)>,
}

impl Default for Setting {
    fn default() -> Self {
        let endpoints = vec![place("m")];
        let (elsewhere, other_shards) = (BTreeSet::new(), BTreeSet::new());
        let (known, unsupported) = (Vec::new(), Vec::new());
        Self {
            known,
            unsupported,
            strict: false,
            require_exercised: None,
            whole: true,
            every_case: true,
            shard: None,
            other_shards,
            endpoints,
            elsewhere,
            beside: Vec::new(),
        }
    }
}

impl Setting {
    fn read(&self, findings: Vec<Finding>) -> Ledger {
        // Strictness asks for everything to be exercised, so that tests of one finding know no other requirement.
        let judged = |id: &str| !self.strict || findings.iter().any(|finding| finding.requirement == id);
        let requirements = catalogue().into_iter().filter(|one| judged(&one.id)).collect();
        self.read_by(requirements, findings)
    }

    /// Reads with every requirement of the catalogue, strict or not.
    fn read_all(&self, findings: Vec<Finding>) -> Ledger {
        self.read_by(catalogue(), findings)
    }

    fn read_by(&self, requirements: Vec<Requirement>, findings: Vec<Finding>) -> Ledger {
        let keys = self.endpoints.iter().map(|place| &place.contract);
        let keys: BTreeSet<_> = keys.chain(findings.iter().map(|finding| &finding.contract)).cloned().collect();
        let known = keys.iter().flat_map(|key| requirements.iter().map(|one| (key.clone(), one.clone())));
        let requirements: Requirements = known.collect();
        let reading = Reading {
            shard: self.shard,
            other_shards: &self.other_shards,
            requirements: &requirements,
            known_failures: &self.known,
            unsupported: &self.unsupported,
            strict: self.strict,
            require_exercised: self.require_exercised,
            today: today(),
            whole: self.whole,
            every_case: self.every_case,
            endpoints: &self.endpoints,
            beside: &self.beside,
            elsewhere: &self.elsewhere,
        };
        Ledger::of(findings, reading)
    }
}

fn catalogue() -> Vec<Requirement> {
    let one = |id: &str, level, origin| Requirement {
        id: id.into(),
        level,
        origin,
        era: None,
        conditional: false,
        section: "S".into(),
        text: "T.".into(),
        no_opposite: None,
        formerly: Vec::new(),
        over: Vec::new(),
        unjudged: BTreeMap::new(),
        clients: Vec::new(),
    };
    vec![
        one("m.must", Level::Must, Origin::Stated),
        one("m.derived", Level::Must, Origin::Derived),
        one("m.decided", Level::Must, Origin::Decided),
        one("m.should", Level::Should, Origin::Stated),
        one("m.may", Level::May, Origin::Stated),
        one("cli.utf-8", Level::Must, Origin::Derived),
        one("client.refuses", Level::May, Origin::Clients),
        one("other.must", Level::Must, Origin::Stated),
    ]
}

fn finding(requirement: &str, verdict: Verdict) -> Finding {
    Finding {
        contract: "m".into(),
        transport: Channel::new(Cli, None),
        case: "a/case".into(),
        requirement: requirement.into(),
        verdict,
        details: Vec::new(),
        more_calls: 0,
        exercised: usize::from(matches!(verdict, Pass | Fail)),
        unsteady: None,
    }
}

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 3, 1).unwrap()
}
