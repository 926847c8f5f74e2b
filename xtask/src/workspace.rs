//! Where the data is, and the reference as a program.

use anyhow::{Context, Result, bail};
use conformance::load::Suite;
use conformance::suggest;
use conformance::target::TargetFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the checkout.
pub(crate) fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(Path::to_owned).context("xtask stands in no workspace")
}

/// The suite of the checkout.
pub(crate) fn suite() -> Result<Suite> {
    Ok(Suite::load(&root()?)?)
}

/// The suite of the checkout with the cases and corpora of another folder.
pub(crate) fn suite_with(fixtures: &Path) -> Result<Suite> {
    Ok(Suite::load_with(&root()?, &std::path::absolute(fixtures)?)?)
}

/// The target file of the reference.
pub(crate) fn reference_file(suite: &Suite) -> Result<TargetFile> {
    Ok(TargetFile::read(&root()?.join("reference/target.toml"), suite)?)
}

/// Builds the reference in our own profile; what its target file calls `{reference}`.
pub(crate) fn build_reference() -> Result<BTreeMap<String, String>> {
    let root = root()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--package", "reference"]).current_dir(&root);
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    if profile == "release" {
        build.arg("--release");
    }
    let status = build.status().context("cargo could not be started to build the reference")?;
    if !status.success() {
        bail!("the reference does not build; run `cargo build --package reference`");
    }
    let program = target()?.join(profile).join(format!("reference{}", std::env::consts::EXE_SUFFIX));
    let program = std::path::absolute(&program).unwrap_or(program);
    Ok(BTreeMap::from([("reference".to_owned(), program.display().to_string())]))
}

/// The folder that everything built goes to.
pub(crate) fn target() -> Result<PathBuf> {
    let given = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    given.map_or_else(|| Ok(root()?.join("target")), Ok)
}

/// What a target file can put in: `{corpus}`, the folder with the corpora in it, ours or another.
pub(crate) fn places(fixtures: Option<&Path>) -> Result<BTreeMap<String, String>> {
    let corpus =
        fixtures.map_or_else(|| Ok(root()?.join("fixtures")), |folder| anyhow::Ok(std::path::absolute(folder)?))?;
    Ok(BTreeMap::from([("corpus".to_owned(), corpus.display().to_string())]))
}

/// Refuses a contract that does not exist and names the nearest.
pub(crate) fn known_contracts(names: &[String], suite: &Suite) -> Result<()> {
    let known = suite.contracts.iter().map(|contract| contract.contract.name.as_str());
    match names.iter().find(|name| suite.contract(name).is_none()) {
        Some(name) => bail!("unknown contract `{name}`{}", suggest::hint(name, known)),
        None => Ok(()),
    }
}

/// Refuses a requirement that does not exist and names the nearest.
pub(crate) fn known_requirements(ids: &[String], suite: &Suite) -> Result<()> {
    let known = suite.requirements().map(|requirement| requirement.id.as_str());
    match ids.iter().find(|id| suite.requirement(id).is_none()) {
        Some(id) => bail!("unknown requirement `{id}`{}", suggest::hint(id, known)),
        None => Ok(()),
    }
}
