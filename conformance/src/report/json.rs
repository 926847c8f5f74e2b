//! The report for programs.

use crate::ledger::RunLog;
use crate::model::{Channel, Client, ContractKey, Finding, Header, Level, Origin, Outcome, Place, Totals};
use crate::text::inert;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the form of this report.
pub const FORMAT: &str = "conformance-report/1";

/// The ledger and the failures of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// `conformance-report/1`.
    pub format: String,
    /// About the run.
    pub run: Header,
    /// What it comes to.
    pub totals: Totals,
    /// Every requirement at every endpoint, with what became of it.
    pub requirements: Vec<ReportedRequirement>,
    /// What checks say, but for what is verified.
    pub findings: Vec<ReportedFinding>,
    /// What is wrong with the list of known failures itself.
    pub stale: Vec<String>,
    /// Endpoints at which nothing was exercised.
    pub idle: Vec<Place>,
    /// How many sentences of each contract's document nothing can check.
    pub excluded: BTreeMap<String, usize>,
}

/// A requirement at an endpoint.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReportedRequirement {
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    #[serde(flatten)]
    pub transport: Channel,
    /// Its id.
    pub requirement: String,
    /// How strongly it binds.
    pub level: Level,
    /// Where it comes from.
    pub origin: Origin,
    /// The section of the document that says it.
    pub section: String,
    /// The sentence.
    pub text: String,
    /// What became of it: the worst of its checks.
    pub outcome: Outcome,
    /// How many checks judged it.
    pub checks: usize,
    /// How many values or relations they looked at.
    pub exercised: usize,
    /// Why it was not exercised or is not supported.
    pub reason: Option<String>,
    /// The clients that refuse what is otherwise, where no document asks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub clients: Vec<Client>,
}

/// What a check says.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReportedFinding {
    /// The finding.
    pub finding: Finding,
    /// What it means for the run.
    pub outcome: Outcome,
    /// The reason of a known failure or of what is unsupported.
    pub reason: Option<String>,
    /// The requirement that names the fault, where this failure only follows from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// A command that repeats the request, below a comment for each secret that has to be set first.
    pub repeat: Option<String>,
}

/// The report as text that is indented, ends with a line end, and is inert.
pub fn text(log: &RunLog) -> String {
    inert::json(&format!("{:#}\n", render(log)))
}

/// The ledger and the failures of a run, as JSON.
pub fn render(log: &RunLog) -> Value {
    json!(report(log))
}

fn report(log: &RunLog) -> Report {
    let rows = log.ledger.rows.iter().map(|row| ReportedRequirement {
        contract: row.contract.clone(),
        transport: row.transport,
        requirement: row.requirement.id.clone(),
        level: row.requirement.level,
        origin: row.requirement.origin,
        section: row.requirement.section.clone(),
        text: row.requirement.text.clone(),
        outcome: row.outcome,
        checks: row.checks,
        exercised: row.exercised,
        reason: row.reason.clone(),
        clients: row.requirement.clients.clone(),
    });
    let told = log.ledger.entries.iter().filter(|entry| entry.outcome != Outcome::Verified);
    let findings = told.map(|entry| ReportedFinding {
        finding: entry.finding.clone(),
        outcome: entry.outcome,
        reason: entry.reason.clone(),
        follows: entry.follows.clone(),
        repeat: Some(super::calls::repeated(log, &entry.finding).join("\n")).filter(|lines| !lines.is_empty()),
    });
    Report {
        format: FORMAT.to_owned(),
        run: log.header.clone(),
        totals: log.totals.clone(),
        requirements: rows.collect(),
        findings: findings.collect(),
        stale: log.ledger.stale.clone(),
        idle: log.ledger.idle.clone(),
        excluded: log.excluded.clone(),
    }
}
