//! Contracts of a user's own, beside the built-in ones.

use crate::shared::program::root;
use anyhow::{Error, Result, bail};
use conformance::load::{self, Suite};
use conformance::model::ContractKey;
use conformance::targets::TargetFile;
use std::path::{Path, PathBuf};

/// The folder that is read without being named: beside a target file, or in the current folder.
const FOLDER: &str = "contracts";

/// Where contracts of a user's own are.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Own {
    /// A folder with contracts of your own, schemas/{name} and fixtures/{name}, to be used beside the built-in ones; left out, that
    /// which the target file names, else contracts/ beside it or in the current folder
    #[arg(long, value_name = "FOLDER")]
    suite: Option<PathBuf>,
}

impl Own {
    /// The suite, with the contracts of the user's own.
    pub(crate) fn suite(&self) -> Result<Suite> {
        self.suite_for(None, None)
    }

    /// The same, with contracts at these revisions in the place of their first ones.
    pub(crate) fn suite_at(&self, revisions: &[ContractKey]) -> Result<Suite> {
        self.suite()?.choosing(revisions).map_err(Error::msg)
    }

    /// The same for a target file, perhaps with the cases and corpora of another folder.
    pub(crate) fn suite_for(&self, target: Option<&Path>, fixtures: Option<&Path>) -> Result<Suite> {
        let root = root()?;
        let fixtures = fixtures.map(std::path::absolute).transpose()?;
        Ok(match (self.folder(target)?, fixtures) {
            (Some(own), fixtures) => Suite::load_beside(&root, fixtures.as_deref(), &own)?,
            (None, Some(fixtures)) => Suite::load_with(&root, &fixtures)?,
            (None, None) => Suite::load(&root)?,
        })
    }

    /// The folder: the one that is named, else one that is found.
    pub(crate) fn folder(&self, target: Option<&Path>) -> Result<Option<PathBuf>> {
        if let Some(folder) = &self.suite {
            return there(folder, "--suite").map(Some);
        }
        if let Some(folder) = target.and_then(TargetFile::suite_of) {
            return there(&folder, "`suite` of the target file").map(Some);
        }
        let beside = target.and_then(Path::parent).map(|folder| folder.join(FOLDER));
        let places = beside.into_iter().chain([PathBuf::from(FOLDER)]);
        // A folder that leads elsewhere is not read unless somebody names it.
        let is_there = |folder: &PathBuf| !folder.is_symlink() && load::has_contracts(folder);
        Ok(places.filter(is_there).find(|folder| !is_built_in(folder)))
    }

    /// The folder that was named on the command line.
    pub(crate) fn named(&self) -> Result<Option<PathBuf>> {
        self.suite.as_deref().map(|folder| there(folder, "--suite")).transpose()
    }
}

/// Whether it is the folder with the built-in contracts.
fn is_built_in(folder: &Path) -> bool {
    let canonical = |path: &Path| path.canonicalize().ok();
    root().ok().and_then(|root| canonical(&root)).is_some_and(|root| canonical(folder) == Some(root))
}

/// The folder, if it is there.
fn there(folder: &Path, by: &str) -> Result<PathBuf> {
    if !folder.is_dir() {
        bail!(
            "{by} names {}, which is no folder; give one with schemas/<name>/contract.json and fixtures/<name>/ in it",
            folder.display()
        );
    }
    if is_built_in(folder) {
        bail!("{by} names {}, the folder of the built-in contracts; they are always there", folder.display());
    }
    Ok(folder.to_owned())
}
