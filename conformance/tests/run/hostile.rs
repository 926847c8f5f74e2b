//! Hostile corpora: the same seed makes the same, and between them they have all that is hard to serve.

use conformance::contracts::Corpus;
use conformance::explore::{corpus, hostile};
use conformance::load::Suite;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use testing::root;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(root()).unwrap());

/// As many corpora of each contract as the gate has.
const ROUNDS: usize = 10;

/// All corpora of the gate, of ten seeds.
static CORPORA: LazyLock<BTreeMap<&str, Vec<Corpus>>> = LazyLock::new(|| {
    let rounds = || (0..10).flat_map(|seed| (0..ROUNDS).map(move |round| (seed, round)));
    let of = |contract| rounds().map(|(seed, round)| hostile(contract, seed, round).unwrap()).collect();
    contracts().filter(|contract| hostile(contract, 1, 0).is_some()).map(|contract| (contract, of(contract))).collect()
});

fn contracts() -> impl Iterator<Item = &'static str> {
    SUITE.contracts.iter().map(|contract| contract.contract.name.as_str())
}

/// The texts and numbers that stand in a value.
fn gather<'v>(value: &'v Value, texts: &mut Vec<&'v str>, numbers: &mut Vec<f64>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Number(number) => numbers.extend(number.as_f64()),
        Value::Array(values) => values.iter().for_each(|value| gather(value, texts, numbers)),
        Value::Object(members) => members.values().for_each(|value| gather(value, texts, numbers)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// What a text can have.
type Feature = (&'static str, fn(&str) -> bool);

/// What is hard to serve.
const FEATURES: [Feature; 19] = [
    ("no text", |text| text.is_empty()),
    ("white space alone", |text| !text.is_empty() && text.trim().is_empty()),
    ("an empty line", |text| text.trim().contains("\n\n")),
    ("a line end of Windows", |text| text.contains("\r\n")),
    ("a separator of lines", |text| text.contains(['\u{2028}', '\u{85}', '\u{b}'])),
    ("NUL", |text| text.contains('\0')),
    ("an escape of terminals", |text| text.contains('\u{1b}')),
    ("what is outside the BMP", |text| text.chars().any(|character| u32::from(character) > 0xffff)),
    ("joined emoji", |text| text.contains('\u{200d}')),
    ("marks that combine", |text| text.contains('\u{301}')),
    ("right to left", |text| text.contains('\u{5e9}')),
    ("an override of direction", |text| text.contains('\u{202e}')),
    ("dots in a word", |text| text.contains("a.b")),
    ("quotation marks", |text| text.contains('"')),
    ("a backslash", |text| text.contains('\\')),
    ("what reads as structure", |text| text.contains("# OPEN") && text.len() > 7),
    ("operators of searches", |text| text.contains('%') || text.contains("NEAR(")),
    ("markup", |text| text.contains("<img")),
    ("more than ten thousand bytes", |text| text.len() > 10_000),
];

#[test]
fn every_contract_with_random_corpora_has_hostile_ones() {
    for contract in SUITE.contracts.iter().map(|one| &one.contract) {
        assert_eq!(hostile(&contract.name, 1, 0).is_some(), corpus(contract, 1, 0).is_some(), "{}", contract.name);
    }
}

#[test]
fn a_seed_makes_the_same_again() {
    for contract in CORPORA.keys() {
        assert_eq!(hostile(contract, 7, 2), hostile(contract, 7, 2));
        assert_ne!(hostile(contract, 7, 2), hostile(contract, 8, 2), "{contract}: another seed");
        assert_ne!(hostile(contract, 7, 2), hostile(contract, 7, 7), "{contract}: another round");
    }
}

#[test]
fn every_contract_has_every_hostile_text() {
    for (contract, corpora) in CORPORA.iter() {
        let (mut texts, mut numbers) = (Vec::new(), Vec::new());
        corpora
            .iter()
            .flat_map(|corpus| &corpus.pieces)
            .for_each(|piece| gather(&piece.value, &mut texts, &mut numbers));
        let missing: Vec<&str> = FEATURES
            .iter()
            .filter(|(_, has)| texts.iter().filter(|text| has(text)).count() < 10)
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(missing, [""; 0], "{contract}");
        let of_ten = |least: f64, below: f64| numbers.iter().any(|number| (least..below).contains(number));
        if !numbers.is_empty() {
            assert!(numbers.contains(&0.0) && of_ten(f64::MIN, 0.0), "{contract}: zero and negative numbers");
            assert!(of_ten(1e8, 1e9) && of_ten(1e9, 1e10) && of_ten(1e10, 1e12), "{contract}: times of other lengths");
        }
    }
}

#[test]
fn there_are_corpora_without_anything_and_with_one_thing() {
    for (contract, corpora) in CORPORA.iter() {
        let sizes: BTreeSet<usize> = corpora.iter().map(|corpus| corpus.pieces.len()).collect();
        let [least, next] = *sizes.iter().take(2).copied().collect::<Vec<_>>() else { panic!("{contract}: {sizes:?}") };
        // What holds the things, such as a memory, is there without them.
        assert!(least <= 10 && next <= least + 12, "{contract}: {sizes:?}");
        assert!(sizes.last().is_some_and(|most| *most > 60), "{contract}: {sizes:?}");
    }
}

#[test]
fn there_are_equal_titles_deep_trees_and_wide_ones() {
    for (contract, title, parent) in [("outline", "title", "parent_id"), ("remnote", "text", "parent")] {
        let (mut deepest, mut widest, mut equal) = (0, 0, 0);
        for corpus in &CORPORA[contract] {
            let parents: BTreeMap<&str, &str> = corpus
                .pieces
                .iter()
                .filter_map(|piece| Some((piece.value["id"].as_str()?, piece.value[parent].as_str()?)))
                .collect();
            let depth = |id: &&str| {
                std::iter::successors(Some(*id), |id| parents.get(id).copied()).take(parents.len() + 1).count()
            };
            deepest = deepest.max(parents.keys().map(depth).max().unwrap_or(0));
            let mut children: BTreeMap<&str, usize> = BTreeMap::new();
            parents.values().for_each(|parent| *children.entry(parent).or_default() += 1);
            widest = widest.max(children.into_values().max().unwrap_or(0));
            let titles: Vec<&Value> = corpus.pieces.iter().map(|piece| &piece.value[title]).collect();
            equal += titles.iter().enumerate().filter(|(at, title)| titles[..*at].contains(title)).count();
        }
        assert!(deepest > 30 && widest > 30 && equal > 30, "{contract}: {deepest} deep, {widest} wide, {equal} equal");
    }
}
