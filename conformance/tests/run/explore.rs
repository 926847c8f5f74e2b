//! Random corpora and calls: the same seed makes the same, and every call is one that the contract knows.

use conformance::contracts::Corpus;
use conformance::explore::{call, corpus};
use conformance::load::{ContractSuite, Suite};
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::sync::LazyLock;
use testing::root;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(root()).unwrap());

/// What a seed makes of a contract in a round: the corpus, and calls as JSON.
fn made(contract: &str, seed: u64, round: usize) -> (Corpus, Vec<Value>) {
    let data = corpus(contract, seed, round).unwrap();
    let calls = (0..20).map(|number| call(contract, &data, seed, round, number).unwrap());
    let calls = calls.map(|step| serde_json::to_value(step).unwrap()).collect();
    (data, calls)
}

/// The contracts with random corpora; one that is data alone has none.
fn explored() -> impl Iterator<Item = &'static ContractSuite> {
    SUITE.contracts.iter().filter(|contract| corpus(&contract.contract.name, 1, 0).is_some())
}

#[test]
fn a_seed_makes_the_same_again() {
    for contract in explored().map(|contract| &contract.contract.name) {
        assert_eq!(made(contract, 7, 1), made(contract, 7, 1));
        assert_ne!(made(contract, 7, 1), made(contract, 8, 1), "{contract}: another seed");
        assert_ne!(made(contract, 7, 1), made(contract, 7, 3), "{contract}: another round");
    }
}

#[test]
fn every_contract_with_random_corpora_has_something_that_is_fixed() {
    assert!(explored().count() > 4, "the contracts with Rust in the judge are explored");
    for contract in &SUITE.contracts {
        let name = &contract.contract.name;
        assert_eq!(corpus(name, 1, 0).is_some(), !contract.fixed.is_empty(), "{name}: random corpora, explore.json");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// A call that the reference may refuse would compare nothing.
    #[test]
    fn calls_are_valid(seed in 0..1000u64, round in 0..4usize) {
        for contract in explored() {
            let name = &contract.contract.name;
            for call in made(name, seed, round).1 {
                let operation = &contract.contract.operations[call["call"].as_str().unwrap()];
                let file = root().join("schemas").join(name).join(&operation.input);
                let schema: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
                let wrong = jsonschema::draft202012::new(&schema).unwrap().validate(&call["with"]).map_err(|error| error.to_string());
                prop_assert!(wrong.is_ok(), "{name}: {call}: {wrong:?}");
            }
        }
    }
}
