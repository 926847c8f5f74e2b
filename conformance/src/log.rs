//! The run log: everything that a report is made from. Written as NDJSON, one line for each exchange and finding.

use crate::ledger::{Conclusion, Entry, Ledger, Reading};
use crate::load::Suite;
use crate::model::{Detail, Finding, Requirement, TransportKind};
use crate::report::inert;
use crate::run::{CaseRun, Options, Run};
use crate::target::Target;
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::time::Duration;

/// The version of the form of the log.
pub const FORMAT: &str = "conformance-run/1";

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

/// The first line of the log.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// `conformance-run/1`.
    pub format: String,
    /// The version of the suite.
    pub suite: String,
    /// What was tested.
    pub target: String,
    /// When it began, RFC 3339.
    pub started: String,
    /// Whether advice was held to.
    pub strict: bool,
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
    /// How long it took, in seconds.
    pub elapsed: f64,
}

impl RunLog {
    /// Reads the findings and says what the run comes to.
    ///
    /// `today` decides whether the time of a known failure is over.
    pub fn of(
        suite: &Suite,
        target: Option<&Target>,
        options: &Options,
        header: Header,
        mut run: Run,
        today: NaiveDate,
        elapsed: Duration,
    ) -> Self {
        let findings: Vec<Finding> = run.cases.iter_mut().flat_map(|case| std::mem::take(&mut case.findings)).collect();
        let wanted =
            |finding: &Finding| options.requirements.is_empty() || options.requirements.contains(&finding.requirement);
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
        let reading = Reading {
            requirements: &requirements,
            known_failures: target.map_or(&[], |target| &target.known_failures),
            unsupported: target.map_or(&[], |target| &target.unsupported),
            strict: header.strict,
            today,
            whole: options.is_whole() && !run.interrupted && run.unreachable.is_none(),
            every_case: options.has_every_case() && !run.interrupted && run.unreachable.is_none(),
            endpoints: &endpoints,
            elsewhere: &elsewhere,
        };
        let mut ledger = Ledger::of(findings, reading);
        if run.unreachable.is_some() {
            // That nothing was exercised needs no line of its own then.
            ledger.idle.clear();
        }
        let conclusion = match (&run.unreachable, run.interrupted, run.unproven.is_empty()) {
            (_, true, _) => Conclusion::Interrupted,
            (_, _, false) => Conclusion::SuiteBroken,
            (Some(_), ..) => Conclusion::NotReachable,
            _ => ledger.conclusion(),
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
            counterexamples: options.prove.then_some(run.caught),
            problems,
            stale: ledger.stale.clone(),
            idle: ledger.idle.clone(),
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
        for case in &self.cases {
            for (step, exchanges) in array(&case.evidence).iter().enumerate() {
                for (index, exchange) in array(exchanges).iter().enumerate() {
                    let exchange = LoggedExchange {
                        contract: &case.contract,
                        transport: case.transport,
                        case: &case.case,
                        step,
                        index,
                        evidence: exchange,
                    };
                    write_line(&mut to, &Line::Exchange(exchange))?;
                }
            }
        }
        for entry in &self.ledger.entries {
            write_line(&mut to, &Line::Finding(entry))?;
        }
        write_line(&mut to, &Line::Totals(&self.totals))
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
enum Line<'l> {
    Exchange(LoggedExchange<'l>),
    Finding(&'l Entry),
    Totals(&'l Totals),
}

/// An exchange and where it belongs.
#[derive(Serialize)]
struct LoggedExchange<'l> {
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

/// The requirements of a contract that nothing of every exchange judges at an endpoint: where no case of theirs is run,
/// they are not due there.
fn elsewhere<'s>(
    suite: &'s Suite,
    (contract, transport): &'s (String, TransportKind),
) -> impl Iterator<Item = (String, TransportKind, String)> {
    let suite = suite.contract(contract);
    let judged = suite.map(|suite| suite.always_judged_over(*transport)).unwrap_or_default();
    let all = suite.into_iter().flat_map(|suite| &suite.contract.requirements);
    let elsewhere = all.filter(move |requirement| !judged.contains(requirement.id.as_str()));
    elsewhere.map(|requirement| (contract.clone(), *transport, requirement.id.clone()))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
