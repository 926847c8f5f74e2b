//! The run log: everything that a report is made from. Written as NDJSON, one line for each case, exchange and finding.
//!
//! `stored` reads a log again, and has its evidence judged by the present suite; `merge` puts the logs of shards together.

mod merge;
mod reach;
mod stored;

pub use merge::{MergeError, Merged, merge};
pub use stored::{LogError, Stored};

use crate::ledger::{Conclusion, Entry, Ledger, Reading};
use crate::load::Suite;
use crate::model::{Detail, Exchange, Finding, Requirement, TransportKind};
use crate::report::inert;
use crate::run::{CaseRun, Presence, Run, Selection};
use crate::tap::Heard;
use crate::targets::{KnownFailure, Place, Target, Unsupported};
use chrono::{DateTime, FixedOffset};
use reach::{elsewhere, other_shards};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::time::Duration;

/// The version of the form of the log.
pub const FORMAT: &str = "conformance-run/2";

/// What a run was and what came of it.
#[derive(Debug)]
pub struct RunLog {
    /// About the run.
    pub header: Header,
    /// The cases with their evidence, as far as it was kept.
    pub cases: Vec<CaseRun>,
    /// What became of every requirement.
    pub ledger: Ledger,
    /// Every requirement of the contracts that were run, exercised or not.
    pub requirements: BTreeMap<String, Requirement>,
    /// How many sentences of each contract's document nothing can check.
    pub excluded: BTreeMap<String, usize>,
    /// The end of the run.
    pub totals: Totals,
}

/// The first line of the log: all that judging needs to know besides evidence.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// `conformance-run/2`.
    pub format: String,
    /// The version of the suite.
    pub suite: String,
    /// The fingerprint of the calls of the suite.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub calls: String,
    /// What was tested.
    pub target: String,
    /// When it began, RFC 3339. Its day decides whether the time of a known failure is over.
    #[schemars(with = "String")]
    pub started: DateTime<FixedOffset>,
    /// Whether advice was held to.
    pub strict: bool,
    /// The order in which cases began follows from it.
    pub seed: u64,
    /// The free port that the suite chose for the target, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Which cases were asked for.
    #[serde(default)]
    pub selection: Selection,
    /// The endpoints of the target.
    #[serde(default)]
    pub endpoints: Vec<Place>,
    /// The document of each contract that the endpoints speak.
    #[serde(default)]
    pub documents: BTreeMap<String, String>,
    /// The revision of each of these contracts.
    #[serde(default)]
    pub revisions: BTreeMap<String, u32>,
    /// What a tap heard, where nothing was asked by the suite itself: of what is not there, such a log says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tap: Option<Heard>,
    /// Endpoints that did not hold all of the corpus that the target was said to hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corpora: Vec<Presence>,
    /// What was known to be wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_failures: Vec<KnownFailure>,
    /// What the target did not claim to support.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<Unsupported>,
}

impl Header {
    /// About a run that begins.
    pub fn of(target: &str, started: DateTime<FixedOffset>, strict: bool, seed: u64, selection: Selection) -> Self {
        Self {
            format: FORMAT.to_owned(),
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            target: target.to_owned(),
            started,
            strict,
            seed,
            selection,
            ..Self::default()
        }
    }

    /// Takes over what a target says of itself.
    pub fn describe(&mut self, target: &Target, suite: &Suite) {
        self.port = target.port;
        self.calls = suite.calls();
        self.endpoints = target.places();
        self.describe_contracts(suite);
        self.known_failures = target.known_failures.clone();
        self.unsupported = target.unsupported.clone();
    }

    /// Takes over what the contracts of the endpoints say of themselves.
    pub fn describe_contracts(&mut self, suite: &Suite) {
        let contracts = self.endpoints.iter().filter_map(|place| suite.contract(&place.contract));
        for contract in contracts.map(|one| &one.contract) {
            self.documents.insert(contract.name.clone(), contract.document.clone());
            self.revisions.insert(contract.name.clone(), contract.revision);
        }
    }
}

impl Header {
    /// What reports call the run: the target, and the part of it that was run where that is a shard.
    pub fn title(&self) -> String {
        match self.selection.shard {
            Some(shard) => format!("{}, shard {shard}", self.target),
            None => self.target.clone(),
        }
    }
}

/// A line of the log.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// A case that was asked for; its exchanges follow.
    Case(CaseLine),
    /// An exchange of the case before it.
    Exchange(ExchangeLine),
    /// What a check says.
    Finding(Box<Entry>),
    /// The end.
    Totals(Totals),
}

/// A case at an endpoint, whether it was run or not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CaseLine {
    /// The contract.
    pub contract: String,
    /// The transport.
    pub transport: TransportKind,
    /// The case, by its path below `cases/`.
    pub case: String,
    /// What its calls were, as a fingerprint: evidence of other calls cannot be judged by this case.
    pub calls: String,
    /// How many of its steps were begun; none when it was not run.
    pub steps: usize,
}

/// One exchange of a case.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExchangeLine {
    /// The contract.
    pub contract: String,
    /// The transport.
    pub transport: TransportKind,
    /// The case.
    pub case: String,
    /// The step, from 0.
    pub step: usize,
    /// The exchange within the step, from 0.
    pub index: usize,
    /// The exchange; `null` when it was not kept.
    #[schemars(with = "Option<Exchange>")]
    pub evidence: Value,
}

/// The last line of the log.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// What the run comes to.
    pub conclusion: Conclusion,
    /// The exit code that says so.
    pub exit_code: u8,
    /// How many counterexamples were noticed, when they were tried.
    pub counterexamples: Option<usize>,
    /// Faults of the suite itself, and why the target is not there.
    pub problems: Vec<String>,
    /// What is wrong with the list of known failures itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// Contracts of which nothing was exercised, which is no success.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub idle: Vec<String>,
    /// Cases of which requests had to be sent again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retried: Vec<Retried>,
    /// How long it took, in seconds.
    pub elapsed: f64,
}

/// A case of which requests had to be sent again, since nobody took them or the connection broke before any answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Retried {
    /// The contract.
    pub contract: String,
    /// The transport.
    pub transport: TransportKind,
    /// The case.
    pub case: String,
    /// How often.
    pub times: usize,
    /// Why, the first time.
    pub why: String,
}

impl RunLog {
    /// Reads the findings and says what the run comes to.
    pub fn of(suite: &Suite, mut header: Header, mut run: Run, elapsed: Duration) -> Self {
        header.corpora.append(&mut run.corpora);
        let findings: Vec<Finding> = run.cases.iter_mut().flat_map(|case| std::mem::take(&mut case.findings)).collect();
        let wanted = |finding: &Finding| header.selection.has_requirement(&finding.requirement);
        let findings: Vec<Finding> = findings.into_iter().filter(wanted).collect();
        let requirements: BTreeMap<String, Requirement> =
            suite.requirements().map(|requirement| (requirement.id.clone(), requirement.clone())).collect();
        let mut endpoints: Vec<(String, TransportKind)> = Vec::new();
        for case in &run.cases {
            if !endpoints.contains(&(case.contract.clone(), case.transport)) {
                endpoints.push((case.contract.clone(), case.transport));
            }
        }
        let elsewhere = endpoints.iter().flat_map(|endpoint| elsewhere(suite, endpoint)).collect();
        let other_shards = other_shards(suite, &header);
        let came_to_its_end = !run.interrupted && run.unreachable.is_none();
        let reading = Reading {
            requirements: &requirements,
            known_failures: &header.known_failures,
            unsupported: &header.unsupported,
            strict: header.strict,
            today: header.started.date_naive(),
            whole: header.selection.is_whole() && came_to_its_end,
            every_case: header.selection.has_every_case_of_its_shard() && came_to_its_end,
            shard: header.selection.shard,
            other_shards: &other_shards,
            endpoints: &endpoints,
            elsewhere: &elsewhere,
        };
        let mut ledger = Ledger::of(findings, reading);
        if run.unreachable.is_some() {
            // That nothing was exercised needs no line of its own then.
            ledger.idle.clear();
        }
        let retried = retried(&run.cases);
        let conclusion = match (&run.unreachable, run.interrupted, run.unproven.is_empty()) {
            (_, true, _) => Conclusion::Interrupted,
            (_, _, false) => Conclusion::SuiteBroken,
            (Some(_), ..) => Conclusion::NotReachable,
            _ => match ledger.conclusion() {
                // A target that was said to hold the corpus, and does not, was not asked what it should have been.
                Conclusion::Conforms | Conclusion::NothingSelected
                    if header.corpora.iter().any(Presence::is_absent) =>
                {
                    Conclusion::Incomplete
                }
                // Whoever wants everything gets no success that took a second try.
                Conclusion::Conforms if header.strict && !retried.is_empty() => Conclusion::Incomplete,
                conclusion => conclusion,
            },
        };
        let problems = run.unproven.iter().map(ToString::to_string);
        let problems = problems.chain(run.unreachable.iter().map(ToString::to_string)).collect();
        let contracts: BTreeSet<&str> = run.cases.iter().map(|case| case.contract.as_str()).collect();
        let excluded = suite
            .contracts
            .iter()
            .filter(|contract| contracts.contains(contract.contract.name.as_str()))
            .map(|contract| (contract.contract.name.clone(), contract.contract.excluded.len()))
            .collect();
        let totals = Totals {
            conclusion,
            exit_code: conclusion.exit_code(),
            counterexamples: run.caught,
            problems,
            stale: ledger.stale.clone(),
            idle: ledger.idle.clone(),
            retried,
            elapsed: elapsed.as_secs_f64(),
        };
        Self { header, cases: run.cases, ledger, requirements, excluded, totals }
    }

    /// Writes the log, a JSON value on each line.
    ///
    /// # Errors
    /// When `to` cannot be written.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        write_line(&mut to, &self.header)?;
        for run in &self.cases {
            let (contract, transport, case) = (&run.contract, run.transport, &run.case);
            let line = CaseLine {
                contract: contract.clone(),
                transport,
                case: case.clone(),
                calls: run.calls.clone(),
                steps: array(&run.evidence).len(),
            };
            write_line(&mut to, &Written::Case(line))?;
            for (step, exchanges) in array(&run.evidence).iter().enumerate() {
                for (index, evidence) in array(exchanges).iter().enumerate() {
                    let exchange = WrittenExchange { contract, transport, case, step, index, evidence };
                    write_line(&mut to, &Written::Exchange(exchange))?;
                }
            }
        }
        for entry in &self.ledger.entries {
            write_line(&mut to, &Written::Finding(entry))?;
        }
        write_line(&mut to, &Written::Totals(&self.totals))
    }

    /// The exchange that a finding speaks of: the one that a detail points into, or the first of its case.
    pub fn exchange(&self, finding: &Finding) -> Option<&Value> {
        let at = finding.details.iter().find_map(Detail::exchange);
        self.exchange_at(finding, at.unwrap_or((0, 0)))
    }

    /// The first exchange of the case of a finding.
    pub fn first_exchange(&self, finding: &Finding) -> Option<&Value> {
        self.exchange_at(finding, (0, 0))
    }

    fn exchange_at(&self, finding: &Finding, (step, index): (usize, usize)) -> Option<&Value> {
        let is_its_case = |run: &&CaseRun| {
            (&run.contract, run.transport, &run.case) == (&finding.contract, finding.transport, &finding.case)
        };
        let case = self.cases.iter().find(is_its_case)?;
        case.evidence.get(step)?.get(index).filter(|exchange| !exchange.is_null())
    }
}

/// A line of the log but the first.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Written<'l> {
    Case(CaseLine),
    Exchange(WrittenExchange<'l>),
    Finding(&'l Entry),
    Totals(&'l Totals),
}

/// An exchange and where it belongs.
#[derive(Serialize)]
struct WrittenExchange<'l> {
    contract: &'l str,
    transport: TransportKind,
    case: &'l str,
    step: usize,
    index: usize,
    evidence: &'l Value,
}

fn write_line(to: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    writeln!(to, "{}", inert::json(&serde_json::to_string(line)?))
}

/// The cases of which requests had to be sent again.
fn retried(cases: &[CaseRun]) -> Vec<Retried> {
    let told = |case: &CaseRun| {
        let (contract, transport, name) = (case.contract.clone(), case.transport, case.case.clone());
        let why = case.retried.first()?.clone();
        Some(Retried { contract, transport, case: name, times: case.retried.len(), why })
    };
    cases.iter().filter_map(told).collect()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
