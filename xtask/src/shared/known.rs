//! `--known-failures`: known failures in files of their own.

use anyhow::Result;
use conformance::load::Suite;
use conformance::model::KnownFile;
use conformance::targets::TargetFile;
use std::path::PathBuf;

/// Which files.
#[derive(clap::Args)]
pub(crate) struct Known {
    /// A file of known failures and unsupported requirements, written as in a target file; may be given again
    #[arg(long = "known-failures", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl Known {
    /// Adds the entries of the files to those of the target file.
    pub(crate) fn add_to(&self, target: &mut TargetFile, suite: &Suite) -> Result<()> {
        for file in &self.files {
            target.add(KnownFile::read(file, suite)?, file)?;
        }
        Ok(())
    }
}
