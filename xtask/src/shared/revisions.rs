//! Contracts and their revisions as they are given on a command line.

use anyhow::{Result, bail};
use conformance::model::ContractKey;

/// Reads a contract with its revision: a name, `@` and a number.
pub(crate) fn parsed(text: &str) -> Result<ContractKey, String> {
    let key = ContractKey::from(text);
    match text.contains('@') && key.name() != text {
        true => Ok(key),
        false => Err("a revision is CONTRACT@NUMBER, from 1 on".to_owned()),
    }
}

/// What a command line asks for.
pub(crate) struct Asked {
    /// The contracts that it names, without their revisions.
    pub(crate) contracts: Vec<String>,
    /// The revisions that it pins, one of each contract at most.
    pub(crate) revisions: Vec<ContractKey>,
}

impl Asked {
    /// Contracts as they are named, `memory` or `memory@2`, with what `--revision` gives.
    ///
    /// # Errors
    /// When a revision cannot be read, is another one than that of the same contract, or is of a contract that is not named.
    pub(crate) fn of(named: &[String], revisions: &[ContractKey]) -> Result<Self> {
        let mut asked = Self { contracts: Vec::new(), revisions: Vec::new() };
        for name in named {
            let Some((contract, _)) = name.rsplit_once('@') else {
                asked.contracts.push(name.clone());
                continue;
            };
            match parsed(name) {
                Ok(key) => asked.pin(&key)?,
                Err(why) => bail!("`{name}`: {why}"),
            }
            asked.contracts.push(contract.to_owned());
        }
        for key in revisions {
            asked.pin(key)?;
            if !asked.names(key.name()) {
                bail!("--revision {} does nothing here: only {} was asked for", key.full(), asked.contracts.join(", "));
            }
        }
        Ok(asked)
    }

    /// Whether a contract is asked for: all are where none is named.
    pub(crate) fn names(&self, contract: &str) -> bool {
        self.contracts.is_empty() || self.contracts.iter().any(|name| name == contract)
    }

    fn pin(&mut self, key: &ContractKey) -> Result<()> {
        match self.revisions.iter().find(|other| other.name() == key.name()) {
            Some(other) if other != key => bail!(
                "{} and {} are two revisions of one contract: give one of them; a target file can give each endpoint its own",
                other.full(),
                key.full()
            ),
            Some(_) => {}
            None => self.revisions.push(key.clone()),
        }
        Ok(())
    }
}
