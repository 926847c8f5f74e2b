//! Where the data is, and the reference as a program.

use crate::shared::program;
pub(crate) use crate::shared::program::root;
use anyhow::{Context, Result, bail};
use conformance::load::Suite;
use conformance::model::ContractKey;
use conformance::targets::{Address, Target, TargetFile};
use conformance::text::suggest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The suite.
pub(crate) fn suite() -> Result<Suite> {
    Ok(Suite::load(&root()?)?)
}

/// The target file of the reference.
pub(crate) fn reference_file(suite: &Suite) -> Result<TargetFile> {
    let mut file = TargetFile::read(&root()?.join("reference/target.toml"), suite)?;
    file.start.iter_mut().for_each(start_ourselves);
    for endpoint in &mut file.endpoints {
        if let Address::Cli(words) | Address::McpStdio(words) = &mut endpoint.address {
            start_ourselves(words);
        }
    }
    Ok(file)
}

/// The target file of the reference, with contracts at these revisions.
pub(crate) fn reference_at(suite: &Suite, revisions: &[ContractKey]) -> Result<TargetFile> {
    let mut file = reference_file(suite)?;
    speak(&mut file, revisions);
    file.pin(revisions, suite)?;
    Ok(file)
}

/// The later revisions of these contracts, or of all where none is named, each to be run by itself.
pub(crate) fn later(suite: &Suite, contracts: &[String]) -> Vec<ContractKey> {
    let is_wanted = |key: &ContractKey| contracts.is_empty() || contracts.iter().any(|name| name == key.name());
    suite.keys().filter(|key| key.revision() > ContractKey::FIRST && is_wanted(key)).collect()
}

/// Has the reference speak revisions of contracts in the place of those that its target file pins.
pub(crate) fn speak(file: &mut TargetFile, revisions: &[ContractKey]) {
    for endpoint in &mut file.endpoints {
        if let Some(key) = revisions.iter().find(|key| key.name() == endpoint.contract.name()) {
            (endpoint.contract, endpoint.is_pinned) = (key.clone(), true);
        }
    }
    let words = revisions.iter().flat_map(|key| ["--revision".to_owned(), key.full()]);
    file.add_words(&words.collect::<Vec<_>>());
}

/// Changes a command that starts the reference into one that starts this program as the reference.
fn start_ourselves(words: &mut Vec<String>) {
    if words.first().is_some_and(|word| word == "{reference}") {
        words.insert(1, program::REFERENCE.to_owned());
    }
}

/// The value of `{reference}` in target files: this program.
pub(crate) fn reference_program() -> Result<BTreeMap<String, String>> {
    Ok(BTreeMap::from([("reference".to_owned(), ourselves()?)]))
}

/// The program that runs.
pub(crate) fn ourselves() -> Result<String> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    Ok(program.display().to_string())
}

/// The reference over our corpora, with contracts at these revisions, ready to be started.
pub(crate) fn reference_target(suite: &Suite, revisions: &[ContractKey]) -> Result<Target> {
    let mut all = reference_program()?;
    all.extend(places(None)?);
    Ok(reference_at(suite, revisions)?.ready(&all, &|name| std::env::var(name).ok())?)
}

/// The program and the words that start the reference over our corpora, as a server at a port of loopback.
pub(crate) fn reference_start(suite: &Suite, port: u16) -> Result<(String, Vec<String>)> {
    let mut all = reference_program()?;
    all.extend(places(None)?);
    all.insert("port".to_owned(), port.to_string());
    let fill = |word: String| all.iter().fold(word, |word, (name, value)| word.replace(&format!("{{{name}}}"), value));
    let mut words = reference_file(suite)?.start.into_iter().flatten().map(fill);
    let program = words.next().context("the reference's target file starts nothing")?;
    Ok((program, words.collect()))
}

/// The folder for everything that is built or found.
pub(crate) fn target() -> Result<PathBuf> {
    if program::is_installed() {
        return Ok(std::env::current_dir().context("the current folder is not there")?.join("target"));
    }
    let given = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    given.map_or_else(|| Ok(root()?.join("target")), Ok)
}

/// The values of `{corpus}` and `{suite}` in a target file: the folder with the corpora of its contracts, and that of the contracts that a
/// user brings.
pub(crate) fn places_of(file: &TargetFile, suite: &Suite, fixtures: Option<&Path>) -> Result<BTreeMap<String, String>> {
    let Some(brought) = suite.brought() else { return places(fixtures) };
    let own = std::path::absolute(&brought.folder)?;
    let is_own = file.endpoints.iter().all(|endpoint| suite.is_brought(endpoint.contract.name()));
    let its = own.join("fixtures");
    let mut places = places(fixtures.or(is_own.then_some(its.as_path())))?;
    places.insert("suite".to_owned(), own.display().to_string());
    Ok(places)
}

/// The value of `{corpus}` in target files: the folder with the corpora, ours or another.
pub(crate) fn places(fixtures: Option<&Path>) -> Result<BTreeMap<String, String>> {
    let corpus =
        fixtures.map_or_else(|| Ok(root()?.join("fixtures")), |folder| anyhow::Ok(std::path::absolute(folder)?))?;
    Ok(BTreeMap::from([("corpus".to_owned(), corpus.display().to_string())]))
}

/// Refuses a contract that does not exist and names the nearest.
pub(crate) fn known_contracts(names: &[String], suite: &Suite) -> Result<()> {
    let known = suite.contracts.iter().map(|contract| contract.contract.name.as_str());
    match names.iter().find(|name| suite.contract(name).is_none()) {
        Some(name) => match name.rsplit_once('@').filter(|(contract, _)| suite.contract(contract).is_some()) {
            Some((contract, _)) => {
                bail!("`{name}` names a revision, which is nothing to this command; give `{contract}`")
            }
            None => bail!("unknown contract `{name}`{}", suggest::hint(name, known)),
        },
        None => Ok(()),
    }
}

/// Refuses a requirement that does not exist and names the nearest.
pub(crate) fn known_requirements(ids: &[String], suite: &Suite) -> Result<()> {
    match ids.iter().find(|id| !suite.knows(id)) {
        Some(id) => bail!("unknown requirement `{id}`{}", suite.hint(id)),
        None => Ok(()),
    }
}
