//! The lines of a run log: NDJSON, a header, then a line for each case, exchange and finding, and the totals.

use super::{
    Channel, Conclusion, ContractKey, Entry, Exchange, Exercised, KnownFailure, Numbers, Place, Presence, Selection,
    Settled, Speaks, Spoken, Unsupported,
};
use chrono::{DateTime, FixedOffset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The version of the form of the log.
pub const LOG_FORMAT: &str = "conformance-run/3";

/// The form before it, which is read too: it names no era, and all MCP in it is legacy.
pub const LOG_FORMAT_BEFORE: &str = "conformance-run/2";

/// The first line of the log: all that judging needs to know besides evidence.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// `conformance-run/3`.
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
    /// The share of the binding requirements that has to be exercised at each endpoint, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub require_exercised: Option<u8>,
    /// The order in which cases began follows from it.
    pub seed: u64,
    /// How often the cases ran, where that is more than once: of each case the run is kept in which most of it fails.
    #[serde(default, skip_serializing_if = "is_once")]
    pub runs: usize,
    /// The free port that the suite chose for the target, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// The command that started the server, for a shell, with `{port}` in the place of that port. The server was stopped at the end
    /// of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Where each endpoint was reached, a URL or a command, by its contract and transport. `{port}` is in the place of
    /// the free port. A log of an earlier version has none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub addresses: BTreeMap<String, String>,
    /// Which cases were asked for.
    #[serde(default)]
    pub selection: Selection,
    /// The endpoints of the target.
    #[serde(default)]
    pub endpoints: Vec<Place>,
    /// What those of them that speak MCP were found to speak.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spoken: Vec<Spoken>,
    /// The document of each contract that the endpoints speak, by the contract and its revision.
    #[serde(default)]
    pub documents: BTreeMap<String, String>,
    /// The contracts among them that a user brought, which a suite has only where it is given them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brought: Option<BroughtBy>,
    /// The revision of its contract that each endpoint speaks, and how that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub speaks: Vec<Speaks>,
    /// What whoever reads of the run has to know, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What a tap heard, where nothing was asked by the suite itself: of what is not there, such a log says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tap: Option<Heard>,
    /// Endpoints that did not hold all of the corpus that the target was said to hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corpora: Vec<Presence>,
    /// Endpoints at which the corpus was waited for after it was seeded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled: Vec<Settled>,
    /// What programs that were started said last on standard error, where the run does not conform.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Said>,
    /// What was known to be wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_failures: Vec<KnownFailure>,
    /// What the target did not claim to support.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<Unsupported>,
}

/// Contracts that a user brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BroughtBy {
    /// Their names.
    pub contracts: Vec<String>,
    /// A fingerprint of the files of their folder.
    pub fingerprint: String,
}

impl Header {
    /// A text of this header with the port in the place of `{port}`, where the suite chose one.
    pub(crate) fn with_port(&self, text: &str) -> String {
        self.port.map_or_else(|| text.to_owned(), |port| text.replace("{port}", &port.to_string()))
    }

    /// Where the address of an endpoint stands in [`addresses`](Self::addresses), whatever its revision and era.
    pub(crate) fn address_key(place: &Place) -> String {
        format!("{} over {}", place.contract.name(), place.transport.kind())
    }

    /// About a run that begins.
    pub fn of(target: &str, started: DateTime<FixedOffset>, strict: bool, seed: u64, selection: Selection) -> Self {
        Self {
            format: LOG_FORMAT.to_owned(),
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            target: target.to_owned(),
            started,
            strict,
            seed,
            selection,
            ..Self::default()
        }
    }

    /// The revision of its contract that an endpoint speaks, and how that is known.
    pub fn speaks_at(&self, place: &Place) -> Option<&Speaks> {
        self.speaks.iter().find(|speaks| speaks.place == *place)
    }

    /// What an endpoint was found to speak, where it speaks MCP.
    pub(crate) fn spoken_at(&self, place: &Place) -> Option<&Spoken> {
        self.spoken.iter().find(|spoken| spoken.place == *place)
    }

    /// The revision of MCP that was agreed on at an endpoint.
    pub(crate) fn revision_at(&self, place: &Place) -> Option<&str> {
        self.spoken_at(place)?.revision.as_deref()
    }

    /// Whether an endpoint was asked for the protocol alone, since its contract is judged in the other era of MCP.
    pub(crate) fn is_beside(&self, place: &Place) -> bool {
        self.spoken_at(place).is_some_and(|spoken| spoken.beside)
    }

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
pub enum LogLine<'l> {
    /// A case that was asked for; its exchanges follow.
    Case(CaseLine),
    /// An exchange of the case before it.
    Exchange(ExchangeLine<'l>),
    /// What a check says.
    Finding(Box<Entry>),
    /// The end.
    Totals(Totals),
}

/// A case at an endpoint, whether it was run or not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CaseLine {
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    #[serde(flatten)]
    pub transport: Channel,
    /// The case, by its path below `cases/`.
    pub case: String,
    /// What its calls were, as a fingerprint: evidence of other calls cannot be judged by this case.
    pub calls: String,
    /// How many of its steps were begun; none when it was not run.
    pub steps: usize,
}

/// One exchange of a case.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExchangeLine<'l> {
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    #[serde(flatten)]
    pub transport: Channel,
    /// The case.
    pub case: Cow<'l, str>,
    /// The step, from 0.
    pub step: usize,
    /// The exchange within the step, from 0.
    pub index: usize,
    /// The exchange; `null` when it was not kept.
    #[schemars(with = "Option<Exchange>")]
    pub evidence: Cow<'l, Value>,
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
    /// How many legal answers were accepted, when they were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_answers: Option<usize>,
    /// Faults of the suite itself, and why the target is not there.
    pub problems: Vec<String>,
    /// What is wrong with the list of known failures itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// How much of what binds was exercised, for each endpoint; empty where only a part of the cases was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exercised: Vec<Exercised>,
    /// Endpoints at which nothing was exercised, which is not a success.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub idle: Vec<Place>,
    /// Endpoints whose answers never held an item that can be read, which is not a success.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blind: Vec<Place>,
    /// Endpoints at which less was exercised than is required.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub short: Vec<Exercised>,
    /// Endpoints whose revision of the contract is not pinned, where it has to be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpinned: Vec<Place>,
    /// Cases of which requests had to be sent again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retried: Vec<Retried>,
    /// How many requests were sent once more, since the server had ended the connection that it kept, as any server may.
    #[serde(default, skip_serializing_if = "is_none")]
    pub reconnected: usize,
    /// How long the answers of each operation took and what they cost; a log of an earlier version has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Numbers>,
    /// How long it took, in seconds.
    pub elapsed: f64,
}

fn is_once(count: &usize) -> bool {
    *count <= 1
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

impl Totals {
    /// The end of a run that took this long, in seconds, and came to this without a reason.
    pub(crate) fn of(conclusion: Conclusion, elapsed: f64) -> Self {
        Self {
            conclusion,
            exit_code: conclusion.exit_code(),
            counterexamples: None,
            legal_answers: None,
            problems: Vec::new(),
            stale: Vec::new(),
            exercised: Vec::new(),
            idle: Vec::new(),
            blind: Vec::new(),
            short: Vec::new(),
            unpinned: Vec::new(),
            retried: Vec::new(),
            reconnected: 0,
            numbers: Vec::new(),
            elapsed,
        }
    }
}

/// A case of which requests had to be sent again, since nobody took them or the connection broke before any answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Retried {
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    #[serde(flatten)]
    pub transport: Channel,
    /// The case.
    pub case: String,
    /// How often.
    pub times: usize,
    /// Why, the first time.
    pub why: String,
}

/// What a program that was started said last on standard error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Said {
    /// The command that started it.
    pub command: String,
    /// Its last lines.
    pub lines: Vec<String>,
}

/// What a tap heard: stands in the header of its log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Heard {
    /// Whether the server was said to hold the corpus.
    pub corpus: bool,
    /// How many exchanges were judged.
    pub judged: usize,
    /// How many could not be judged, by the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_judged: BTreeMap<String, usize>,
}
