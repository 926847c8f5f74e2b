//! What a run brings.

use super::{
    Channel, ContractKey, Finding, Lines, Measured, Noticed, Place, Presence, Said, Settled, Shown, Speaks, Spoken,
    TransportError, Verdict,
};
use serde_json::Value;
use std::fmt;

/// What a run brought.
#[derive(Debug, Default)]
pub struct Run {
    /// The cases in the order of the suite.
    pub cases: Vec<CaseRun>,
    /// How many counterexamples were noticed, when they were tried.
    pub caught: Option<usize>,
    /// How many legal answers were accepted, when they were tried.
    pub accepted: Option<usize>,
    /// Counterexamples and legal answers that did not do what they are there for: the suite is broken.
    pub unproven: Vec<Unproven>,
    /// The endpoints, where only asking them told which they are.
    pub endpoints: Vec<Place>,
    /// What those of them that speak MCP were found to speak.
    pub spoken: Vec<Spoken>,
    /// The revision of its contract that each endpoint speaks.
    pub speaks: Vec<Speaks>,
    /// Endpoints that do not hold all of the corpus that the target is said to hold.
    pub corpora: Vec<Presence>,
    /// Endpoints at which the corpus was waited for after it was seeded.
    pub settled: Vec<Settled>,
    /// What programs that were started said last on standard error.
    pub said: Vec<Said>,
    /// Why the target cannot be reached at all.
    pub unreachable: Option<TransportError>,
    /// What the transports noticed that belongs to no answer.
    pub noticed: Noticed,
    /// What its answers took and were.
    pub measured: Measured,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

/// A case at an endpoint.
#[derive(Debug, Clone)]
pub struct CaseRun {
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    pub transport: Channel,
    /// The case.
    pub case: String,
    /// The fingerprint of its calls.
    pub calls: String,
    /// What was collected, as far as it is kept in memory; `null` when it did not come to an end.
    pub evidence: Value,
    /// All of what was collected, as lines of a log that lie elsewhere.
    pub lines: Option<Lines>,
    /// What the checks say.
    pub findings: Vec<Finding>,
    /// Why requests of it had to be sent again.
    pub retried: Vec<String>,
    /// What its answers showed.
    pub shown: Shown,
}

impl CaseRun {
    /// A case of which nothing but these findings is known.
    pub fn of(place: &Place, case: &str, findings: Vec<Finding>) -> Self {
        Self {
            contract: place.contract.clone(),
            transport: place.transport,
            case: case.to_owned(),
            calls: String::new(),
            evidence: Value::Null,
            lines: None,
            findings,
            retried: Vec::new(),
            shown: Shown::default(),
        }
    }

    /// The endpoint.
    pub fn place(&self) -> Place {
        Place { contract: self.contract.clone(), transport: self.transport }
    }

    /// The exchanges of all its steps, as far as they were kept.
    pub fn exchanges(&self) -> impl Iterator<Item = &Value> {
        exchanges(&self.evidence)
    }

    /// The requirements that are violated.
    pub fn failed(&self) -> impl Iterator<Item = &str> {
        let failed = self.findings.iter().filter(|finding| finding.verdict == Verdict::Fail);
        failed.map(|finding| finding.requirement.as_str())
    }
}

/// What shows that a check is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum Proof {
    /// A mistake, which the check must notice.
    #[strum(to_string = "counterexample")]
    Counterexample,
    /// What a correct program may answer, which the check must accept.
    #[strum(to_string = "legal answer")]
    LegalAnswer,
    /// The files of a contract at a revision, which make sense.
    #[strum(to_string = "the revision")]
    Revision,
}

/// A counterexample or a legal answer that did not do what it is there for: the suite is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven {
    /// Which of the two it is.
    pub proof: Proof,
    /// The case, or the file that it stands in.
    pub case: String,
    /// The requirement of the check; empty where it is about no single one.
    pub requirement: String,
    /// The mistake that a counterexample stands for, or the name of the legal answer.
    pub about: String,
    /// What went wrong.
    pub why: String,
    /// The words behind the name of the program that prove it alone, where there is a shorter way than the whole run.
    pub repeat: Option<String>,
}

impl fmt::Display for Unproven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.requirement.is_empty() {
            write!(f, "{} in ", self.requirement)?;
        }
        write!(f, "{}: {} `{}` {}", self.case, self.proof, self.about, self.why)?;
        self.repeat.iter().try_for_each(|words| write!(f, "\nrepeat: cargo xtask {words}"))
    }
}

/// The exchanges of evidence, step by step.
fn exchanges(evidence: &Value) -> impl Iterator<Item = &Value> {
    let steps = evidence.as_array().into_iter().flatten();
    steps.flat_map(|step| step.as_array().into_iter().flatten())
}

/// Why requests had to be sent again, in the order of the calls.
pub(crate) fn retried(evidence: &Value) -> Vec<String> {
    let reasons = exchanges(evidence).flat_map(|exchange| exchange["raw"]["retried"].as_array().into_iter().flatten());
    reasons.filter_map(Value::as_str).map(str::to_owned).collect()
}
