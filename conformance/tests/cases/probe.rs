//! A case at an endpoint of the reference, and what all of them share.

use conformance::collect::{Room, record};
use conformance::derive::derive;
use conformance::judge::{self, Parts};
use conformance::load::{Always, Case, ContractSuite, Suite};
use conformance::model::{RawReply, Request, Requirement, Verdict};
use conformance::prove;
use conformance::targets::{Running, Target, TargetError, TargetFile};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use tokio::runtime::Runtime;

/// If this environment variable is set, the first failure ends the run: later cases fail without being judged.
const FIRST_FAILURE_ENDS: &str = "FIRST_FAILURE_ENDS";
/// If this environment variable is set, advice fails no case.
const ONLY_WHAT_BINDS: &str = "ONLY_WHAT_BINDS";

/// The suite, and the reference over our corpora, which has been started: only asking tells which eras of MCP it speaks.
pub(crate) struct World {
    pub(crate) suite: Arc<Suite>,
    target: Target,
    runtime: Runtime,
    server: Mutex<Option<Running>>,
    first_failure_ends: bool,
    only_what_binds: bool,
    failed: AtomicBool,
}

impl World {
    /// The reference by its program, as its target file describes it.
    pub(crate) fn new(suite: Arc<Suite>, program: &Path) -> Result<Self, TargetError> {
        let file = TargetFile::read(&testing::root().join("reference/target.toml"), &suite)?;
        let places = [("reference", program.to_owned()), ("corpus", testing::root().join("fixtures"))];
        let places = places.map(|(name, path)| (name.to_owned(), path.display().to_string()));
        let mut target = file.ready(&BTreeMap::from(places), &|name| std::env::var(name).ok())?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let first_failure_ends = std::env::var_os(FIRST_FAILURE_ENDS).is_some();
        let only_what_binds = std::env::var_os(ONLY_WHAT_BINDS).is_some();
        let server = Mutex::new(runtime.block_on(target.start())?);
        let failed = AtomicBool::new(false);
        Ok(Self { suite, target, runtime, server, first_failure_ends, only_what_binds, failed })
    }

    /// Stops the reference.
    pub(crate) fn end(&self) {
        let server = self.server.lock().unwrap().take();
        self.runtime.block_on(self.target.stop(server));
    }
}

/// A case at an endpoint. All tests of it share its evidence.
pub(crate) struct Probe {
    world: Arc<World>,
    endpoint: usize,
    case: usize,
    evidence: OnceLock<Result<Value, String>>,
}

impl Probe {
    /// Every case at every endpoint that runs it, in the order of the endpoints and of the suite.
    pub(crate) fn all(world: &Arc<World>) -> Vec<Arc<Self>> {
        let endpoints = 0..world.target.endpoints.len();
        let all = endpoints.flat_map(|endpoint| {
            let contract = world.suite.keyed(&world.target.endpoints[endpoint].contract).unwrap();
            let runs = move |case: &usize| world.target.runs_at(endpoint, &contract.cases[*case], &contract.contract);
            let cases = (0..contract.cases.len()).filter(runs);
            cases.map(move |case| Self { world: Arc::clone(world), endpoint, case, evidence: OnceLock::new() })
        });
        all.map(Arc::new).collect()
    }

    /// Its two tests.
    pub(crate) fn trials(self: &Arc<Self>) -> [Trial; 2] {
        let endpoint = &self.world.target.endpoints[self.endpoint];
        let name = format!("{}::{}::{}", endpoint.contract, endpoint.transport.channel().word(), self.case().name);
        let (hold, prove) = (Arc::clone(self), Arc::clone(self));
        [
            Trial::test(&name, move || hold.hold()),
            Trial::test(format!("{name}::counterexamples"), move || prove.prove()),
        ]
    }

    pub(crate) fn suite(&self) -> &ContractSuite {
        let World { suite, target, .. } = &*self.world;
        suite.keyed(&target.endpoints[self.endpoint].contract).unwrap()
    }

    pub(crate) fn case(&self) -> &Case {
        &self.suite().cases[self.case]
    }

    /// What applies to every exchange of this transport.
    fn always(&self) -> Vec<&Always> {
        let World { suite, target, .. } = &*self.world;
        suite.transports.of(target.endpoints[self.endpoint].transport.channel())
    }

    /// What the reference answers to the case, asked once.
    pub(crate) fn evidence(&self) -> Result<&Value, Failed> {
        let collect = || {
            let World { target, runtime, .. } = &*self.world;
            let (case, suite) = (self.case(), self.suite());
            let route = target.route(self.endpoint, case, &suite.contract)?;
            let recorded = runtime.block_on(record(case, &suite.contract, &suite.corpus, &route, &Room::alone()));
            let (evidence, replies) = recorded.map_err(|error| error.to_string())?;
            let again = replies.iter().zip(evidence.as_array().unwrap()).map(|(replies, exchanges)| {
                let both = replies.iter().zip(exchanges.as_array().unwrap());
                both.map(|(reply, exchange)| self.derived(reply, exchange)).collect::<Value>()
            });
            match again.collect::<Value>() == evidence {
                true => Ok(evidence),
                false => Err("the replies, written down and read, make other evidence".to_owned()),
            }
        };
        self.evidence.get_or_init(collect).as_ref().map_err(Failed::from)
    }

    /// What is made of a reply after it was written down and read.
    fn derived(&self, reply: &RawReply, exchange: &Value) -> Value {
        let reply: RawReply = serde_json::from_str(&serde_json::to_string(reply).unwrap()).unwrap();
        let request: Request = serde_json::from_value(exchange["request"].clone()).unwrap();
        let operation = &self.suite().contract.operations[&request.operation];
        let mut derived = serde_json::to_value(derive(request, &reply, operation, None)).unwrap();
        // The last digit of a number that is written and read may be another one.
        derived["elapsed"] = exchange["elapsed"].clone();
        derived
    }

    /// Judges the case, unless the run is over.
    fn hold(&self) -> Result<(), Failed> {
        if self.world.first_failure_ends && self.world.failed.load(Ordering::Relaxed) {
            return Err("not judged, because another case failed".into());
        }
        let held = self.judge();
        self.world.failed.fetch_or(held.is_err(), Ordering::Relaxed);
        held
    }

    fn judge(&self) -> Result<(), Failed> {
        let mut wrong = Vec::new();
        for judgement in judge::judge(self.case(), self.suite(), &self.always(), self.evidence()?) {
            let counts = !self.world.only_what_binds || self.binds(&judgement.requirement);
            // What the reference need not have is shown by servers that have it.
            let is_free = judgement.verdict == Verdict::Skip && self.is_conditional(&judgement.requirement);
            if counts && judgement.verdict != Verdict::Pass && !is_free {
                let why = judgement.details.first().map_or("", |detail| detail.message.as_str());
                wrong.push(format!("{}: {}, {why}", judgement.requirement, judgement.verdict));
            }
        }
        none(&wrong)
    }

    fn binds(&self, requirement: &str) -> bool {
        self.world.suite.requirement(requirement).is_some_and(Requirement::binds)
    }

    fn is_conditional(&self, requirement: &str) -> bool {
        self.world.suite.requirement(requirement).is_some_and(|requirement| requirement.conditional)
    }

    /// Applies the case's counterexamples to the evidence.
    fn prove(&self) -> Result<(), Failed> {
        let case = self.case();
        let (evidence, always) = (self.evidence()?, self.always());
        if case.checks.iter().all(|check| self.is_conditional(&check.requirement)) && evidence[1] == json!([]) {
            return Ok(());
        }
        let parts = Parts::of(case, self.suite(), &always, evidence);
        let (caught, unproven) = prove::case(case, self.suite(), &always, evidence, &parts);
        let mut wrong: Vec<String> = unproven.iter().map(ToString::to_string).collect();
        let written: usize = case.checks.iter().map(|check| check.broken_by.len()).sum();
        // Each call that the case knows to be allowed, and that was made, is refused once.
        let allowed = case.allowed().filter(|(step, _)| evidence[*step][0]["status"] == "accepted");
        let all = written + allowed.count();
        if caught != all {
            wrong.push(format!("{caught} of {all} counterexamples are noticed"));
        }
        none(&wrong)
    }
}

/// Fails if anything is wrong, and says all of it.
fn none(wrong: &[String]) -> Result<(), Failed> {
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
