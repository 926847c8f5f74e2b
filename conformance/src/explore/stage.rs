//! A stage: the reference and the target, each with the same random corpora, asked the same calls.

use super::fixed::{self, Made};
use crate::collect::{Room, collect};
use crate::contracts::{self, Corpus};
use crate::judge::{Scope, judge, judge_always};
use crate::load::{Case, ContractSuite, Suite};
use crate::model::{
    CaseRun, Channel, ContractKey, Keep, KnownBy, Proof, Run, Selection, Speaks, Step, Unproven, Verdict, not_told,
};
use crate::run::{self, Options};
use crate::targets::{Running, Target, TargetError, TargetFile, UNDECIDED};
use crate::transport::TransportError;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};
use tempfile::TempDir;

/// The case that every corpus is saved with, and the beginning of the names of all others.
pub(super) const NAME: &str = "explored";
/// One calling of the target takes no longer than the whole run, which ends it.
const NO_END: Duration = Duration::from_secs(86_400);

/// What is explored, and with what.
pub struct World {
    /// The suite.
    pub suite: Arc<Suite>,
    /// The target.
    pub target: TargetFile,
    /// The program whose answers are due.
    pub reference: TargetFile,
    /// What target files can put in, `{corpus}` aside.
    pub places: BTreeMap<String, String>,
    /// The environment that target files can take from.
    pub environment: fn(&str) -> Option<String>,
    /// Hold the target to advice too.
    pub strict: bool,
}

/// A target that cannot be given a corpus.
#[derive(Debug, thiserror::Error)]
#[error(
    "{target} cannot be given random corpora for {contract}: its target file needs a `seed` command, as in \
     seed = [\"python3\", \"seed.py\", \"{{corpus}}/{}/corpus\"], or `{{corpus}}` in what starts it",
    .contract.name()
)]
pub struct Unseedable {
    target: String,
    contract: ContractKey,
}

impl World {
    /// The world in which some contracts of a target are explored: all when none is named.
    ///
    /// # Errors
    /// When the target has no way to take a corpus.
    pub fn of(mut self, contracts: &[String]) -> Result<Self, Unseedable> {
        let is_wanted = |key: &ContractKey| contracts.is_empty() || contracts.iter().any(|name| name == key.name());
        let is_known = |key: &ContractKey| contracts::shape(key.name()).is_some() && self.suite.keyed(key).is_some();
        self.target.endpoints.retain(|endpoint| is_wanted(&endpoint.contract) && is_known(&endpoint.contract));
        let starts_with = |words: &[String]| words.iter().any(|word| word.contains("{corpus}"));
        let of_all = self.target.seed.is_some()
            || self.target.start.as_deref().is_some_and(starts_with)
            || self.target.env.values().any(|value| value.contains("{corpus}"));
        for endpoint in &self.target.endpoints {
            let of_its_own =
                endpoint.address.kind().brings_corpus() || endpoint.address.command().is_some_and(starts_with);
            if !of_all && !of_its_own {
                return Err(Unseedable { target: self.target.name.clone(), contract: endpoint.contract.clone() });
            }
        }
        // A server that is given a corpus holds it.
        self.target.corpus = Some(crate::targets::CorpusState::Loaded);
        let wanted = self.contracts();
        let mut asked = Vec::new();
        // The reference is asked over one of its transports: it answers the same over each.
        self.reference.endpoints.retain(|endpoint| {
            let name = endpoint.contract.name().to_owned();
            let is_first = wanted.iter().any(|key| key.name() == name) && !asked.contains(&name);
            asked.push(name);
            is_first
        });
        if self.reference.endpoints.iter().all(|endpoint| endpoint.address.kind().brings_corpus()) {
            // Nothing would ask the server.
            self.reference.start = None;
        }
        Ok(self)
    }

    /// Finds out which revisions the endpoints of the target speak, as a run does: by these it is explored. Where that stays undecided,
    /// it is not, and the run says so. The reference does not speak them yet.
    ///
    /// # Errors
    /// When the target is not there, or makes no sense.
    pub async fn recognise(&mut self) -> Result<Run, TargetError> {
        let target = self.target.ready(&self.places, &self.environment)?;
        let mut run = run::recognised(&self.suite, target).await?;
        self.target.endpoints.retain_mut(|endpoint| {
            let (name, kind) = (endpoint.contract.name(), endpoint.address.kind());
            let is_its = |one: &&Speaks| one.place.contract.name() == name && one.place.transport.kind() == kind;
            let Some(speaks) = run.speaks.iter().find(is_its) else { return true };
            (endpoint.contract, endpoint.is_pinned) = (speaks.place.contract.clone(), true);
            speaks.by != KnownBy::Undecided
        });
        for place in run.speaks.iter().filter(|one| one.by == KnownBy::Undecided).map(|one| &one.place) {
            let Some(fixed) = self.suite.keyed(&place.contract).and_then(|home| home.fixed.first()) else { continue };
            let finding = not_told(place, NAME, &fixed.file.requirement, Verdict::Skip, UNDECIDED);
            run.cases.push(CaseRun::of(place, NAME, vec![finding]));
        }
        Ok(run)
    }

    /// The contracts that are explored, in order.
    pub fn contracts(&self) -> Vec<ContractKey> {
        let mut contracts: Vec<ContractKey> = Vec::new();
        for endpoint in &self.target.endpoints {
            if !contracts.contains(&endpoint.contract) {
                contracts.push(endpoint.contract.clone());
            }
        }
        contracts
    }

    /// Whether a failure of a requirement makes a target non-conformant.
    pub(super) fn binds(&self, contract: &ContractKey, requirement: &str) -> bool {
        let requirement = self.suite.requirement_at(contract, requirement);
        requirement.map_or(self.strict, |one| one.binds_if(self.strict))
    }
}

/// What is asked of both.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) contract: ContractKey,
    /// The name of the case.
    pub(super) name: String,
    pub(super) probe: Probe,
}

/// A random call, or a case that serves any live data.
#[derive(Debug, Clone)]
pub(super) enum Probe {
    Call(Box<Step>),
    Live(String),
}

/// Why a stage cannot be set.
#[derive(Debug, thiserror::Error)]
pub(super) enum StageError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error("a random corpus cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// What a target answered, as it can be written.
pub(super) struct Answered {
    pub(super) evidence: Value,
    /// The requirements that it violates.
    pub(super) violated: BTreeSet<String>,
}

/// Both programs, running with the same corpora.
pub(super) struct Stage<'w> {
    world: &'w World,
    folder: PathBuf,
    /// Takes the folder away in the end, where it is a passing one.
    _passing: Option<TempDir>,
    reference: Target,
    target: Arc<Target>,
    reference_server: Option<Running>,
    target_server: Option<Running>,
}

impl<'w> Stage<'w> {
    /// Starts both with corpora, by contract.
    pub(super) async fn set(world: &'w World, corpora: &BTreeMap<String, Corpus>) -> Result<Self, StageError> {
        let passing = TempDir::new()?;
        write(passing.path(), corpora)?;
        let folder = passing.path().to_owned();
        Ok(Self { _passing: Some(passing), ..Self::at(world, folder).await? })
    }

    /// Starts both with the corpora of a folder that is built like `fixtures/`.
    pub(super) async fn at(world: &'w World, folder: PathBuf) -> Result<Self, StageError> {
        let mut places = world.places.clone();
        places.insert("corpus".to_owned(), folder.display().to_string());
        let mut reference = world.reference.ready(&places, &world.environment)?;
        let mut target = world.target.ready(&places, &world.environment)?;
        let reference_server = reference.start().await?;
        let started = target.start().await;
        let target_server = started.map_err(|error| error.redacted(&target.redactor))?;
        let target = Arc::new(target);
        Ok(Self { world, folder, _passing: None, reference, target, reference_server, target_server })
    }

    /// Ends both.
    pub(super) async fn strike(self) {
        self.reference.stop(self.reference_server).await;
        self.target.stop(self.target_server).await;
    }

    /// Asks both, and judges the target by what the reference answered.
    pub(super) async fn judge(&self, asked: &[Question], keep: Keep) -> Result<Run, StageError> {
        let mut contracts = Vec::new();
        let mut broken = Vec::new();
        for key in self.world.contracts() {
            let Some(home) = self.world.suite.keyed(&key) else { continue };
            let mut cases = Vec::new();
            for asked in asked.iter().filter(|asked| asked.contract == key) {
                let made = self.due(home, asked, &mut broken).await?;
                let Some(mut case) = self.case(home, asked) else { continue };
                case.checks.extend(made.into_iter().map(|made| made.check));
                cases.push(case);
            }
            contracts.push(self.contract(home, cases));
        }
        let suite = Arc::new(Suite::made(contracts, self.world.suite.transports.clone()));
        let options = Options {
            selection: Selection { part: true, ..Selection::default() },
            seed: 0,
            runs: 1,
            time: NO_END,
            prove: false,
            keep,
        };
        let mut run = run::run(&suite, &self.target, &options, std::future::pending(), |_| {}).await;
        run.unproven.extend(broken);
        Ok(run)
    }

    /// A contract with these cases over the corpus of the stage.
    fn contract(&self, home: &ContractSuite, cases: Vec<Case>) -> ContractSuite {
        let always = home.always.iter().filter(|always| !always.check.reads_corpus()).cloned().collect();
        home.with(cases, always, self.folder.join(&home.contract.name).join("corpus"))
    }

    /// What a target answered, as it can be written, and what that violates: without secrets it may be less than was found.
    pub(super) fn counterexample(
        &self,
        home: &ContractSuite,
        asked: &Question,
        made: &[Made],
        (transport, mut evidence): (Channel, Value),
    ) -> Option<Answered> {
        let mut case = self.case(home, asked)?;
        case.checks.extend(made.iter().map(|made| made.check.clone()));
        // The marks are for those who read a log.
        let steps = evidence.as_array_mut().into_iter().flatten();
        let exchanges = steps.flat_map(|step| step.as_array_mut().into_iter().flatten());
        exchanges.filter_map(Value::as_object_mut).for_each(|exchange| _ = exchange.shift_remove("redacted"));
        let always = self.world.suite.transports.of(transport);
        let judged = judge(&case, &self.contract(home, Vec::new()), &always, &evidence);
        let failed = judged.into_iter().filter(|judgement| judgement.verdict == Verdict::Fail);
        Some(Answered { violated: failed.map(|judgement| judgement.requirement).collect(), evidence })
    }

    /// What the reference makes due of a call; what it violates itself is a fault of ours.
    pub(super) async fn due(
        &self,
        home: &ContractSuite,
        asked: &Question,
        broken: &mut Vec<Unproven>,
    ) -> Result<Vec<Made>, StageError> {
        let (Some(case), Probe::Call(_)) = (self.case(home, asked), &asked.probe) else { return Ok(Vec::new()) };
        let endpoints = &self.reference.endpoints;
        let Some(at) = endpoints.iter().position(|endpoint| endpoint.contract == asked.contract) else {
            return Ok(Vec::new());
        };
        let Ok(route) = self.reference.route(at, &case, &home.contract) else { return Ok(Vec::new()) };
        let corpus = self.folder.join(asked.contract.name()).join("corpus");
        let evidence = collect(&case, &home.contract, &corpus, &route, &Room::alone()).await?;
        let always = self.world.suite.transports.of(endpoints[at].transport.channel());
        let violated = judge_always(Scope::Case, &case, home, &always, &evidence);
        broken.extend(violated.into_iter().filter(|judgement| judgement.verdict == Verdict::Fail).map(|judgement| {
            let about = judgement.details.into_iter().map(|detail| detail.message).next().unwrap_or_default();
            let why = "is told of the reference itself".to_owned();
            Unproven {
                proof: Proof::Counterexample,
                case: asked.name.clone(),
                requirement: judgement.requirement,
                about,
                why,
                repeat: None,
            }
        }));
        Ok(fixed::checks(home, &case, &evidence))
    }

    /// The case of what is asked, without what the reference makes due.
    fn case(&self, home: &ContractSuite, asked: &Question) -> Option<Case> {
        let needs = match contracts::shape(asked.contract.name())?.part() {
            "" => "corpus".to_owned(),
            part => format!("corpus/{part}"),
        };
        match &asked.probe {
            Probe::Live(name) => {
                let case = home.cases.iter().find(|case| case.name == *name)?;
                Some(Case { name: asked.name.clone(), ..case.clone() })
            }
            Probe::Call(step) => Some(Case {
                name: asked.name.clone(),
                file: self.folder.join(format!("{NAME}.json")),
                about: "A random call over a random corpus.".to_owned(),
                needs: vec![needs],
                steps: steps(home, step),
                ..Case::default()
            }),
        }
    }
}

/// A random call, and the same without an argument that changes what it would answer.
pub(super) fn steps(home: &ContractSuite, step: &Step) -> Vec<Step> {
    let beside = home.beside.iter().find(|one| one.of.contains(&step.call) && step.with.contains_key(&one.without));
    let without = beside.map(|one| {
        let mut other = step.clone();
        other.with.remove(&one.without);
        other
    });
    std::iter::once(step.clone()).chain(without).collect()
}

/// Writes corpora below a folder that is built like `fixtures/`.
pub(super) fn write(folder: &Path, corpora: &BTreeMap<String, Corpus>) -> io::Result<()> {
    for (contract, corpus) in corpora {
        let Some(shape) = contracts::shape(contract) else { continue };
        for (name, text) in shape.files(corpus) {
            let path = folder.join(contract).join("corpus").join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, text)?;
        }
    }
    Ok(())
}
