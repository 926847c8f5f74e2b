//! A case as data: `fixtures/<contract>/cases/**/*.json`, and the checks of `always.json`.

use super::Era;
use json_patch::Patch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Steps that are taken in order, and checks of what came back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct CaseFile {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What the case shows, for a reader who does not know the contract.
    pub about: String,
    /// What the target must hold: `corpus`, or `corpus/<part>`. Nothing for a case that any live data can serve.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The era of MCP that it speaks of; it runs in any where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<Era>,
    /// The calls, in order.
    pub steps: Vec<Step>,
    /// What must be true of the evidence.
    pub checks: Vec<CheckFile>,
}

/// One call, or many calls that differ in one argument.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The operation.
    pub call: String,
    /// Its arguments. `{"$pick": …}` in place of a value takes it from earlier evidence, `{"$given": "…"}` takes the
    /// value that the target file gives for this argument, else the one of the example of the input schema.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// Arguments that the operation does not have, sent on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// The transport, for cases that compare two, or speak of one alone. Then every step of the case names its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<super::TransportFamily>,
    /// The era of MCP, for cases that compare both. Then every step of the case names its own, and it runs in that of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<Era>,
    /// The step whose accepted request differs from this refused one in one argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<usize>,
    /// The requirement that allows the call, so that a refusal violates it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<String>,
    /// A refusal is legal too; then nothing is judged by the call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
    /// A JSONPath into earlier evidence. The call is made only where it finds something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Call once for each value of an argument, or for each row of arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
    /// Follow pages until an empty one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk: Option<Walk>,
}

impl Step {
    /// One call.
    pub fn of(call: &str, with: Map<String, Value>) -> Self {
        Self { call: call.to_owned(), with, ..Self::default() }
    }

    /// Whether a refusal is expected, or as good as an answer: what a server says in its place has no form.
    pub(crate) fn is_free(&self) -> bool {
        self.free || self.twin.is_some()
    }

    /// The names of the arguments that it sends.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &str> {
        let of_sweep = self.sweep.iter().flat_map(Sweep::arguments);
        let of_walk = self.walk.iter().flat_map(|walk| [&walk.limit, &walk.offset]);
        self.with.keys().chain(of_sweep).chain(of_walk).map(String::as_str)
    }
}

/// One call for each value of an argument, or for each row of arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// The argument that changes. Without it, each value is an object of arguments that are given together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// The values, in order.
    pub over: SweepValues,
}

impl Sweep {
    /// The rows of arguments that stand there.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Map<String, Value>> {
        let rows = match (&self.argument, &self.over) {
            (None, SweepValues::List(rows)) => rows.as_slice(),
            _ => &[],
        };
        rows.iter().filter_map(Value::as_object)
    }

    /// The names of the arguments that it sends, as far as they stand there.
    fn arguments(&self) -> impl Iterator<Item = &String> {
        self.argument.iter().chain(self.rows().flat_map(Map::keys))
    }
}

/// The values of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SweepValues {
    /// These.
    List(Vec<Value>),
    /// Whole numbers, both ends included.
    Range {
        /// The first.
        from: i64,
        /// The last.
        to: i64,
    },
    /// Every value of a pick from earlier evidence.
    Pick(Pick),
}

impl SweepValues {
    /// The values that stand there.
    pub(crate) fn listed(&self) -> impl Iterator<Item = Value> + '_ {
        let (list, range) = match self {
            Self::List(values) => (values.as_slice(), None),
            Self::Range { from, to } => (&[][..], Some(*from..=*to)),
            Self::Pick(_) => (&[][..], None),
        };
        list.iter().cloned().chain(range.into_iter().flatten().map(Value::from))
    }
}

/// A pure function of earlier evidence that yields values for arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pick {
    /// Its name; `value` takes what is selected as it is.
    #[serde(rename = "$pick")]
    pub name: String,
    /// What it looks at: a JSONPath over the evidence so far.
    pub from: String,
    /// What else it needs to know.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

/// Calls that step through pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Walk {
    /// The argument that holds the page size, which `with` gives.
    pub limit: String,
    /// The argument that holds how many items to pass over.
    pub offset: String,
    /// At most this many pages; more leave the case incomplete.
    pub pages: usize,
}

/// What must be true of the evidence, and how it is shown that the check can fail.
///
/// Exactly one of `equals`, `golden`, `schema` and `rule` says how the selected values are judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct CheckFile {
    /// The requirement that is judged.
    pub requirement: String,
    /// Choose nodes; paths beginning with `@` are then relative to each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    /// What is judged: a JSONPath, or several by name.
    pub select: Select,
    /// Every selected value equals this.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub equals: Option<Equals>,
    /// The selected values are, in order, those in the array of this file of `goldens/`. An object there may leave out
    /// fields that are free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub golden: Option<String>,
    /// Compare with the golden as a set.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unordered: bool,
    /// Compare each selected object with the one of the golden that has the same value in this field. What the golden does not
    /// name is free, and so is what was not received: other requirements judge that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Every selected value is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The selected values are in this relation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What else the rule needs to know.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
    /// Damage to the evidence that the check must notice.
    pub broken_by: Vec<Counterexample>,
}

/// A wrapper that tells `"equals": null` from no `equals` at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Equals(pub Value);

/// Keeps a `null` that is written apart from nothing at all.
fn present<'d, D: serde::Deserializer<'d>>(from: D) -> Result<Option<Equals>, D::Error> {
    Value::deserialize(from).map(|value| Some(Equals(value)))
}

/// One JSONPath, or several by name for rules over several selections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Select {
    /// One path; rules know it as `value`.
    One(String),
    /// Several, by the names that the rule asks for.
    Named(BTreeMap<String, String>),
}

/// Damage that makes a requirement violated: a JSON Patch over the reference's passing evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct Counterexample {
    /// The mistake that it stands for.
    pub about: String,
    /// Other requirements that the same mistake violates.
    #[serde(default)]
    pub also: Vec<String>,
    /// Why a mistake against advice breaks what binds as well: the other requirement is no part of the advice.
    #[serde(rename = "binds-because", default, skip_serializing_if = "Option::is_none")]
    pub binds_because: Option<String>,
    /// The damage, RFC 6902.
    #[schemars(with = "Value")]
    pub patch: Patch,
}

/// `fixtures/<contract>/always.json`: checks that any single exchange of an operation must pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlwaysFile {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What these checks are for.
    pub about: String,
    /// The checks.
    pub checks: Vec<AlwaysCheck>,
}

/// A check of single exchanges, wherever they occur.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::spanned)]
pub struct AlwaysCheck {
    /// The era of MCP that it speaks of; that of its requirement where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<Era>,
    /// The operations whose exchanges are checked; all of them when it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<String>,
    /// Check refused and failed exchanges as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused_too: bool,
    /// The parts of the corpus that it applies to, an empty name for the corpus as a whole; every case when it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corpus: Vec<String>,
    /// Leave out exchanges whose request gives one of these arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// It judges the form of the answer itself. Where no items can be found in an answer that is JSON, this check says so, and what
    /// else would look inside is incomplete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub form: bool,
    /// The check; its paths begin with `@`, its patches lie on one exchange.
    pub check: CheckFile,
}

/// `schemas/suite/transports.json`: what belongs to the transports themselves, written once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TransportsFile {
    /// The schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Files of earlier suites have a number here.
    #[serde(default = "super::contract::first_revision", skip_serializing)]
    #[schemars(skip)]
    pub revision: u32,
    /// The requirements, `cli.*`, `http.*`, `mcp.*`.
    pub requirements: Vec<super::Requirement>,
    /// Their checks, by the transports they apply to.
    pub checks: BTreeMap<super::TransportFamily, Vec<AlwaysCheck>>,
    /// What a server of tools does with a call that is not as the protocol has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<ProtocolCase>,
}

/// A case that is made for every contract over MCP: `protocol/<name>`, a call that is accepted, and the same with something changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProtocolCase {
    /// Its name below `protocol/`.
    pub name: String,
    /// What it shows.
    pub about: String,
    /// The era that it speaks of.
    pub era: Era,
    /// The transports that it is about; all of MCP when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<super::TransportFamily>,
    /// Only of servers that do not speak the other era too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// A JSONPath into the evidence of the first call. The second is made only where it finds something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// A JSONPath into the evidence of the first call, which finds names of headers. The second is made once for each of them, which `*`
    /// at the end of a name in `otherwise` then means, and for every tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// What the second call has changed.
    pub otherwise: Otherwise,
    /// What must be true of the evidence: `$[0][0]` is the call that is accepted, `$[1][0]` the other one.
    pub checks: Vec<CheckFile>,
}

/// What a call has changed: merge patches (RFC 7396) of its message and its headers. A header that is null is not sent, and one that is
/// an object is sent in Base64; `*` at the end of a name stands for any.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Otherwise {
    /// Of the JSON-RPC message.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub message: Value,
    /// Of the headers that the protocol asks for.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub headers: Map<String, Value>,
}

impl Otherwise {
    /// The argument of a call that holds it. It is not sent as one.
    pub const ARGUMENT: &str = "$otherwise";
    /// The argument of such a call that holds the header which `*` means. It is not sent as one.
    pub const HEADER: &str = "$header";

    /// Whether an argument says how a call is changed, and is not sent.
    pub(crate) fn is_own(argument: &str) -> bool {
        matches!(argument, Self::ARGUMENT | Self::HEADER)
    }

    /// Whether it changes nothing, so that the call is the one that it is compared with.
    pub(crate) fn is_nothing(&self) -> bool {
        let has_none = self.message.as_object().is_some_and(Map::is_empty);
        (self.message.is_null() || has_none) && self.headers.is_empty()
    }
}
