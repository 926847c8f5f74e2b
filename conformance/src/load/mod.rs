//! Files → [`Suite`], or every problem at once with its file and place.
//!
//! `files` reads and parses, `derive` makes cases of the keywords of input schemas, `compile` makes checks ready to judge, `lint` finds what a schema cannot say.

mod compile;
mod derive;
mod files;
mod follows;
mod lint;
mod problems;
mod selection;
mod sentinel;

pub(crate) use problems::Problems;
pub use problems::{DataProblem, LoadError};
pub(crate) use selection::runs_at;
pub use sentinel::Sentinel;
pub(crate) use sentinel::{Document, Sight};

use crate::model::{CaseFile, Contract, ContractKey, FixedFile, Requirement, Step, TransportFamily, TransportKind};
use crate::path::{EvidencePath, RelativePath};
use crate::rules::Rule;
use crate::text::fingerprint;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that the suite knows, ready to be used.
#[derive(Debug)]
pub struct Suite {
    /// The contracts, by name.
    pub contracts: Vec<ContractSuite>,
    /// What belongs to the transports themselves.
    pub transports: Transports,
}

/// One contract with its cases.
#[derive(Debug)]
pub struct ContractSuite {
    /// The contract.
    pub contract: Contract,
    /// Its cases, by name.
    pub cases: Vec<Case>,
    /// Checks of every exchange.
    pub always: Vec<Always>,
    /// What is compared with the reference when random calls are made.
    pub fixed: Vec<Fixed>,
    /// The folder of its corpus.
    pub corpus: PathBuf,
    /// What tells whether a target holds that corpus.
    pub sentinel: Option<Sentinel>,
    /// The folder of its goldens.
    pub goldens: PathBuf,
    /// The names of fields that its schemas speak of.
    pub fields: BTreeSet<String>,
}

/// Requirements and checks of the transports.
#[derive(Debug, Clone)]
pub struct Transports {
    /// `cli.*`, `http.*`, `mcp.*`.
    pub requirements: Vec<Requirement>,
    /// Their checks.
    pub checks: BTreeMap<TransportFamily, Vec<Always>>,
}

impl Transports {
    /// The checks of every exchange over a transport.
    pub fn of(&self, kind: TransportKind) -> Vec<&Always> {
        kind.families().iter().filter_map(|family| self.checks.get(family)).flatten().collect()
    }
}

/// A case, ready to be run and judged.
#[derive(Debug, Clone)]
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
    /// Only where arguments travel as JSON.
    pub(crate) json_only: bool,
    /// The paths of picks, by their text.
    pub(crate) picks: BTreeMap<String, EvidencePath>,
    /// The checks.
    pub checks: Vec<Check>,
}

/// A check of every exchange of some operations.
#[derive(Debug, Clone)]
pub struct Always {
    pub(crate) of: Vec<String>,
    pub(crate) refused_too: bool,
    pub(crate) corpus: Vec<String>,
    pub(crate) without: Vec<String>,
    /// It speaks of the transport, so of no exchange that went elsewhere.
    pub(crate) of_transport: bool,
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
    pub broken_by: Vec<Damage>,
}

/// A counterexample, compiled.
#[derive(Debug, Clone)]
pub struct Damage {
    /// The mistake that it stands for.
    pub about: String,
    /// What else the mistake violates.
    pub also: Vec<String>,
    /// The damage.
    pub patch: json_patch::Patch,
}

/// A path of a check.
#[derive(Debug, Clone)]
pub(crate) enum Selector {
    Evidence(EvidencePath),
    Relative(RelativePath),
}

/// How a check judges what it selected.
#[derive(Debug, Clone)]
pub(crate) enum Comparison {
    Equals(Value),
    Golden { file: String, expected: Vec<Value>, unordered: bool },
    Schema { validator: Arc<jsonschema::Validator>, schema: Value },
    Rule(&'static Rule, Map<String, Value>),
}

impl Check {
    /// The golden file that it compares with, and whether order is free.
    pub fn golden(&self) -> Option<(&str, bool)> {
        match &self.comparison {
            Comparison::Golden { file, unordered, .. } => Some((file, *unordered)),
            _ => None,
        }
    }

    /// How it judges, in a word or two: `equals`, `schema`, `golden`, or the name of the rule.
    pub fn method(&self) -> &str {
        match &self.comparison {
            Comparison::Equals(_) => "equals",
            Comparison::Golden { .. } => "golden",
            Comparison::Schema { .. } => "schema",
            Comparison::Rule(rule, _) => rule.name,
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
            Comparison::Golden { file, unordered: false, .. } => write!(f, " is what goldens/{file} has, in its order"),
            Comparison::Golden { file, unordered: true, .. } => write!(f, " is what goldens/{file} has, in any order"),
            Comparison::Schema { schema, .. } => write!(f, " is valid by {schema}"),
            Comparison::Rule(rule, args) if args.is_empty() => write!(f, " by the rule `{}`", rule.name),
            Comparison::Rule(rule, args) => {
                write!(f, " by the rule `{}` with {}", rule.name, Value::from(args.clone()))
            }
        }
    }
}

impl Always {
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

impl Suite {
    /// A fingerprint of the calls of all cases: runs with the same one asked the same.
    pub fn calls(&self) -> String {
        let mut hash = Sha256::new();
        for contract in &self.contracts {
            for case in &contract.cases {
                hash.update(format!("{}/{} {}\n", contract.contract.name, case.name, case.calls()));
            }
        }
        fingerprint::first(hash, 8)
    }
}

impl Case {
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

    /// A fingerprint of its calls: the same as long as it asks the same. SHA-256, its first eight bytes in hexadecimal.
    pub fn calls(&self) -> String {
        let steps = serde_json::to_vec(&self.steps).unwrap_or_default();
        fingerprint::first(Sha256::new_with_prefix(steps), 8)
    }

    /// The arguments that it takes from the target file, with the operations that they belong to.
    pub fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        let values = self.steps.iter().flat_map(|step| step.with.values().map(|value| (step.call.as_str(), value)));
        values.filter_map(|(call, value)| Some((call, given(value)?)))
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

impl ContractSuite {
    /// The requirements that checks of every exchange can judge over a transport.
    pub fn always_judged_over(&self, kind: TransportKind) -> BTreeSet<&str> {
        let operations = &self.contract.operations;
        let is_spoken =
            |name: &String| operations.get(name).is_some_and(|operation| operation.binding(kind.protocol()).is_some());
        let due = self.always.iter().filter(|always| always.of.is_empty() || always.of.iter().any(is_spoken));
        due.map(|always| always.check.requirement.as_str()).collect()
    }
}

impl Suite {
    /// Reads `schemas/` and `fixtures/` below `root`.
    ///
    /// # Errors
    /// Every problem of every file, when there is one at all.
    pub fn load(root: &Path) -> Result<Self, LoadError> {
        let mut problems = Vec::new();
        let suite = files::suite(root, None, &mut problems);
        lint::suite(&suite, root, &mut problems);
        Self::sound(suite, problems)
    }

    /// The same with the cases, goldens and corpora of another folder that is built like `fixtures/`. What always applies
    /// stays; the folder need not have a case for every requirement.
    ///
    /// # Errors
    /// Every problem of every file, when there is one at all.
    pub fn load_with(root: &Path, fixtures: &Path) -> Result<Self, LoadError> {
        let mut problems = Vec::new();
        let suite = files::suite(root, Some(fixtures), &mut problems);
        lint::part(&suite, root, &mut problems);
        Self::sound(suite, problems)
    }

    fn sound(suite: Self, problems: Vec<DataProblem>) -> Result<Self, LoadError> {
        match problems.is_empty() {
            true => Ok(suite),
            false => Err(LoadError { problems }),
        }
    }

    /// The contract of this name.
    pub fn contract(&self, name: &str) -> Option<&ContractSuite> {
        self.contracts.iter().find(|contract| contract.contract.name == name)
    }

    /// The contract of this key.
    pub fn keyed(&self, key: &ContractKey) -> Option<&ContractSuite> {
        self.contract(key.name())
    }

    /// The requirement with this id.
    pub fn requirement(&self, id: &str) -> Option<&Requirement> {
        self.requirements().find(|requirement| requirement.id == id)
    }

    /// What judges a requirement: checks of every exchange first, then those of cases.
    pub fn uses(&self, id: &str) -> Vec<Use<'_>> {
        let is_its = |check: &&Check| check.requirement == id;
        let mut uses = Vec::new();
        for always in self.transports.checks.values().flatten().filter(|always| is_its(&&always.check)) {
            uses.push(Use { contract: None, case: None, check: &always.check, always: Some(always) });
        }
        for contract in &self.contracts {
            for always in contract.always.iter().filter(|always| is_its(&&always.check)) {
                uses.push(Use { contract: Some(contract), case: None, check: &always.check, always: Some(always) });
            }
            for case in &contract.cases {
                let checks = case.checks.iter().filter(is_its);
                uses.extend(checks.map(|check| Use {
                    contract: Some(contract),
                    case: Some(case),
                    check,
                    always: None,
                }));
            }
        }
        uses
    }

    /// Every requirement, of contracts and of transports.
    pub fn requirements(&self) -> impl Iterator<Item = &Requirement> + Clone {
        self.contracts.iter().flat_map(|contract| &contract.contract.requirements).chain(&self.transports.requirements)
    }
}

/// A check, and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Use<'s> {
    /// The contract; none where it belongs to a transport.
    pub contract: Option<&'s ContractSuite>,
    /// The case; none where it judges every exchange.
    pub case: Option<&'s Case>,
    /// The check.
    pub check: &'s Check,
    /// Which exchanges it judges, where it judges every one of some.
    pub always: Option<&'s Always>,
}

/// A case file before it is compiled.
pub(crate) struct RawCase {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) case: CaseFile,
    pub(crate) json_only: bool,
}
