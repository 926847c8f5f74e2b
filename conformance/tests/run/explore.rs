//! Random corpora and calls: the same seed makes the same, and every call is one that the contract knows.

use conformance::contracts::Corpus;
use conformance::explore::{call, corpus};
use conformance::load::{ContractSuite, Suite};
use conformance::model::{Contract, ContractKey};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::Value;
use std::sync::LazyLock;
use testing::root;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(root()).unwrap());

/// What a seed makes of a contract in a round: the corpus, and calls as JSON.
fn made(contract: &Contract, seed: u64, round: usize) -> (Corpus, Vec<Value>) {
    let data = corpus(contract, seed, round).unwrap();
    let calls = (0..20).map(|number| call(contract, &data, seed, round, number).unwrap());
    let calls = calls.map(|step| serde_json::to_value(step).unwrap()).collect();
    (data, calls)
}

/// The contracts with random corpora, at each revision; one that is data alone has none.
fn explored() -> impl Iterator<Item = &'static ContractSuite> {
    let views = SUITE.keys().map(|key| SUITE.view(&key).unwrap());
    views.filter(|view| corpus(&view.contract, 1, 0).is_some())
}

#[test]
fn a_seed_makes_the_same_again() {
    for contract in explored().map(|view| &view.contract) {
        let key = contract.key();
        assert_eq!(made(contract, 7, 1), made(contract, 7, 1));
        assert_ne!(made(contract, 7, 1), made(contract, 8, 1), "{key}: another seed");
        assert_ne!(made(contract, 7, 1), made(contract, 7, 3), "{key}: another round");
    }
}

#[test]
fn every_contract_with_random_corpora_has_something_that_is_fixed() {
    assert!(explored().count() > 4, "the contracts with Rust in the judge are explored");
    for view in SUITE.keys().map(|key| SUITE.view(&key).unwrap()) {
        let (contract, is_fixed) = (&view.contract, !view.fixed.is_empty());
        assert_eq!(corpus(contract, 1, 0).is_some(), is_fixed, "{}: random corpora, explore.json", contract.key());
    }
}

/// What only a later revision lets anybody ask for is asked for.
#[rstest]
#[case::more_entries("memory@2", |call: &Value| call["with"]["top_ke"].as_u64() > Some(10))]
#[case::more_contexts("memory@2", |call: &Value| call["with"]["top_kc"].as_u64() > Some(3))]
#[case::another_format("outline@2", |call: &Value| call["with"]["format"] == "json")]
#[case::nodes_of_a_read("remnote@2", |call: &Value| call["call"] == "read-note" && call["with"]["includeContent"] == "structured")]
#[case::what_stands_above("remnote@5", |call: &Value| call["with"]["ancestorDepth"].is_u64())]
#[case::the_tagged_themselves("remnote@5", |call: &Value| call["with"]["resultMode"] == "tagged")]
#[case::what_stands_below("remnote@6", |call: &Value| call["with"]["parentRemId"].is_string())]
#[case::another_operation("records@2", |call: &Value| call["call"] == "search")]
fn a_later_revision_is_asked_for_more(#[case] key: &str, #[case] is_it: fn(&Value) -> bool) {
    let key = ContractKey::from(key);
    let asks = |key: &ContractKey| {
        let contract = &SUITE.view(key).unwrap().contract;
        (0..8).any(|round| made(contract, 3, round).1.iter().any(is_it))
    };
    assert!(asks(&key));
    assert!(!asks(&key.at(key.revision() - 1)), "the revision before it cannot be asked so");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// A call that the reference may refuse would compare nothing.
    #[test]
    fn calls_are_valid(seed in 0..1000u64, round in 0..4usize) {
        for contract in explored() {
            let contract = &contract.contract;
            for call in made(contract, seed, round).1 {
                let schema = &contract.operations[call["call"].as_str().unwrap()].takes;
                let wrong = jsonschema::draft202012::new(schema).unwrap().validate(&call["with"]).map_err(|error| error.to_string());
                prop_assert!(wrong.is_ok(), "{}: {call}: {wrong:?}", contract.key());
            }
        }
    }
}
