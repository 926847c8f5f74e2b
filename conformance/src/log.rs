//! The run log: everything that a report is made from. Written as NDJSON, one line for each exchange and finding.

use crate::ledger::{Conclusion, Ledger};
use crate::model::Requirement;
use crate::report::inert;
use crate::run::CaseRun;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

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
    /// How long it took, in seconds.
    pub elapsed: f64,
}

impl RunLog {
    /// Writes the log, a JSON value on each line.
    ///
    /// # Errors
    /// When `to` cannot be written.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut line = |value: Value| writeln!(to, "{}", inert::json(&value.to_string()));
        line(json!(self.header))?;
        for case in &self.cases {
            for (step, exchanges) in array(&case.evidence).iter().enumerate() {
                for (index, exchange) in array(exchanges).iter().enumerate() {
                    line(
                        json!({ "exchange": { "contract": case.contract, "transport": case.transport, "case": case.case,
                                               "step": step, "index": index, "evidence": exchange } }),
                    )?;
                }
            }
        }
        for entry in &self.ledger.entries {
            line(json!({ "finding": entry }))?;
        }
        line(json!({ "totals": self.totals }))
    }

    /// The exchange of a case that a detail points into.
    pub fn exchange(&self, contract: &str, case: &str, at: Option<(usize, usize)>) -> Option<&Value> {
        let (step, index) = at.unwrap_or((0, 0));
        let case = self.cases.iter().find(|run| run.contract == contract && run.case == case)?;
        case.evidence.get(step)?.get(index).filter(|exchange| !exchange.is_null())
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
