//! A case and its checks, compiled.

use super::Sound;
use crate::model::{
    CaseFile, Contract, Counterexample, Era, Finding, FixedFile, Otherwise, Pick, Place, Step, TransportFamily,
    TransportKind, Verdict, not_told,
};
use crate::path::{EvidencePath, Footprint, Picking, RelativePath};
use crate::rules::{Bounded, Relation, Rule};
use crate::text::fingerprint;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A case, ready to be run and judged.
#[derive(Debug, Clone, Default)]
pub struct Case {
    /// Its path below `cases/`, without the ending.
    pub name: String,
    /// The file that it stands in.
    pub file: PathBuf,
    /// What it shows.
    pub about: String,
    /// What the target must hold.
    pub needs: Vec<String>,
    /// The calls.
    pub steps: Vec<Step>,
    /// The era of MCP that it is about; any when there is none.
    pub(crate) era: Option<Era>,
    /// It shows how the protocol is kept to, so it is run where nothing else of the contract is.
    pub of_protocol: bool,
    /// Only where the target does not speak the other era too.
    pub(crate) alone: bool,
    /// Only where arguments travel as JSON.
    pub(crate) json_only: bool,
    /// Its picks, ready to be used.
    pub(crate) picks: Vec<BoundPick>,
    /// What has to be found in earlier evidence for a step to be taken, by the step.
    pub(crate) conditions: BTreeMap<usize, EvidencePath>,
    /// The checks.
    pub checks: Vec<Check>,
}

/// A pick of a case, ready to be used.
#[derive(Debug, Clone)]
pub(crate) struct BoundPick {
    /// As it stands in the case.
    pub(crate) pick: Pick,
    /// What it looks at.
    pub(crate) path: EvidencePath,
    pub(crate) picking: Picking,
}

/// A check of every exchange of some operations.
#[derive(Debug, Clone)]
pub struct Always {
    /// The era of MCP that it speaks of; both where there is none.
    pub(crate) era: Option<Era>,
    pub(crate) of: Vec<String>,
    pub(crate) refused_too: bool,
    pub(crate) corpus: Vec<String>,
    pub(crate) without: Vec<String>,
    /// It speaks of the transport, so of no exchange that went elsewhere.
    pub(crate) of_transport: bool,
    /// It judges the form of the answer, so it needs none that can be read.
    pub(crate) form: bool,
    /// What it reads of the arguments of a call.
    pub(crate) sound: Sound,
    /// What it reads of an exchange.
    pub(crate) reads: Vec<Footprint>,
    /// The check, its paths relative to an exchange.
    pub check: Check,
}

/// Something that the document fixes of any call over any corpus, compiled.
#[derive(Debug, Clone)]
pub struct Fixed {
    /// What the file says.
    pub(crate) file: FixedFile,
    pub(crate) select: BTreeMap<String, Selector>,
    pub(crate) rule: Option<&'static Rule>,
}

/// A check, compiled.
#[derive(Debug, Clone)]
pub struct Check {
    /// The requirement that it judges.
    pub requirement: String,
    pub(crate) each: Option<Selector>,
    pub(crate) select: BTreeMap<String, Selector>,
    pub(crate) comparison: Comparison,
    /// Whether a refusal may be what it asks for.
    pub(crate) takes_refusal: bool,
    /// How it is shown that it can fail.
    pub broken_by: Vec<Counterexample>,
}

impl Check {
    /// Its paths into evidence.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &EvidencePath> {
        self.each.iter().chain(self.select.values()).filter_map(|selector| match selector {
            Selector::Evidence(path) => Some(path),
            Selector::Relative(_) => None,
        })
    }

    /// Whether it compares with the documents of a corpus, so that it speaks of that corpus alone.
    pub(crate) fn reads_corpus(&self) -> bool {
        let of_corpus = |value: &Value| value.get("$corpus").is_some();
        matches!(&self.comparison, Comparison::Rule { args, .. } if args.values().any(of_corpus))
    }

    /// Whether it reads what answers say, where it judges exchanges one by one.
    pub(crate) fn reads_content(&self) -> bool {
        match &self.each {
            Some(Selector::Relative(path)) => path.reads_content,
            _ => self.select.values().any(|selector| match selector {
                Selector::Relative(path) => path.reads_content,
                Selector::Evidence(_) => false,
            }),
        }
    }

    /// What it reads of an exchange by the paths that begin at each of these values: that they are there, and what is found in them.
    pub(crate) fn reads(&self, each: Footprint) -> Vec<Footprint> {
        let inside = self.select.values().filter_map(|selector| match selector {
            Selector::Relative(path) => Some(each.and(path)),
            Selector::Evidence(_) => None,
        });
        let mut reads: Vec<Footprint> = inside.collect();
        reads.push(each.into_nodes());
        reads
    }

    /// What its paths are called and select.
    pub(crate) fn selects(&self) -> Vec<(&str, &str)> {
        let each = self.each.iter().map(|each| ("each", each));
        let named = self.select.iter().map(|(name, selector)| (name.as_str(), selector));
        each.chain(named).map(|(name, selector)| (name, selector.text())).collect()
    }
}

/// A path of a check.
#[derive(Debug, Clone)]
pub(crate) enum Selector {
    Evidence(EvidencePath),
    Relative(RelativePath),
}

/// Which value of a golden a selected value is compared with.
#[derive(Debug, Clone)]
pub(crate) enum Matching {
    /// The one at the same place; there are as many on both sides.
    InOrder,
    /// Any that is not taken yet; there are as many on both sides.
    AnyOrder,
    /// The one with the same value in this field, as far as both sides have one.
    By(String),
}

impl Matching {
    /// What `unordered` and `by` of a file say.
    pub(crate) fn of(unordered: bool, by: Option<&String>) -> Self {
        match by {
            Some(key) => Self::By(key.clone()),
            None if unordered => Self::AnyOrder,
            None => Self::InOrder,
        }
    }
}

/// How a check judges what it selected.
#[derive(Debug, Clone)]
pub(crate) enum Comparison {
    Equals(Value),
    Golden {
        file: String,
        expected: Vec<Value>,
        matching: Matching,
    },
    /// `bound` says which values a schema of a contract that a user brings cannot judge.
    Schema {
        validator: Arc<jsonschema::Validator>,
        schema: Value,
        bound: Option<Arc<Bounded>>,
    },
    Rule {
        rule: &'static Rule,
        args: Map<String, Value>,
        relation: Relation,
    },
}

impl Check {
    /// The golden file that it compares with.
    pub fn golden(&self) -> Option<&str> {
        match &self.comparison {
            Comparison::Golden { file, .. } => Some(file),
            _ => None,
        }
    }

    /// How it judges, in a word or two: `equals`, `schema`, `golden`, or the name of the rule.
    pub fn method(&self) -> &str {
        match &self.comparison {
            Comparison::Equals(_) => "equals",
            Comparison::Golden { .. } => "golden",
            Comparison::Schema { .. } => "schema",
            Comparison::Rule { rule, .. } => rule.name,
        }
    }
}

impl fmt::Display for Check {
    /// What it looks at and what is due there: `$[0][0].status equals "accepted"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(each) = &self.each {
            write!(f, "for each {}: ", each.text())?;
        }
        for (at, (name, selector)) in self.select.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            match name.as_str() {
                "value" if self.select.len() == 1 => write!(f, "{}", selector.text())?,
                name => write!(f, "{comma}{name} = {}", selector.text())?,
            }
        }
        match &self.comparison {
            Comparison::Equals(due) => write!(f, " equals {due}"),
            Comparison::Golden { file, matching, .. } => match matching {
                Matching::InOrder => write!(f, " is what goldens/{file} has, in its order"),
                Matching::AnyOrder => write!(f, " is what goldens/{file} has, in any order"),
                Matching::By(key) => write!(f, " is what goldens/{file} has for the same `{key}`"),
            },
            Comparison::Schema { schema, .. } => write!(f, " is valid by {schema}"),
            Comparison::Rule { rule, args, .. } if args.is_empty() => write!(f, " by the rule `{}`", rule.name),
            Comparison::Rule { rule, args, .. } => {
                write!(f, " by the rule `{}` with {}", rule.name, Value::from(args.clone()))
            }
        }
    }
}

impl Always {
    /// Whether it judges exchanges of an operation.
    pub fn is_about(&self, operation: &str) -> bool {
        self.of.is_empty() || self.of.iter().any(|name| name == operation)
    }

    /// The exchanges that it judges, for people: `every accepted exchange of search`.
    pub fn reach(&self) -> String {
        let kind = if self.refused_too { "every exchange" } else { "every accepted exchange" };
        let of = if self.of.is_empty() { String::new() } else { format!(" of {}", self.of.join(", ")) };
        let corpus: Vec<&str> = self.corpus.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        let corpus = if corpus.is_empty() { String::new() } else { format!(" on the corpus {}", corpus.join(", ")) };
        let without =
            if self.without.is_empty() { String::new() } else { format!(" without {}", self.without.join(", ")) };
        format!("{kind}{of}{corpus}{without}")
    }
}

impl Selector {
    fn text(&self) -> &str {
        match self {
            Self::Evidence(path) => &path.text,
            Self::Relative(path) => &path.text,
        }
    }
}

impl Case {
    /// The calls that it knows to be allowed: the step, and the requirement that a refusal violates.
    pub fn allowed(&self) -> impl Iterator<Item = (usize, &str)> {
        self.steps.iter().enumerate().filter_map(|(at, step)| Some((at, step.answered.as_deref()?)))
    }

    /// The part of the corpus that it runs on: `Some("")` for the corpus as a whole, `None` when it needs none.
    pub fn corpus_part(&self) -> Option<&str> {
        self.needs.iter().find_map(|need| match need.strip_prefix("corpus")? {
            "" => Some(""),
            part => part.strip_prefix('/'),
        })
    }

    /// The transports that its steps name: none where it runs at every endpoint by itself.
    pub fn transports(&self) -> BTreeSet<TransportFamily> {
        self.steps.iter().filter_map(|step| step.over).collect()
    }

    /// Whether its steps go to both eras of MCP.
    pub(crate) fn names_eras(&self) -> bool {
        self.steps.iter().any(|step| step.era.is_some())
    }

    /// Whether it asks what no client of the protocol asks.
    pub(crate) fn asks_otherwise(&self) -> bool {
        self.steps.iter().any(|step| step.with.contains_key(Otherwise::ARGUMENT))
    }

    /// A fingerprint of its calls: the same as long as it asks the same. SHA-256, its first eight bytes in hexadecimal.
    pub fn calls(&self) -> String {
        // What a refusal means is no part of what is asked.
        let asked = |step: &Step| Step { answered: None, free: false, ..step.clone() };
        let steps = serde_json::to_vec(&self.steps.iter().map(asked).collect::<Vec<_>>()).unwrap_or_default();
        fingerprint::first(Sha256::new_with_prefix(steps), 8)
    }

    /// The arguments that it takes from the target file, with the operations that they belong to.
    pub fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        let values = self.steps.iter().flat_map(|step| step.with.values().map(|value| (step.call.as_str(), value)));
        values.filter_map(|(call, value)| Some((call, given(value)?)))
    }

    /// A finding for every check of it, where it was not run or not to its end.
    pub(crate) fn not_told(&self, place: &Place, verdict: Verdict, why: &str) -> Vec<Finding> {
        self.requirements().into_iter().map(|id| not_told(place, &self.name, id, verdict, why)).collect()
    }

    /// The requirements that it judges, each once: those of its checks, then those that allow its calls.
    pub(crate) fn requirements(&self) -> Vec<&str> {
        let of_checks = self.checks.iter().map(|check| check.requirement.as_str());
        let mut all: Vec<&str> = Vec::new();
        for id in of_checks.chain(self.allowed().map(|(_, id)| id)) {
            if !all.contains(&id) {
                all.push(id);
            }
        }
        all
    }

    /// Whether it makes sense over a transport: each of its operations is spoken there.
    pub fn is_spoken_over(&self, contract: &Contract, kind: TransportKind) -> bool {
        let is_spoken = |step: &Step| {
            let Some(operation) = contract.operations.get(&step.call) else { return false };
            let protocol = step.over.map_or(kind.protocol(), TransportFamily::protocol);
            operation.binding(protocol).is_some() && (!self.json_only || operation.carries_json_over(protocol))
        };
        self.steps.iter().all(is_spoken)
    }
}

/// The argument whose value is taken from the target file, where a value says so.
pub(crate) fn given(value: &Value) -> Option<&str> {
    value.get("$given")?.as_str()
}

impl Fixed {
    /// The requirement that fixes it.
    pub fn requirement(&self) -> &str {
        &self.file.requirement
    }
}

/// A case file before it is compiled.
pub(crate) struct RawCase {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) case: CaseFile,
    pub(crate) json_only: bool,
    pub(crate) of_protocol: bool,
    pub(crate) alone: bool,
}
