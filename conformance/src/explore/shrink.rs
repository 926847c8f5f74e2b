//! Making a finding small: the call first, then the corpus by halves, quarters and single pieces. Bounded by a budget.

use super::stage::{Probe, Question, Stage, StageError};
use super::{World, call_tree};
use crate::contracts::{self, Corpus};
use crate::model::{Keep, Run, Step, Verdict};
use std::collections::BTreeMap;

/// At most so many calls are tried for one finding.
const MOST_CALLS: usize = 60;
/// At most so many corpora are tried for one finding: each starts both programs anew.
const MOST_CORPORA: usize = 32;

/// What was found: a requirement that a target violates where the reference does not.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    pub(super) asked: Question,
    pub(super) requirement: String,
    /// The seed, the round and the number of the call.
    pub(super) origin: (u64, usize, usize),
}

impl Finding {
    /// Whether a run has it.
    fn is_in(&self, run: &Run) -> bool {
        let cases = run.cases.iter().filter(|case| case.case == self.asked.name);
        cases
            .flat_map(|case| &case.findings)
            .any(|finding| finding.verdict == Verdict::Fail && finding.requirement == self.requirement)
    }

    /// The same of another call.
    fn of(&self, step: Step) -> Self {
        Self { asked: Question { probe: Probe::Call(Box::new(step)), ..self.asked.clone() }, ..self.clone() }
    }

    /// Whether the target violates it on this stage.
    async fn holds(&self, stage: &Stage<'_>) -> Result<bool, StageError> {
        let run = stage.judge(std::slice::from_ref(&self.asked), Keep::Found).await?;
        Ok(self.is_in(&run))
    }
}

/// The smallest call that still shows the finding, on a stage whose corpus shows it.
pub(super) async fn call(
    finding: Finding,
    corpus: &Corpus,
    world: &World,
    stage: &Stage<'_>,
) -> Result<Finding, StageError> {
    let (seed, round, number) = finding.origin;
    let Probe::Call(_) = &finding.asked.probe else { return Ok(finding) };
    let contract = world.suite.keyed(&finding.asked.contract).map(|home| &home.contract);
    let Some(mut tree) = contract.and_then(|contract| call_tree(contract, corpus, seed, round, number)) else {
        return Ok(finding);
    };
    let mut smallest = finding.clone();
    for _ in 0..MOST_CALLS {
        // A tree goes on from where it failed and takes back what did not fail.
        let candidate = finding.of(tree.current());
        let goes_on = match candidate.holds(stage).await? {
            true => {
                smallest = candidate;
                tree.simplify()
            }
            false => tree.complicate(),
        };
        if !goes_on {
            break;
        }
    }
    Ok(smallest)
}

/// The smallest corpus that still shows the finding.
pub(super) async fn corpus(finding: &Finding, corpus: Corpus, world: &World) -> Result<Corpus, StageError> {
    let contract = finding.asked.contract.name();
    let Some(shape) = contracts::shape(contract) else { return Ok(corpus) };
    let (mut smallest, mut left) = (corpus, MOST_CORPORA);
    let mut size = smallest.pieces.len().div_ceil(2);
    while size > 0 && left > 0 {
        let (mut at, mut fewer) = (0, false);
        while at < smallest.pieces.len() && left > 0 {
            let candidate = shape.mend(without(&smallest, at, size));
            left -= 1;
            if shows(finding, &candidate, world).await? {
                smallest = candidate;
                fewer = true;
            } else {
                at += size;
            }
        }
        // What could not be left out before may be now.
        size = if size == 1 && fewer { 1 } else { size / 2 };
    }
    Ok(smallest)
}

/// A corpus without some of its pieces.
fn without(corpus: &Corpus, at: usize, count: usize) -> Corpus {
    let pieces = corpus.pieces.iter().enumerate();
    Corpus {
        pieces: pieces.filter(|(place, _)| !(at..at + count).contains(place)).map(|(_, piece)| piece.clone()).collect(),
    }
}

async fn shows(finding: &Finding, corpus: &Corpus, world: &World) -> Result<bool, StageError> {
    let stage = Stage::set(world, &beside(finding.asked.contract.name(), corpus)).await;
    // A corpus that one of them cannot hold shows nothing.
    let Ok(stage) = stage else { return Ok(false) };
    let holds = finding.holds(&stage).await;
    stage.strike().await;
    holds
}

/// The corpora of a stage that is about one contract: those of the others are as small as can be.
pub(super) fn beside(contract: &str, corpus: &Corpus) -> BTreeMap<String, Corpus> {
    let others = contracts::shapes().filter(|(name, _)| *name != contract);
    let mut corpora: BTreeMap<String, Corpus> = others.map(|(name, _)| (name.to_owned(), Corpus::default())).collect();
    corpora.insert(contract.to_owned(), corpus.clone());
    corpora
}
