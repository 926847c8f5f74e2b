//! `--known-failures`: what is known to be wrong, kept beside a target instead of in its file.

use anyhow::Result;
use conformance::load::Suite;
use conformance::model::KnownFile;
use conformance::targets::TargetFile;
use std::path::PathBuf;

/// Which files.
#[derive(clap::Args)]
pub(crate) struct Known {
    /// A file of known failures and of what is unsupported, written as in a target file, to which it adds; may be given again
    #[arg(long = "known-failures", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl Known {
    /// Adds what the files name to what the target file names.
    pub(crate) fn add_to(&self, target: &mut TargetFile, suite: &Suite) -> Result<()> {
        for file in &self.files {
            target.add(KnownFile::read(file, suite)?, file)?;
        }
        Ok(())
    }
}
