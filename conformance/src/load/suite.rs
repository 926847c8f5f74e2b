//! Everything that the suite knows, ready to be used.

use super::case::{Always, Case, Check, Fixed};
use super::legal::Legal;
use super::problems::LoadError;
use super::sentinel::Sentinel;
use super::signs::Telltale;
use crate::model::{Beside, Channel, Contract, ContractKey, Requirement, Revision, TransportFamily};
use crate::text::fingerprint;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Everything that the suite knows, ready to be used.
#[derive(Debug)]
pub struct Suite {
    /// The contracts at their first revision, by name.
    pub contracts: Vec<ContractSuite>,
    /// What belongs to the transports themselves.
    pub transports: Transports,
    /// The later revisions of the contracts.
    pub(super) views: Views,
    /// The contracts among them that a user brought.
    pub(super) brought: Option<Brought>,
}

/// The contracts of a folder that a user brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brought {
    /// The folder.
    pub folder: PathBuf,
    /// A fingerprint of all its files.
    pub fingerprint: String,
    /// Their names, in order.
    pub contracts: Vec<String>,
}

/// The revisions of every contract, and the contracts at those that were asked for.
#[derive(Debug)]
pub(super) struct Views {
    /// What reads them; nothing where the contracts were made, not read.
    pub(super) reader: Option<Box<dyn Reader>>,
    pub(super) revisions: BTreeMap<String, Vec<Revision>>,
    /// By what each is recognised.
    pub(super) signs: BTreeMap<String, Vec<Telltale>>,
    pub(super) later: Vec<View>,
}

/// A contract at a later revision.
#[derive(Debug)]
pub(super) struct View {
    pub(super) key: ContractKey,
    pub(super) read: OnceLock<Result<ContractSuite, LoadError>>,
}

/// Reads contracts at later revisions.
pub(super) trait Reader: fmt::Debug + Send + Sync {
    /// Reads a contract at one of its revisions, and finds what is wrong with it there.
    fn read(
        &self,
        key: &ContractKey,
        revisions: &[Revision],
        transports: &Transports,
    ) -> Result<ContractSuite, LoadError>;
}

/// One contract at one revision, with its cases.
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
    /// Random calls that are made a second time without one of their arguments.
    pub(crate) beside: Vec<Beside>,
    /// What correct programs may answer in place of the reference.
    pub legal: Vec<Legal>,
    /// The folder of its corpus.
    pub corpus: PathBuf,
    /// What tells whether a target holds that corpus.
    pub sentinel: Option<Sentinel>,
    /// The folder of its goldens.
    pub goldens: PathBuf,
    /// Goldens there that only checks of other revisions compare with.
    pub(super) other_goldens: BTreeSet<String>,
    /// Where its schemas are.
    pub schemas: Schemas,
    /// The names of fields that its schemas speak of.
    pub fields: BTreeSet<String>,
    /// Whether a user brought it.
    pub(crate) is_brought: bool,
}

/// The files of the schemas of a contract at a revision.
#[derive(Debug, Clone, Default)]
pub struct Schemas {
    pub(super) folder: PathBuf,
    /// The files that are read in the place of others.
    pub(super) instead: BTreeMap<String, String>,
}

impl Schemas {
    /// The file of a schema that an operation names.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(self.instead.get(name).map_or(name, String::as_str))
    }
}

/// Requirements and checks of the transports.
#[derive(Debug, Clone)]
pub struct Transports {
    /// `cli.*`, `http.*`, `mcp.*`, then `client.*`.
    pub requirements: Vec<Requirement>,
    /// Their checks.
    pub checks: BTreeMap<TransportFamily, Vec<Always>>,
}

impl Transports {
    /// The checks of every exchange over a transport.
    pub fn of(&self, kind: Channel) -> Vec<&Always> {
        let all = kind.families().into_iter().filter_map(|family| self.checks.get(&family)).flatten();
        all.filter(|always| kind.is_in(always.era)).collect()
    }
}

impl ContractSuite {
    /// The same contract with other cases and checks, over another corpus.
    pub(crate) fn with(&self, cases: Vec<Case>, always: Vec<Always>, corpus: PathBuf) -> Self {
        Self {
            contract: self.contract.clone(),
            cases,
            always,
            fixed: Vec::new(),
            beside: Vec::new(),
            legal: Vec::new(),
            corpus,
            sentinel: None,
            goldens: self.goldens.clone(),
            other_goldens: self.other_goldens.clone(),
            schemas: self.schemas.clone(),
            fields: self.fields.clone(),
            is_brought: self.is_brought,
        }
    }

    /// The requirements that checks of every exchange can judge over a transport.
    pub fn always_judged_over(&self, kind: Channel) -> BTreeSet<&str> {
        let operations = &self.contract.operations;
        let is_spoken =
            |name: &String| operations.get(name).is_some_and(|operation| operation.binding(kind.protocol()).is_some());
        let due = self.always.iter().filter(|always| always.of.is_empty() || always.of.iter().any(is_spoken));
        due.map(|always| always.check.requirement.as_str()).collect()
    }
}

impl Suite {
    /// The contracts that a user brought beside the built-in ones.
    pub fn brought(&self) -> Option<&Brought> {
        self.brought.as_ref()
    }

    /// Whether a contract is one that a user brought.
    pub fn is_brought(&self, contract: &str) -> bool {
        self.brought.as_ref().is_some_and(|brought| brought.contracts.iter().any(|name| name == contract))
    }

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

    /// The contract of this name, at its first revision.
    pub fn contract(&self, name: &str) -> Option<&ContractSuite> {
        self.contracts.iter().find(|contract| contract.contract.name == name)
    }

    /// The requirement with this id, at the first revision that has it.
    pub fn requirement(&self, id: &str) -> Option<&Requirement> {
        self.requirements().find(|requirement| requirement.id == id)
    }

    /// The calls that a requirement allows, each with its case: a refusal of one violates it.
    pub fn allowed<'s>(&'s self, id: &'s str) -> impl Iterator<Item = (&'s Case, &'s str)> {
        self.contracts.iter().flat_map(|contract| &contract.cases).flat_map(move |case| {
            let steps = case.allowed().filter(move |(_, one)| *one == id);
            let mut calls: Vec<&str> = steps.map(|(at, _)| case.steps[at].call.as_str()).collect();
            calls.dedup();
            calls.into_iter().map(move |call| (case, call))
        })
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
                // A case of the protocol is the same in each contract.
                let is_shown = |one: &Use<'_>| one.case.is_some_and(|shown| shown.name == case.name);
                if case.of_protocol && uses.iter().any(is_shown) {
                    continue;
                }
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
