//! Exploring: random corpora and random calls, judged by what always applies and by the difference from the reference.
//!
//! A seed makes corpora and calls (the shapes in `contracts`). The reference's answers become the checks of a case (`fixed`), as far as
//! `explore.json` of the contract says that the document fixes them. `stage` gives both programs a corpus and asks them,
//! `shrink` makes a finding small, `save` writes it down as a case file with its corpus.

mod fixed;
mod save;
mod search;
mod shrink;
mod stage;

pub use search::{Explored, Find, Plan, Progress, explore};
pub use stage::{Unseedable, World};

use crate::contracts::{self, Corpus};
use crate::model::{Contract, Step};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How many pieces a corpus has at most, round by round: small ones first, where a difference is easy to see.
const SIZES: [usize; 4] = [6, 40, 15, 90];

/// The same of hostile corpora, and how many of a hundred texts are odd. They begin with one of a middling size, so that a single one is
/// worth something.
const HOSTILE: [(usize, u32); 5] = [(25, 65), (0, 0), (70, 10), (1, 90), (12, 35)];

/// What the corpora of a plan are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corpora {
    /// Without what a document leaves free, so that answers of two programs can be compared.
    Plain,
    /// Legal, and hard to serve. What is found over them is found of the reference, which has an answer to all that is free.
    Hostile,
}

impl Corpora {
    /// So many random calls of a contract share a corpus.
    pub fn calls(self) -> usize {
        match self {
            Self::Plain => 25,
            // Here the cases are what counts.
            Self::Hostile => 8,
        }
    }

    /// The corpus of a contract in a round.
    pub(crate) fn of(self, contract: &Contract, seed: u64, round: usize) -> Option<Corpus> {
        match self {
            Self::Plain => corpus(contract, seed, round),
            Self::Hostile => hostile(&contract.name, seed, round),
        }
    }
}

/// A hostile corpus of a contract in a round. The same seed gives the same one; nothing for a contract that has none.
pub fn hostile(contract: &str, seed: u64, round: usize) -> Option<Corpus> {
    let (size, share) = HOSTILE[round % HOSTILE.len()];
    let strategy = contracts::hostile(contract)?(size, share);
    Some(tree(&strategy, contract, [seed, round as u64, 0])?.current())
}

/// The random corpus of a contract in a round, for its revision. The same seed gives the same one; nothing for a contract of no known
/// shape.
pub fn corpus(contract: &Contract, seed: u64, round: usize) -> Option<Corpus> {
    let strategy = contracts::shape(&contract.name)?.corpus(SIZES[round % SIZES.len()], contract);
    Some(tree(&strategy, &contract.name, [seed, round as u64, 0])?.current())
}

/// A random call of a round, by its number, as the revision of the contract knows calls.
pub fn call(contract: &Contract, corpus: &Corpus, seed: u64, round: usize, number: usize) -> Option<Step> {
    Some(call_tree(contract, corpus, seed, round, number)?.current())
}

/// The same, with all that it can be made smaller to.
fn call_tree(
    contract: &Contract,
    corpus: &Corpus,
    seed: u64,
    round: usize,
    number: usize,
) -> Option<Box<dyn ValueTree<Value = Step>>> {
    let strategy = contracts::shape(&contract.name)?.call(corpus, contract);
    tree(&strategy, &contract.name, [seed, round as u64, 1 + number as u64])
}

/// A value of a strategy. Each contract, round and call has a stream of random numbers of its own, so that more of the one
/// does not change the others.
fn tree<S: Strategy>(strategy: &S, contract: &str, numbers: [u64; 3]) -> Option<S::Tree> {
    let mut seed = [0; 32];
    for (bytes, number) in seed.chunks_exact_mut(8).zip(numbers) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    for (byte, letter) in seed[24..].iter_mut().zip(contract.bytes()) {
        *byte = letter;
    }
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    strategy.new_tree(&mut TestRunner::new_with_rng(Config::default(), random)).ok()
}
