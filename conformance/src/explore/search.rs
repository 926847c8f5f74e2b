//! The search: round after round of random corpora and calls; what is found is made small and saved.

use super::save::{clear, save};
use super::shrink::{self, Finding};
use super::stage::{NAME, Probe, Question, Stage, StageError, World, write};
use super::{Corpora, call};
use crate::contracts::{self, Corpus};
use crate::model::{CaseRun, Channel, ContractKey, Keep, Place, Run, Step, Verdict, cut, not_told};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// So many findings are made small; what else is found is told as it was found.
const MOST_SMALL: usize = 5;

/// What is tried.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What everything random is made from.
    pub seed: u64,
    /// How many calls, over all contracts.
    pub calls: usize,
    /// What the corpora are like.
    pub corpora: Corpora,
    /// Where findings are saved.
    pub folder: PathBuf,
}

/// How far it is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Calls that were judged.
    pub done: usize,
    /// All calls.
    pub all: usize,
    /// Requirements that were found violated.
    pub found: usize,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Explored {
    /// The cases with their findings, as a run has them.
    pub run: Run,
    /// How many calls were judged.
    pub calls: usize,
    /// How many corpora they were made over.
    pub corpora: usize,
    /// What was found, made small.
    pub finds: Vec<Find>,
    /// What stopped the search, when something did.
    pub trouble: Option<String>,
}

/// A finding that was made small and saved.
#[derive(Debug)]
pub struct Find {
    /// The contract.
    pub contract: ContractKey,
    /// The requirements that the target violates there.
    pub requirements: Vec<String>,
    /// The call; nothing where a case of several steps found it.
    pub step: Option<Step>,
    /// The corpus.
    pub corpus: Corpus,
    /// The folder that it is saved in, with a case file that repeats it.
    pub folder: PathBuf,
}

/// Explores. What was found stands in `explored`, also when the search is dropped before its end.
pub async fn explore(world: &World, plan: &Plan, explored: &mut Explored, mut show: impl FnMut(Progress)) {
    let mut search = Search { world, plan, explored, seen: BTreeSet::new(), show: &mut show };
    if let Err(error) = search.run().await {
        match error {
            StageError::Transport(error) if search.explored.corpora == 0 => {
                search.explored.run.unreachable = Some(error)
            }
            error => search.explored.trouble = Some(error.to_string()),
        }
    }
    search.explored.run.cases.retain(|case| !case.findings.is_empty());
}

struct Search<'s> {
    world: &'s World,
    plan: &'s Plan,
    explored: &'s mut Explored,
    /// Contracts and requirements that are told already.
    seen: BTreeSet<(ContractKey, String)>,
    show: &'s mut dyn FnMut(Progress),
}

/// The calls of one round.
struct Round {
    number: usize,
    corpora: BTreeMap<String, Corpus>,
    asked: Vec<Question>,
    /// How many of them are random calls.
    calls: usize,
}

impl Search<'_> {
    async fn run(&mut self) -> Result<(), StageError> {
        let all = self.plan.calls;
        for round in rounds(self.world, self.plan) {
            (self.show)(Progress { done: self.explored.calls, all, found: self.seen.len() });
            let found = self.round(&round).await?;
            self.explored.calls += round.calls;
            self.explored.corpora += 1;
            for finding in found {
                let contract = &finding.asked.contract;
                if let Some(corpus) =
                    round.corpora.get(contract.name()).filter(|_| self.explored.finds.len() < MOST_SMALL)
                {
                    self.make_small(finding, corpus.clone()).await?;
                }
            }
        }
        (self.show)(Progress { done: self.explored.calls, all, found: self.seen.len() });
        Ok(())
    }

    /// Judges a round; what is found for the first time, each with the smallest call that shows it.
    async fn round(&mut self, round: &Round) -> Result<Vec<Finding>, StageError> {
        let stage = Stage::set(self.world, &round.corpora).await?;
        let found = self.on_stage(round, &stage).await;
        stage.strike().await;
        found
    }

    async fn on_stage(&mut self, round: &Round, stage: &Stage<'_>) -> Result<Vec<Finding>, StageError> {
        let run = stage.judge(&round.asked, Keep::Found).await?;
        let mut found = Vec::new();
        for (requirement, contract, case) in self.take(run) {
            let at = round.asked.iter().position(|asked| (&asked.contract, &asked.name) == (&contract, &case));
            let Some(asked) = at.map(|at| round.asked[at].clone()) else { continue };
            let of_contract = round.asked.iter().filter(|asked| asked.contract == contract);
            let number = of_contract.take_while(|asked| asked.name != case).count();
            let origin = (self.plan.seed, round.number, number);
            let finding = Finding { asked, requirement, origin };
            let Some(corpus) = round.corpora.get(contract.name()) else { continue };
            found.push(shrink::call(finding, corpus, self.world, stage).await?);
        }
        Ok(found)
    }

    /// Keeps what a run says, each failure once; what binds and is found for the first time comes back: the requirement, the
    /// contract, and the case.
    fn take(&mut self, mut run: Run) -> Vec<(String, ContractKey, String)> {
        let target = &self.world.target;
        let mut new = Vec::new();
        for case in &mut run.cases {
            let contract = case.contract.clone();
            case.findings.retain(|finding| {
                finding.verdict != Verdict::Fail
                    || !self.seen.contains(&(contract.clone(), finding.requirement.clone()))
            });
            for finding in case.findings.iter().filter(|finding| finding.verdict == Verdict::Fail) {
                self.seen.insert((contract.clone(), finding.requirement.clone()));
                let is_known = target.known_failures.iter().any(|known| known.requirement == finding.requirement)
                    || target.unsupported.iter().any(|one| one.requirement == finding.requirement);
                if self.world.binds(&finding.contract, &finding.requirement) && !is_known {
                    new.push((finding.requirement.clone(), contract.clone(), case.case.clone()));
                }
            }
        }
        self.explored.run.unreachable = self.explored.run.unreachable.take().or(run.unreachable);
        self.explored.run.unproven.extend(run.unproven);
        self.explored.run.cases.append(&mut run.cases);
        new
    }

    /// Makes a finding small, saves it, and puts it in the place of what was found first.
    async fn make_small(&mut self, finding: Finding, corpus: Corpus) -> Result<(), StageError> {
        let contract = finding.asked.contract.clone();
        let is_told = |find: &Find| find.contract == contract && find.requirements.contains(&finding.requirement);
        if self.explored.finds.iter().any(is_told) {
            return Ok(());
        }
        let corpus = shrink::corpus(&finding, corpus, self.world).await?;
        let folder = self.plan.folder.join(format!("seed-{}", self.plan.seed)).join(&finding.requirement);
        clear(&folder, &self.world.suite)?;
        write(&folder, &shrink::beside(contract.name(), &corpus))?;
        let stage = Stage::at(self.world, folder.clone()).await?;
        let asked = std::slice::from_ref(&finding.asked);
        let mut last = stage.judge(asked, Keep::All).await;
        let home = self.world.suite.keyed(&contract);
        let made = match home {
            Some(home) => stage.due(home, &finding.asked, &mut Vec::new()).await,
            None => Ok(Vec::new()),
        };
        let fails = |case: &&CaseRun| case.failed().any(|id| id == finding.requirement);
        // All of the evidence is for the counterexample; the run keeps what reports show of it.
        let mut received = None;
        for case in last.iter_mut().flat_map(|last| &mut last.cases) {
            let kept = cut::evidence(&case.evidence, &case.findings);
            let all = std::mem::replace(&mut case.evidence, kept);
            if received.is_none() && fails(&&*case) {
                received = Some((case.transport, all));
            }
        }
        let answered = match (home, received, &made) {
            (Some(home), Some(received), Ok(made)) => stage.counterexample(home, &finding.asked, made, received),
            _ => None,
        };
        stage.strike().await;
        let (last, made) = (last?, made?);
        let Some(came) = last.cases.iter().find(fails) else {
            // It does not come again: what was found first stands as it is.
            return Ok(());
        };
        save(&folder, &finding, made, answered, self.world)?;
        let mut requirements = vec![finding.requirement.clone()];
        requirements.extend(came.failed().filter(|id| *id != finding.requirement).map(str::to_owned));
        for case in self.explored.run.cases.iter_mut().filter(|case| case.contract == contract) {
            case.findings.retain(|found| found.verdict != Verdict::Fail || !requirements.contains(&found.requirement));
        }
        self.seen.extend(requirements.iter().map(|id| (contract.clone(), id.clone())));
        self.explored.run.cases.extend(last.cases);
        let step = match finding.asked.probe {
            Probe::Call(step) => Some(*step),
            Probe::Live(_) => None,
        };
        self.explored.finds.push(Find { contract, requirements, step, corpus, folder });
        Ok(())
    }
}

/// The rounds of a plan: the calls spread over the contracts, so many to a corpus, and the cases that any data can serve
/// beside them. The corpora of a round are made when it begins.
fn rounds(world: &World, plan: &Plan) -> impl Iterator<Item = Round> {
    let contracts = world.contracts();
    // Without a contract there is nothing to ask.
    let each = if contracts.is_empty() { 0 } else { plan.calls.div_ceil(contracts.len()) };
    let mut left = plan.calls;
    let of_corpus = plan.corpora.calls();
    (0..each.div_ceil(of_corpus)).map(move |number| {
        let mut corpora: BTreeMap<String, Corpus> =
            contracts::shapes().map(|(name, _)| (name.to_owned(), Corpus::default())).collect();
        let (mut asked, mut calls) = (Vec::new(), 0);
        for contract in &contracts {
            let Some(home) = world.suite.keyed(contract).map(|home| &home.contract) else { continue };
            let Some(data) = plan.corpora.of(home, plan.seed, number) else { continue };
            let first = number * of_corpus;
            for index in 0..of_corpus.min(each - first).min(left) {
                let Some(step) = call(home, &data, plan.seed, number, index) else { continue };
                let name = format!("{NAME}/{}-{number}-{index}", plan.seed);
                asked.push(Question { contract: contract.clone(), name, probe: Probe::Call(Box::new(step)) });
                calls += 1;
                left -= 1;
            }
            asked.extend(live(world, contract, &format!("{NAME}/{}-{number}", plan.seed)));
            corpora.insert(contract.name().to_owned(), data);
        }
        Round { number, corpora, asked, calls }
    })
}

/// The cases of a contract that serve any live data.
fn live<'w>(world: &'w World, contract: &'w ContractKey, prefix: &'w str) -> impl Iterator<Item = Question> + 'w {
    let cases = world.suite.keyed(contract).into_iter().flat_map(|home| &home.cases);
    let live = cases.filter(|case| case.corpus_part().is_none());
    live.map(move |case| Question {
        contract: contract.clone(),
        name: format!("{prefix}/{}", case.name),
        probe: Probe::Live(case.name.clone()),
    })
}

impl Explored {
    /// Marks what was not reached as not told, for a search that was ended before its time.
    pub fn cut_short(&mut self, world: &World, why: &str) {
        for endpoint in world.target.endpoints.iter() {
            let Some(home) = world.suite.keyed(&endpoint.contract) else { continue };
            let seen = self.run.cases.iter().find(|case| case.contract == endpoint.contract).map(|case| case.transport);
            let Some(fixed) = home.fixed.first() else { continue };
            let case = format!("{NAME}/rest");
            let transport = seen.unwrap_or_else(|| Channel::new(endpoint.address.kind(), None));
            let place = Place { contract: endpoint.contract.clone(), transport };
            let finding = not_told(&place, &case, &fixed.file.requirement, Verdict::Incomplete, why);
            self.run.cases.push(CaseRun::of(&place, &case, vec![finding]));
        }
    }
}

impl World {
    /// The target as it is, for what reports say of it.
    ///
    /// # Errors
    /// When the environment lacks what its file takes from it, or its program is not there.
    pub fn ready(&self) -> Result<Arc<crate::targets::Target>, crate::targets::TargetError> {
        self.target.ready(&self.places, &self.environment).map(Arc::new)
    }
}
