//! Runs over contracts that a user brings: what judges them, and what proves them.

use super::arguments::Arguments;
use crate::shared::print::tell;
use crate::shared::program;
use anyhow::{Result, bail};
use conformance::load::Suite;
use conformance::targets::TargetFile;
use conformance::text::listed;
use std::path::Path;

/// Refuses to run the reference by contracts that it does not speak.
pub(super) fn only_built_in(contracts: &[String], suite: &Suite) -> Result<()> {
    match contracts.iter().find(|name| suite.is_brought(name)) {
        Some(name) => bail!(
            "the reference does not speak `{name}`, which is a contract of your own: name what to judge, as in {} verify {name} --target FILE",
            program::name()
        ),
        None => Ok(()),
    }
}

/// Refuses to compare random calls with a reference that does not speak the contract.
pub(super) fn only_built_in_explored(arguments: &Arguments, file: &TargetFile, suite: &Suite) -> Result<()> {
    let own = file.endpoints.iter().map(|endpoint| endpoint.contract.name()).find(|name| suite.is_brought(name));
    match own.filter(|_| arguments.exploration.explore.is_some()) {
        Some(name) => bail!(
            "--explore compares with the reference, which does not speak `{name}`, a contract of your own: leave --explore out, or name \
             the built-in contracts to explore in a target file of their own"
        ),
        None => Ok(()),
    }
}

/// What proves the contracts of a target: the reference that its file names, else the target itself.
pub(super) fn proving(file: TargetFile, suite: &Suite) -> Result<TargetFile> {
    let built_in: Vec<&str> =
        file.endpoints.iter().map(|one| one.contract.name()).filter(|name| !suite.is_brought(name)).collect();
    if !built_in.is_empty() {
        bail!(
            "--prove is for contracts of your own, and {} built in: `{} verify` proves those by the reference",
            match built_in.len() {
                1 => format!("{} is", built_in[0]),
                count => format!("{} are", listed(&built_in, count)),
            },
            program::name()
        );
    }
    let Some(reference) = &file.reference else {
        tell!("proving by the answers of {}, which is declared sound", file.name);
        return Ok(file);
    };
    let sound = TargetFile::read(Path::new(reference), suite)?;
    if sound.reference.is_some() {
        bail!("{}: a reference names no other `reference`; take that line out", reference.display());
    }
    tell!("proving by the answers of {} ({}), which is declared sound", sound.name, reference.display());
    proving(sound, suite)
}
