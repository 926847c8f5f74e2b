//! Reads contracts at later revisions, when they are asked for.

use super::files::Files;
use super::suite::Reader;
use super::{ContractSuite, DataProblem, LoadError, Suite, Transports, lint};
use crate::model::{ContractKey, Revision};

impl Files {
    /// Finds what is wrong with contracts of these files, as far as it is expected of them.
    pub(super) fn lint(&self, contracts: &Suite, problems: &mut Vec<DataProblem>) {
        match self.is_elsewhere() {
            true => lint::part(contracts, &self.root, problems),
            false => lint::contracts(contracts, &self.root, problems),
        }
    }
}

impl Reader for Files {
    fn read(
        &self,
        key: &ContractKey,
        revisions: &[Revision],
        transports: &Transports,
    ) -> Result<ContractSuite, LoadError> {
        let mut problems = Vec::new();
        let folder = self.root.join("schemas").join(key.name());
        let contract = self.contract(&folder, key.revision(), revisions, &mut problems);
        let alone = Suite::made(contract.into_iter().collect(), transports.clone());
        self.lint(&alone, &mut problems);
        match (alone.contracts.into_iter().next(), problems.is_empty()) {
            (Some(contract), true) => Ok(contract),
            _ => Err(LoadError { problems, of: None }),
        }
    }
}

/// Reads built-in contracts, and those that a user brings.
#[derive(Debug)]
pub(super) struct Both {
    pub(super) built_in: Files,
    pub(super) own: Files,
    /// The contracts that the user brings.
    pub(super) names: Vec<String>,
}

impl Reader for Both {
    fn read(
        &self,
        key: &ContractKey,
        revisions: &[Revision],
        transports: &Transports,
    ) -> Result<ContractSuite, LoadError> {
        match self.names.iter().any(|name| name == key.name()) {
            true => self.own.read(key, revisions, transports),
            false => self.built_in.read(key, revisions, transports),
        }
    }
}
